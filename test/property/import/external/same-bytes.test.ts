import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { expectCanonical, expectConserved, Workplace } from '../../../support/ingest-cases.ts'
import { isMissingWord } from '../../../../workers/import/reader/numbers.ts'

const work = new Workplace()
/** So little that a few dozen entries go to disk, dictionaries overflow, and buckets are divided again. */
const TINY_BYTES = 4096

interface Entry {
  readonly from: string
  readonly to: string
  readonly weight: number
}

const weights = fc.oneof(
  fc.integer({ min: 1, max: 4000 }).map((quarters) => quarters / 4),
  fc.constantFrom(0.1, 1e-30, 3e30, 16777216, 1),
)

/** Entries over a few ids and some hubs, so that loops, duplicates, both directions and long lists are common. */
function entries(id: fc.Arbitrary<string>, most: number, least = 1): fc.Arbitrary<Entry[]> {
  return fc.array(id, { minLength: 1, maxLength: most / 4, size: 'max' }).chain((ids) => {
    const end = fc.oneof(
      { weight: 1, arbitrary: fc.constant(ids[0]!) },
      { weight: 4, arbitrary: fc.constantFrom(...ids) },
    )
    return fc.array(fc.record({ from: end, to: end, weight: weights }), {
      minLength: least,
      maxLength: most,
      size: 'max',
    })
  })
}

const smallIds = fc.integer({ min: 0, max: 300 }).map(String)
const sparseIds = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String)
const wideIds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const integerIds = fc.oneof(smallIds, sparseIds, wideIds, fc.oneof(smallIds, sparseIds, wideIds))
/** Neither "na" and the like, which stand for no id among numbers, nor "i j", which name columns where they stand first. */
const texts = fc
  .stringMatching(/^[a-zA-Z\u00e4\u{1F600}][a-z0-9_.\u00e9-]{0,19}$/u)
  .filter((text) => !isMissingWord(text) && !/^[ijuv]$/i.test(text))

function asText(list: readonly Entry[], weighted: boolean): string {
  return list.map(({ from, to, weight }) => [from, to, ...(weighted ? [weight] : [])].join(' ') + '\n').join('')
}

/** Imports a text; everything that a dataset is, but for where it came from and how long it took. */
async function made(content: string | Uint8Array, options: Partial<ImportArgs>, chunkBytes?: number) {
  const folder = work.newFolder()
  const source = work.file(`in-${folder.slice(-3)}`, content)
  const tuning = chunkBytes === undefined ? {} : { chunkBytes }
  // Where all ids are texts, nothing tells an edge from names of columns.
  const table = { header: 'no' } as const
  const facts = await importGraph({ source, folder, format: 'edge-list', table, ...options }, quietJob, tuning)
  expectCanonical(folder)
  expectConserved(facts.report)
  expect(existsSync(`${folder}.import`)).toBe(false)
  const labels = join(folder, 'labels')
  const { source: _source, sourceBytes: _bytes, sourceSha256: _hash, elapsedMs: _ms, ...report } = facts.report
  return {
    graph: readFileSync(join(folder, 'graph.gr')).toString('hex'),
    labels: existsSync(labels) ? readFileSync(labels).toString('hex') : null,
    facts: { ...facts, report: { ...report, compression: 'none', lines: 0 } },
  }
}

describe('a graph made in little memory is the one made in plenty', () => {
  it.each([
    ['small integers', smallIds],
    ['integers of up to 32 bits', sparseIds],
    ['integers of up to 64 bits', integerIds],
    ['texts', texts],
  ] as const)('%s, with and without weights, by one thread', async (_name, id) => {
    let arcsSeen = 0
    await fc.assert(
      fc.asyncProperty(
        entries(id, 300, 50),
        fc.boolean(),
        fc.constantFrom(undefined, 'max', 'min', 'sum', 'first'),
        fc.constantFrom(TINY_BYTES, 3 * TINY_BYTES, 2 ** 16, 2 ** 20),
        fc.integer({ min: 50, max: 4000 }),
        async (list, weighted, merge, memoryBytes, chunkBytes) => {
          const text = asText(list, weighted)
          const expected = await made(text, { merge })
          const found = await made(text, { merge, memoryBytes, threads: 1 }, chunkBytes)
          expect(found).toEqual(expected)
          arcsSeen += found.facts.arcs
        },
      ),
      { numRuns: 12 },
    )
    expect(arcsSeen).toBeGreaterThan(100)
  })

  it('shuffled, with other line ends, a mark in front, compressed, by one thread or two', async () => {
    const id = fc.oneof(integerIds, smallIds)
    await fc.assert(
      fc.asyncProperty(entries(id, 400), fc.boolean(), fc.infiniteStream(fc.nat()), async (list, weighted, random) => {
        const expected = await made(asText(list, weighted), { merge: 'sum' })
        const order = list.map((entry) => ({ entry, key: random.next().value })).sort((a, b) => a.key - b.key)
        const text = asText(
          order.map(({ entry }) => entry),
          weighted,
        )
        const variants = [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`, text.slice(0, -1), gzipSync(text)]
        for (const [i, variant] of variants.entries())
          expect(await made(variant, { merge: 'sum', memoryBytes: 2 * TINY_BYTES, threads: 1 + (i % 2) }, 999)).toEqual(
            expected,
          )
      }),
      { numRuns: 6 },
    )
  })

  it('split into several files, shuffled, some of them compressed, by one thread or two', async () => {
    const id = fc.oneof(integerIds, smallIds, texts)
    const plain = { merge: 'sum' } as const
    let arcsSeen = 0
    await fc.assert(
      fc.asyncProperty(
        entries(id, 400, 50),
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        async (list, weighted, random) => {
          const expected = await made(asText(list, weighted), plain)
          const order = list.map((entry) => ({ entry, key: random.next().value })).sort((a, b) => a.key - b.key)
          const shuffled = order.map(({ entry }) => entry)
          for (const parts of [2, 5]) {
            const size = Math.ceil(shuffled.length / parts)
            const pieces = Array.from({ length: Math.ceil(shuffled.length / size) }, (_, i) =>
              asText(shuffled.slice(i * size, (i + 1) * size), weighted),
            )
            const sources = pieces.slice(1).map((piece, i) => {
              const content = i % 2 === 0 ? gzipSync(piece) : piece.replaceAll('\n', '\r\n')
              return work.file(`part-${parts}-${i}-${random.next().value}`, content)
            })
            const options = { ...plain, sources, memoryBytes: 2 * TINY_BYTES, threads: 1 + (parts % 2) } as const
            const found = await made(pieces[0]!, options, 999)
            // Of texts that came late in the first file, the report tells the line; the parts have other lines.
            const known = { ...found.facts.report, warnings: expected.facts.report.warnings }
            expect({ ...found, facts: { ...found.facts, report: known } }).toEqual(expected)
            arcsSeen += found.facts.arcs
          }
        },
      ),
      { numRuns: 8 },
    )
    expect(arcsSeen).toBeGreaterThan(100)
  })
})
