import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeGraphFile } from '../../../../workers/export/formats/write-graph-file.ts'
import { Failure } from '../../../../workers/base/failure.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { GraphExportFormat, ImportArgs } from '../../../../workers/contract/jobs.ts'
import { randomStream } from '../../../support/graphs.ts'
import { expectCanonical, expectConserved, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const formats = ['galois', 'galois2', 'egr', 'egr64', 'sg', 'wsg'] as const

/** A random graph as text, weighted or not, with a few isolated vertices; whole weights, which all formats carry. */
function edgeList(random: () => number, weighted: boolean): string {
  const n = 3 + Math.floor(random() * 60)
  const lines = Array.from({ length: 1 + Math.floor(random() * 150) }, () => {
    const [u, v] = [Math.floor(random() * n), Math.floor(random() * n)]
    return `${u} ${v}${weighted ? ` ${1 + Math.floor(random() * 9)}` : ''}\n`
  })
  return lines.join('')
}

async function exported(text: string, format: GraphExportFormat, name: string): Promise<string> {
  const folder = work.newFolder()
  const source = work.file(`${name}.txt`, text)
  const { checksum } = await importGraph({ source, folder, format: 'edge-list' }, quietJob)
  const output = join(work.path, name)
  await writeGraphFile({ folder, checksum, format, output }, quietJob)
  return output
}

/** What an import leaves, or how it fails; without times. */
async function outcome(source: string, options: Partial<ImportArgs>, copies: boolean) {
  const folder = work.newFolder()
  try {
    const facts = await importGraph({ source, folder, threads: 1, ...options }, quietJob, {
      copiedFromArcs: copies ? 0 : Infinity,
    })
    expectCanonical(folder)
    expectConserved(facts.report)
    const { elapsedMs: _ms, ...report } = facts.report
    return { graph: readFileSync(join(folder, 'graph.gr')).toString('hex'), facts: { ...facts, report } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(existsSync(folder)).toBe(false)
    return { failure: error.toValue() }
  }
}

it('asks for room before a file that looked canonical is read entry by entry, and leaves nothing where there is none', async () => {
  const text = Array.from({ length: 400 }, (_, i) => `${i} ${i + 1}\n`).join('')
  const source = await exported(text, 'galois', 'path.gr')
  const noRoom = new Failure({ code: 'storage', where: work.path, what: 'no room', remedy: 'Free some.' })
  let asked = 0
  const requireRoom = (mayCopy: boolean): void => {
    if (mayCopy) return
    asked++
    throw noRoom
  }
  const run = (from: string, folder = work.newFolder()) =>
    importGraph({ source: from, folder, threads: 1 }, quietJob, { copiedFromArcs: 0, requireRoom })
  await run(source)
  expect(asked).toBe(0)
  const bytes = readFileSync(source)
  // The neighbours of the third vertex are now 1 and 4: an arc that no sample looks at.
  bytes.writeUInt32LE(4, 32 + 8 * 401 + 4 * 4)
  const folder = work.newFolder()
  await expect(run(work.file('broken.gr', bytes), folder)).rejects.toBe(noRoom)
  expect(asked).toBe(1)
  expect(existsSync(folder)).toBe(false)
})

it.each(formats)('%s: a file with any word changed gives what the long way gives, graph or failure', async (format) => {
  const random = randomStream(11)
  let [graphs, failures] = [0, 0]
  for (let i = 0; i < 12; i++) {
    const source = await exported(edgeList(random, i % 2 === 1 && format !== 'sg'), format, `whole-${i}.${format}`)
    const bytes = readFileSync(source)
    // Words are aligned from the end in all of these formats.
    const at = bytes.length - 4 * (1 + Math.floor((random() * (bytes.length - 4)) / 4))
    bytes.writeUInt32LE(random() < 0.7 ? Math.floor(random() * 40) : Math.floor(random() * 2 ** 32), at)
    const damaged = work.file(`damaged-${i}.${format}`, bytes)
    const kind = { galois: 'galois', galois2: 'galois', egr: 'egr', egr64: 'egr', sg: 'gapbs', wsg: 'gapbs' } as const
    const args = { format: kind[format] }
    const expected = await outcome(damaged, args, false)
    expect(await outcome(damaged, args, true)).toEqual(expected)
    if ('failure' in expected) failures++
    else graphs++
  }
  expect(graphs).toBeGreaterThan(0)
  expect(failures).toBeGreaterThan(0)
})
