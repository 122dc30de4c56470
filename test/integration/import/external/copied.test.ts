import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import type { JobContext } from '../../../../workers/base/job.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
/** A star of so many leaves: the hub's list is longer than a slice of the copy, and cut within pieces too. */
const LEAVES = 1_300_001

const TARGETS_AT = 32 + 8 * (LEAVES + 1)

/** The whole star as a Galois file, vertex 0 the hub. */
const whole = ((): Uint8Array<ArrayBuffer> => {
  const bytes = new ArrayBuffer(TARGETS_AT + 8 * LEAVES)
  new BigUint64Array(bytes, 0, 4).set([1n, 0n, BigInt(LEAVES + 1), BigInt(2 * LEAVES)])
  const ends = new BigUint64Array(bytes, 32, LEAVES + 1)
  for (let v = 0; v <= LEAVES; v++) ends[v] = BigInt(LEAVES + v)
  const targets = new Uint32Array(bytes, TARGETS_AT, LEAVES)
  for (let i = 0; i < LEAVES; i++) targets[i] = i + 1
  return new Uint8Array(bytes)
})()

/** A copy of it, of which `mend` may change the targets. */
function star(mend: (targets: Uint32Array) => void = () => {}): Buffer {
  const bytes = whole.slice()
  mend(new Uint32Array(bytes.buffer, TARGETS_AT))
  return Buffer.from(bytes.buffer)
}

async function imported(content: Buffer, threads: number) {
  const said: string[] = []
  const job: JobContext = { signal: { aborted: false }, progress: () => {}, log: (message) => void said.push(message) }
  const folder = work.newFolder()
  const source = work.file('star.gr', content)
  const facts = await importGraph({ source, folder, threads, memoryBytes: 64 << 20 }, job)
  expect(existsSync(`${folder}.import`)).toBe(false)
  return {
    facts,
    copied: said.some((message) => message.includes('was copied')),
    graph: readFileSync(join(folder, 'graph.gr')),
  }
}

describe.each([1, 2])('with %i threads', (threads) => {
  it('a list over several slices is copied as it is', async () => {
    const content = star()
    const { facts, copied, graph } = await imported(content, threads)
    expect(copied).toBe(true)
    expect(graph.equals(content)).toBe(true)
    expect(facts).toMatchObject({ arcs: 2 * LEAVES, maxDegree: LEAVES })
    expect(facts.report).toMatchObject({ entries: 2 * LEAVES, isolatedVertices: 0, reverseArcsAdded: 0 })
  })

  const places: readonly (readonly [string, number])[] = [
    ['between two slices', 1 << 20],
    ['between two pieces of a slice', 1 << 18],
    ['within a piece', 12_345],
  ]
  // Where within a slice does not depend on who reads it.
  it.each(threads === 1 ? places : places.slice(0, 1))('a target that stands twice %s is found', async (_where, at) => {
    const { facts, copied } = await imported(
      star((targets) => (targets[at] = targets[at - 1]!)),
      threads,
    )
    expect(copied).toBe(false)
    expect(facts).toMatchObject({ arcs: 2 * LEAVES })
    expect(facts.report).toMatchObject({ duplicatesMerged: 1, reverseArcsAdded: 1, loopsRemoved: 0 })
  })

  it('one arc without its equal, which no sample meets, is found', async () => {
    const { facts, copied } = await imported(
      star((targets) => (targets[LEAVES + 777_777] = 5)),
      threads,
    )
    expect(copied).toBe(false)
    expect(facts).toMatchObject({ arcs: 2 * LEAVES + 2, maxDegree: LEAVES })
    expect(facts.report).toMatchObject({ reverseArcsAdded: 2 })
  })

  it.each(['copy', 'write'])('a cancel in %s leaves nothing', async (phase) => {
    const source = work.file('star.gr', star())
    let aborted = false
    const signal = {
      get aborted() {
        return aborted
      },
    }
    const progress = (now: { phase: string }) => void (aborted ||= now.phase === phase)
    const folder = work.newFolder()
    const outcome = importGraph({ source, folder, threads }, { signal, progress, log: () => {} })
    if (phase === 'copy') expect(await failureOf(outcome)).toMatchObject({ code: 'cancelled' })
    else await outcome.catch(() => {})
    expect(aborted).toBe(true)
    expect(readdirSync(work.path).filter((name) => name.includes('.import') || name.includes('.partial'))).toEqual([])
  })
})

it('a copy whose program is killed before its end is finished by --resume', async () => {
  const source = work.file('star.gr', star())
  const folder = work.newFolder()
  const job = { signal: { aborted: false }, progress: () => {}, log: () => {} }
  // As the service asks for it: the journal stays until the result is noted.
  const first = await importGraph({ source, folder, keepScratch: true }, job)
  expect(existsSync(`${folder}.import/manifest.json`)).toBe(true)
  const again = await importGraph({ source, folder, resume: true }, job)
  expect(again).toEqual(first)
  expect(existsSync(`${folder}.import`)).toBe(false)
  expect(readFileSync(join(folder, 'graph.gr')).equals(star())).toBe(true)
})
