import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { planWork, sizeOfTarget } from '../../../workers/jobs/plan.ts'
import { importStep } from '../../../workers/import/estimate.ts'
import type { Failure, FailureValue } from '../../../workers/base/failure.ts'
import { importFile } from '../../../workers/import/containers/import-file.ts'
import { listGraphs } from '../../../workers/import/containers/list-graphs.ts'
import { textFormats, wholeFormats } from '../../../workers/import/formats/registry.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { previewFiles } from '../../../workers/import/preview/preview-file.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { fixturePath, fixtures, zipped } from '../../support/fixtures.ts'
import { estimated, failureOf, requireRoom, Workplace } from '../../support/ingest-cases.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const work = new Workplace()

function lines(entries: number, vertices: number, line: (u: number, v: number) => string): string {
  const random = randomStream(3)
  const pick = (): number => Math.floor(vertices * random())
  return Array.from({ length: entries }, () => `${line(pick(), pick())}\n`).join('')
}

describe('what a file will come to', () => {
  it.each([
    ['plain', 250_000, 40_000, (u: number, v: number) => `${u} ${v}`, 0.02],
    ['with weights, as CSV', 200_000, 1000, (u: number, v: number) => `${u},${v},0.5`, 0.02],
    ['small', 500, 100, (u: number, v: number) => `${u}\t${v}`, 0],
  ] as const)('%s: entries within the bound, vertices and arcs never too few', async (_, entries, ids, line, bound) => {
    const source = work.file('list.txt', lines(entries, ids, line))
    const estimate = await estimated(source)
    const { report, vertices, arcs } = await importGraph({ source, folder: work.newFolder() }, quietJob)
    expect(Math.abs(estimate.entries / report.entries - 1)).toBeLessThanOrEqual(bound)
    expect(estimate).toMatchObject({ format: 'edge-list', exact: false, weighted: line(1, 2).includes('0.5') })
    expect(estimate.vertices).toBeGreaterThanOrEqual(vertices)
    expect(estimate.vertices).toBeLessThanOrEqual(Math.ceil(1.2 * vertices))
    expect(estimate.arcs * (1 + bound)).toBeGreaterThanOrEqual(arcs)
  })

  it('gzip: entries within a third', async () => {
    const text = lines(300_000, 1_000_000, (u, v) => `${u} ${v}`)
    const path = join(work.path, 'list.txt.gz')
    writeFileSync(path, gzipSync(text))
    const { entries } = await estimated(path)
    expect(entries).toBeGreaterThan(200_000)
    expect(entries).toBeLessThan(400_000)
  })

  it('text ids: as many vertices as entries have ends, at most', async () => {
    const source = work.file(
      'names.txt',
      lines(100, 50, (u, v) => `p${u} p${v}`),
    )
    expect(await estimated(source)).toMatchObject({ entries: 100, vertices: 200 })
  })

  it('a single line of names promises two vertices at most', async () => {
    expect(await estimated(work.file('one.txt', 'alice bob\n'))).toMatchObject({ vertices: 2, entries: 1 })
    await requireRoom(work.file('two.txt', 'alice bob\n'), work.path)
  })

  it('headers are taken at their word', async () => {
    const mtx = '%%MatrixMarket matrix coordinate pattern symmetric\n% x\n5 5 3\n2 1\n3 1\n5 4\n'
    const counted = { vertices: 5, entries: 3, arcs: 6, weighted: false, exact: true }
    expect(await estimated(work.file('a.mtx', mtx))).toMatchObject({ format: 'matrix-market', ...counted })
    const metis = { format: 'metis', vertices: 3, entries: 4, arcs: 4, exact: true }
    expect(await estimated(work.file('a.graph', '3 2\n2\n1 3\n2\n'))).toMatchObject(metis)
    const konect = { format: 'konect', vertices: 5, entries: 2, arcs: 4, weighted: true, exact: true }
    expect(await estimated(work.file('out.a', '% bip positive\n% 2 2 3\n1 1 5\n2 3 6\n'))).toMatchObject(konect)
    const path = fixturePath('webgraph/paper.graph')
    const webgraph = { format: 'webgraph', vertices: 3042, entries: 24, arcs: 48, weighted: false, exact: true }
    for (const source of [path, zipped(work, 'webgraph/paper.graph', path)])
      expect(await estimated(source)).toMatchObject(webgraph)
  })

  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
    '%s, plain and compressed: its format, never too few vertices and arcs',
    async (name, { path, golden }) => {
      for (const source of [path, zipped(work, name, path)]) {
        const estimate = await estimated(source, golden.options?.format)
        // A name as of other files; its length tells.
        if (source === path || !path.endsWith('.bin')) expect(estimate.format).toBe(golden.format)
        expect(estimate.vertices).toBeGreaterThanOrEqual(golden.vertices)
        expect(estimate.arcs).toBeGreaterThanOrEqual(golden.arcs)
      }
    },
  )

  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
    '%s: the plan of a small file counts what the import makes',
    async (_, { path: source, golden }) => {
      const { format, member, ...reading } = golden.options ?? {}
      const { vertices, arcs, exact } = await sizeOfTarget({
        target: { kind: 'file', source, format, member, reading },
      })
      expect({ vertices, arcs, exact }).toEqual({ vertices: golden.vertices, arcs: golden.arcs, exact: true })
    },
  )

  it('lines that are all comments promise no fewer edges than their bytes could hold', async () => {
    const source = work.file('remarks.txt', `${'# a remark\n'.repeat(30_000)}1 2\n`)
    const { vertices, arcs } = await estimated(
      work.file('remarks.txt.gz', gzipSync(readFileSync(source).subarray(0, -4))),
    )
    expect(vertices).toBeGreaterThan(0)
    expect(arcs).toBeGreaterThan(0)
  })

  it('a header of many vertices and few entries takes of the memory what an import may take, and their offsets of the disk', async () => {
    const source = work.file(
      'wide.mtx',
      '%%MatrixMarket matrix coordinate pattern general\n300000000 300000000 1\n1 2\n',
    )
    const step = importStep(await estimated(source), 512 << 20)
    expect(step.hostBytes).toBe(512 << 20)
    expect(step.diskBytes).toBeGreaterThan(8 * 3e8)
  })

  it('ids that a header counts take nothing of the disk', async () => {
    const edges = Array.from({ length: 90_000 }, (_, i) => `${2 + (i % 29_999)} ${1 + (i % 2)}\n`)
    const unique = [...new Set(edges)].filter((edge) => edge !== '2 2\n' && edge !== '1 1\n')
    const head = `%%MatrixMarket matrix coordinate pattern symmetric\n30000 30000 ${unique.length}\n`
    const source = work.file('counted.mtx', `${head}${unique.join('')}`)
    const { diskBytes } = importStep(await estimated(source), 1 << 30)
    const folder = work.newFolder()
    await importGraph({ source, folder }, quietJob)
    const written = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    expect(written).toBeGreaterThan(300_000)
    expect(diskBytes).toBeGreaterThanOrEqual(written)
    expect(diskBytes).toBeLessThan(1.02 * written)
  })

  it('a binary file with all arcs in both directions takes its own size of the disk, and as much as others once it is read by entry', async () => {
    const pairs = Array.from({ length: 600_000 }, (_, i): [number, number] => [i % 4000, (i * 7919 + 13) % 4001])
    const { folder } = writeGraphFolder(smallGraph(4001, pairs))
    const source = join(folder, 'graph.gr')
    const { arcs, ...estimate } = await estimated(source)
    expect(estimate).toMatchObject({ format: 'galois', copied: true, entries: arcs, exact: false })
    expect(arcs).toBeGreaterThan(1 << 20)
    const fileBytes = statSync(source).size
    const copied = importStep({ arcs, ...estimate }, 1 << 20)
    expect(copied.scratchBytes).toBe(0)
    expect(copied.diskBytes).toBeGreaterThanOrEqual(fileBytes)
    expect(copied.diskBytes).toBeLessThan(1.02 * fileBytes)
    expect(importStep({ ...estimate, arcs: 2 * arcs, copied: false }, 1 << 20).scratchBytes).toBeGreaterThan(
      3 * fileBytes,
    )
    // One arc in the middle that leads elsewhere.
    const bytes = readFileSync(source)
    bytes.writeUInt32LE(0xffff, 32 + 8 * 4001 + 4 * Math.floor(((8 + 0.5) * arcs) / 16))
    expect(await estimated(work.file('directed.gr', bytes))).toMatchObject({ copied: false, arcs: 2 * arcs })
    rmSync(folder, { recursive: true })
  })

  it('refuses an import that the disk has no room for, with both figures, and leaves the rest to the import', async () => {
    const folder = work.newFolder()
    const huge = work.file('huge.mtx', `%%MatrixMarket matrix coordinate real general\n9 9 ${10 ** 14}\n1 2 3\n`)
    expect((await failureOf(requireRoom(huge, folder))).what).toMatch(
      /needs up to \d+\.\d [MG]iB of disk, and the disk has \d+\.\d [MG]iB left/,
    )
    const fits = work.file('fits.txt', '1 2\n2 3\n')
    for (const source of [fits, join(work.path, 'missing.txt'), work.path]) await requireRoom(source, folder)
  })

  it('plans an import alone, and refuses it in the words of the import', async () => {
    const library = work.newFolder()
    const asked = { algorithm: 'ecl-mis', device: 'gpu:9', priority: 'degree', seed: 0, importOnly: true } as const
    const planOf = (source: string) =>
      planWork({ ...asked, target: { kind: 'file', source }, folder: library }, quietJob)
    const refusalOf = async (source: string): Promise<FailureValue | null> => {
      try {
        await requireRoom(source, join(library, 'datasets'))
        return null
      } catch (error) {
        return (error as Failure).toValue()
      }
    }
    const huge = work.file('vast.mtx', `%%MatrixMarket matrix coordinate real general\n9 9 ${10 ** 14}\n1 2 3\n`)
    const refused = await planOf(huge)
    expect(refused.refusal).toMatchObject({ code: 'storage', where: join(library, 'datasets') })
    const withoutFigures = (failure: FailureValue | null) => ({
      ...failure,
      what: failure?.what.replace(/[\d.]+ GiB left/, ''),
    })
    expect(withoutFigures(refused.refusal)).toEqual(withoutFigures(await refusalOf(huge)))
    const fits = work.file('fits.txt', '1 2\n2 3\n')
    const plan = await planOf(fits)
    expect(plan.refusal).toBe(null)
    expect(plan.steps.map(({ name }) => name)).toEqual(['import'])
    expect(plan.needed.diskBytes).toBeGreaterThan(0)
  })
})

interface Asked {
  recognise?(...args: unknown[]): unknown
  shapeOf?(...args: unknown[]): unknown
}

/** How often each format was asked a question about a file, at the most: whether it is of it, or how a table is cut. */
async function mostAsked(work: () => Promise<unknown>, question: keyof Asked = 'recognise'): Promise<number> {
  const formats: Asked[] = [...textFormats, ...wholeFormats]
  const asked = formats.filter((format) => format[question]).map((format) => vi.spyOn(format, question))
  try {
    await work()
    return Math.max(...asked.map(({ mock }) => mock.calls.length))
  } finally {
    for (const spy of asked) spy.mockRestore()
  }
}

describe('what a file is', () => {
  const formats = fixtures.map(({ golden }) => golden.format)
  const ofEachFormat = fixtures.filter(({ golden }, i) => formats.indexOf(golden.format) === i)

  it.each(ofEachFormat.map((fixture) => [fixture.name, fixture] as const))(
    '%s: import, preview, estimate and the list of graphs ask once, plain and compressed',
    async (name, { path, golden }) => {
      const { format, member, ...reading } = golden.options ?? {}
      for (const source of [path, zipped(work, name, path)]) {
        const args = { source, format, member, ...reading }
        const asked = {
          import: await mostAsked(() => importFile({ ...args, folder: work.newFolder() }, quietJob)),
          preview: await mostAsked(() => previewFiles(args).catch(() => {})),
          estimate: await mostAsked(() => sizeOfTarget({ target: { kind: 'file', source, format, member, reading } })),
        }
        const once = format === undefined ? 1 : 0
        expect(asked).toEqual({ import: once, preview: once, estimate: once })
        expect(await mostAsked(() => listGraphs({ source }, quietJob))).toBe(1)
      }
    },
  )

  it('is asked once of each of several files that are one graph', async () => {
    const [source, other, folder] = [
      work.file('a.csv', 'u,v\n1,2\n'),
      work.file('b.csv', 'u,v\n2,3\n'),
      work.newFolder(),
    ]
    expect(await mostAsked(() => importFile({ source, sources: [other], folder }, quietJob))).toBe(2)
    expect(await mostAsked(() => previewFiles({ source: other, joins: source }))).toBe(2)
  })

  it.each([
    ['numbers', '1,2\n2,3\n', 0],
    ['texts, read once more', '1,2\n2,b\n', 0],
    ['rows over several lines', 'u,v,w\na,"b\nc",1\n"b\nc",d,2\n', 0],
    ['values that are all zero, read once more', 'u,v,weight\n1,2,0\n2,3,0\n', 0],
    ['weights with many digits, read twice more', 'u,v,w\n1,2,0.1234567890123\n2,3,0.1234567890124\n', 0],
    ['lines in memory', 'u,v\n1,2\n2,3\n', 1 << 18],
  ])('finds the shape of a table once: %s', async (_, text, repeated) => {
    const [head, ...rows] = text.split(/(?<=\n)/)
    const source = work.file('a.csv', repeated === 0 ? text : head + rows.join('').repeat(repeated / 2))
    const shapes = (act: () => Promise<unknown>) => mostAsked(act, 'shapeOf')
    expect({
      import: await shapes(() => importFile({ source, folder: work.newFolder() }, quietJob).catch(() => {})),
      preview: await shapes(() => previewFiles({ source })),
      estimate: await shapes(() => sizeOfTarget({ target: { kind: 'file', source } })),
    }).toEqual({ import: 1, preview: 1, estimate: 1 })
    const other = work.file('b.csv', text)
    const joined = { source, sources: [other], folder: work.newFolder() }
    expect(await shapes(() => importFile(joined, quietJob).catch(() => {}))).toBe(2)
    expect(await shapes(() => previewFiles({ source: other, joins: source }))).toBe(2)
  })
})
