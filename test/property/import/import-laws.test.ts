import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectCanonical, expectConserved, Workplace } from '../../support/ingest-cases.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { isMissingWord } from '../../../workers/import/reader/numbers.ts'

const work = new Workplace()
const RUNS = { numRuns: 24 }

interface Entry {
  readonly from: string
  readonly to: string
  readonly weight: number
}

/** Entries over a few ids, so that loops, duplicates and both directions are common. */
function entries(id: fc.Arbitrary<string>): fc.Arbitrary<Entry[]> {
  const weight = fc.integer({ min: 1, max: 4000 }).map((quarters) => quarters / 4)
  return fc.array(id, { minLength: 1, maxLength: 12 }).chain((ids) =>
    fc.array(fc.record({ from: fc.constantFrom(...ids), to: fc.constantFrom(...ids), weight }), {
      minLength: 1,
      maxLength: 60,
    }),
  )
}

const smallIds = fc.integer({ min: 0, max: 40 }).map(String)
const wideIds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const mixedWideIds = fc.oneof(smallIds, wideIds, fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String))
/** Neither "na" and the like, which stand for no id among numbers, nor "i j", which name columns where they stand first. */
const texts = fc
  .stringMatching(/^[a-zA-Z\u00e4\u{1F600}][a-z0-9_.\u00e9-]{0,9}$/u)
  .filter((text) => !isMissingWord(text) && !/^[ijuv]$/i.test(text))

/** What import must make of a list, the slow way. */
function oracle(list: Entry[], numeric: boolean, weighted: boolean) {
  const compare = numeric
    ? (a: string, b: string) => (BigInt(a) < BigInt(b) ? -1 : 1)
    : (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  const labels = [...new Set(list.flatMap(({ from, to }) => [from, to]))].sort(compare)
  const weights = new Map<string, number>()
  const read = new Set<string>()
  let loops = 0
  for (const { from, to, weight } of list) {
    if (from === to) {
      loops++
      continue
    }
    read.add(`${from} ${to}`)
    for (const arc of [`${from} ${to}`, `${to} ${from}`]) weights.set(arc, Math.max(weight, weights.get(arc) ?? 0))
  }
  const arcs = labels.flatMap((u) =>
    labels
      .filter((v) => weights.has(`${u} ${v}`))
      .map((v) => (weighted ? `${u} ${v} ${weights.get(`${u} ${v}`)}` : `${u} ${v}`)),
  )
  const counted = {
    entries: list.length,
    loopsRemoved: loops,
    duplicatesMerged: list.length - loops - read.size,
    reverseArcsAdded: weights.size - read.size,
    vertices: labels.length,
    arcs: weights.size,
    isolatedVertices: labels.filter((u) => !list.some(({ from, to }) => from !== to && (from === u || to === u)))
      .length,
  }
  return { labels, arcs, counted }
}

function asText(list: Entry[], weighted: boolean, delimiter = ' '): string {
  return list.map(({ from, to, weight }) => [from, to, ...(weighted ? [weight] : [])].join(delimiter) + '\n').join('')
}

/** Texts may be anything, also what might name columns. */
const AS_EDGES = { format: 'edge-list', table: { header: 'no' } } as const

describe('an edge list becomes the graph that a slow program makes of it', () => {
  it.each([
    ['small integers', smallIds, true],
    ['integers of up to 64 bits', mixedWideIds, true],
    ['texts', texts, false],
  ] as const)('%s', async (_name, id, numeric) => {
    let arcsSeen = 0
    await fc.assert(
      fc.asyncProperty(entries(id), fc.boolean(), async (list, weighted) => {
        const found = await work.imported('a.txt', asText(list, weighted), AS_EDGES)
        const expected = oracle(list, numeric, weighted)
        expect(found.labels).toEqual(expected.labels)
        expect(found.arcs).toEqual(expected.arcs)
        expect(found.report).toMatchObject({ ...expected.counted, lines: list.length })
        expectConserved(found.report)
        arcsSeen += found.arcs.length
      }),
      RUNS,
    )
    expect(arcsSeen).toBeGreaterThan(30)
  })
})

describe('the same bytes', () => {
  it('whatever the order of lines, the line ends, the compression, the delimiter and the size of the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(entries(smallIds), entries(mixedWideIds), entries(texts)),
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 100 }),
        async (list, weighted, random, chunkBytes) => {
          const text = asText(list, weighted)
          const original = await work.imported('a.txt', text, AS_EDGES)
          const order = list.map((entry) => ({ entry, key: random.next().value })).sort((a, b) => a.key - b.key)
          const shuffled = asText(
            order.map(({ entry }) => entry),
            weighted,
          )
          const variants: [string | Uint8Array, number | undefined][] = [
            [shuffled, undefined],
            [text.replaceAll('\n', '\r\n'), chunkBytes],
            [`\uFEFF${text}`, chunkBytes],
            [text.slice(0, -1), chunkBytes],
            [gzipSync(shuffled), chunkBytes],
            [asText(list, weighted, ','), chunkBytes],
            [`# a comment\n\n${asText(list, weighted, '\t')}`, undefined],
          ]
          for (const [variant, chunk] of variants) {
            const tuning = chunk === undefined ? {} : { chunkBytes: chunk }
            const again = await work.imported('b', variant, AS_EDGES, tuning)
            expect(again.graphBytes.equals(original.graphBytes)).toBe(true)
            expect(again.labels).toEqual(original.labels)
          }
        },
      ),
      { numRuns: 8 },
    )
  })

  it('from a file longer than the sample, cut anywhere', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 20_011} ${(i * i) % 30_011}\n`)
    const original = await work.imported('a.txt', lines.join(''))
    expect(original.facts.arcs).toBeGreaterThan(100_000)
    for (const chunkBytes of [777, 4096, 65_537])
      expect((await work.imported('b', lines.join(''), {}, { chunkBytes })).facts.checksum).toBe(
        original.facts.checksum,
      )
  })

  it('from all formats', async () => {
    const graphs = fc.integer({ min: 1, max: 12 }).chain((vertices) => {
      const v = fc.integer({ min: 1, max: vertices })
      return fc.tuple(fc.constant(vertices), fc.array(fc.tuple(v, v), { maxLength: 40 }))
    })
    await fc.assert(
      fc.asyncProperty(graphs, async ([vertices, pairs]) => {
        const edges = new Map(
          pairs.filter(([u, v]) => u !== v).map(([u, v]) => [`${Math.max(u, v)} ${Math.min(u, v)}`, [u, v] as const]),
        )
        const neighbours = Array.from({ length: vertices }, () => [] as number[])
        for (const [u, v] of edges.values()) {
          neighbours[u - 1]!.push(v)
          neighbours[v - 1]!.push(u)
        }
        const metis = `${vertices} ${edges.size}\n${neighbours.map((row) => `${row.join(' ')}\n`).join('')}`
        const matrix = `%%MatrixMarket matrix coordinate pattern symmetric\n${vertices} ${vertices} ${edges.size}\n${[...edges.keys()].map((edge) => `${edge}\n`).join('')}`
        const dense = `%%MatrixMarket matrix array integer general\n${vertices} ${vertices}\n${neighbours
          .flatMap((row) => neighbours.map((_, i) => (row.includes(i + 1) ? 1 : 0)))
          .map((value) => `${value}\n`)
          .join('')}`
        const one = await work.imported('a.graph', metis, { format: 'metis' })
        expect(one.facts).toMatchObject({ vertices, arcs: 2 * edges.size })
        const two = await work.imported('a.mtx', matrix)
        const three = await work.imported('b.mtx', dense, { ignoreWeights: true })
        expect([two.facts.checksum, three.facts.checksum]).toEqual([one.facts.checksum, one.facts.checksum])
        expect(three.report.entries).toBe(2 * edges.size)
      }),
      RUNS,
    )
  })
})

describe('every dataset', () => {
  it('is canonical', async () => {
    await fc.assert(
      fc.asyncProperty(entries(smallIds), fc.boolean(), async (list, weighted) => {
        const folder = work.newFolder()
        const source = work.file('c.txt', asText(list, weighted))
        const { report } = await importGraph({ source, folder, ...AS_EDGES }, quietJob)
        expectCanonical(folder)
        expectConserved(report)
      }),
      RUNS,
    )
  })
})
