import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type GeneratorChoice, generatorNames, paperInputs, sizeOfModel } from '../../../workers/contract/generators.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { EntryOutput } from '../../../workers/graph/entries.ts'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { CounterHash, Permutation } from '../../../workers/generate/random.ts'
import { TupleRoom } from '../../../workers/generate/tuple-room.ts'
import { graphModel, rmatBounds } from '../../../workers/generate/graph-model.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { DatasetFacts, GenerateArgs } from '../../../workers/contract/jobs.ts'
import { eachTuple } from '../../support/tuples.ts'
import { expectCanonical, expectConserved, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

/** One of each, with the SHA-256 of its graph.gr for seed 7: the same on every machine and in every later version. */
const golden: readonly (readonly [GeneratorChoice, string])[] = [
  [{ model: 'rmat', scale: 9, edgeFactor: 8 }, 'aa162525e8290fa4d00d80342e6a3ccad3eaeabd236ec6ba941d010cef553de0'],
  [{ model: 'uniform', vertices: 700, degree: 8 }, '679e30f02e337023ac054b2738194466d28136c82f30a3bc2812793f72a1e93f'],
  [{ model: 'kout', vertices: 700, degree: 5 }, '698cd3208e4459e8b7e2a69e99912baede4c5aa3ed7cf538ffebbf6e79849854'],
  [{ model: 'regular', vertices: 700, degree: 3 }, '9261e45def5a2eb49c3d4477f3660e7dd721c87aebb6de86ed2827ae5fadeea2'],
  [{ model: 'grid', rows: 20, columns: 30 }, 'db661fbd92533be319ac0d10aadd9f0c8196f486fec82c89277e9c904f621cff'],
  [
    { model: 'grid3', width: 7, height: 8, depth: 9 },
    '370ed82f3cc42a36fc7b26dbc9023387fd752daaa3e04d793f30c7a7693fee02',
  ],
  [
    { model: 'torus3', width: 6, height: 8, depth: 4 },
    '17e63b5aa2d22417875fd73228782f17170597962bb0da7d9bebd1e16c2ac66a',
  ],
  [
    { model: 'geometric', vertices: 700, degree: 6 },
    'f0891795a8fad8e111d8fe2b8ca2df46d50813c7861e7c590e1242838ea76950',
  ],
  [{ model: 'chains', vertices: 900, length: 40 }, '894085959a8e500082b82b42073aa496d893386b21cd3550bcb172b9a3251ce5'],
  [{ model: 'star', vertices: 600 }, '5aaa1413ce01f530ffbfd9e17bbefbf7d880ae334e0eb76767f41ae9cc813452'],
  [{ model: 'clique', vertices: 40 }, '3a08e7b3e89522a794113bff014dc05b9b40ab5c7e50650d3788e3f7ab6dffd4'],
]

const generated = (choice: GeneratorChoice, more: Partial<GenerateArgs> = {}): Promise<DatasetFacts> =>
  generateGraph({ ...choice, seed: 7, folder: work.newFolder(), ...more } as GenerateArgs, quietJob)

function degreesOf(folder: string): number[] {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const offsets = graph.readOffsets(0, graph.vertices)
  graph.close()
  return Array.from({ length: graph.vertices }, (_, v) => offsets[v + 1]! - offsets[v]!)
}

describe('generators', () => {
  it('are all in the table of golden checksums', () => {
    expect(new Set(golden.map(([{ model }]) => model))).toEqual(new Set(generatorNames))
  })

  it.each(golden)('%o: canonical, conserved, and the golden bytes', async (choice, checksum) => {
    const folder = work.newFolder()
    const facts = await generated(choice, { folder })
    expectCanonical(folder)
    expectConserved(facts.report)
    expect(facts.arcs).toBeGreaterThan(500)
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, 'graph.gr')))
        .digest('hex'),
    ).toBe(checksum)
  })

  it.each(golden)('%o: parts are what the whole is, and it is as large as foreseen', (choice) => {
    const model = graphModel({ ...choice, seed: 5, folder: '', shuffle: true })
    const {
      vertices,
      tuples: entries,
      expectedEntries: drawn = entries,
    } = graphModel({ ...choice, seed: 5, folder: '' })
    expect(sizeOfModel(choice)).toEqual({ vertices, drawn })
    const tuples = (cuts: readonly number[]): string[] => {
      const output = new EntryOutput(1 << 16)
      output.next()
      for (let i = 1; i < cuts.length; i++) eachTuple(model, cuts[i - 1]!, cuts[i]!, (u, v) => output.add(u, v, 1))
      const { from, to, count } = output.block
      return Array.from({ length: count }, (_, i) => `${from[i]} ${to[i]}`)
    }
    const whole = tuples([0, model.tuples])
    expect(whole.length).toBeGreaterThan(200)
    expect(tuples([0, 1, 7, 100, model.tuples])).toEqual(whole)
  })

  it.each(golden)('%o: shuffled, the same degrees at other ids', async (choice) => {
    const [plain, shuffled] = [work.newFolder(), work.newFolder()]
    const before = await generated(choice, { folder: plain })
    const after = await generated(choice, { folder: shuffled, shuffle: true })
    expect(degreesOf(shuffled).toSorted()).toEqual(degreesOf(plain).toSorted())
    if (choice.model !== 'clique') expect(after.checksum).not.toBe(before.checksum)
    expect(after.report.source).toMatch(/ shuffled$/)
  })

  it('regular: no degree above the mean rounded up to even, and hardly one below', async () => {
    for (const [degree, most] of [
      [2, 2],
      [3.16, 4],
      [10, 10],
    ] as const) {
      const facts = await generated({ model: 'regular', vertices: 5000, degree })
      expect(facts.maxDegree).toBeLessThanOrEqual(most)
      expect(Math.abs(facts.meanDegree / degree - 1)).toBeLessThan(0.01)
    }
  })

  it('kout: the mean asked for, and every vertex has at least what it drew', async () => {
    const facts = await generated({ model: 'kout', vertices: 20_000, degree: 10 })
    expect(Math.abs(facts.meanDegree - 10)).toBeLessThan(0.05)
    expect(facts.maxDegree).toBeLessThan(32)
    expect(facts.report.isolatedVertices).toBe(0)
  })

  it('geometric: the mean asked for, but for the border', async () => {
    const facts = await generated({ model: 'geometric', vertices: 20_000, degree: 8 })
    expect(facts.meanDegree).toBeGreaterThan(6.8)
    expect(facts.meanDegree).toBeLessThan(8.5)
  })

  it('grids, stars and cliques have the edges that they must have', async () => {
    expect(await generated({ model: 'grid3', width: 4, height: 5, depth: 6 })).toMatchObject({
      vertices: 120,
      arcs: 2 * (3 * 5 * 6 + 4 * 4 * 6 + 4 * 5 * 5),
      maxDegree: 6,
    })
    expect(await generated({ model: 'torus3', width: 4, height: 5, depth: 6 })).toMatchObject({
      vertices: 120,
      arcs: 120 * 6,
      maxDegree: 6,
    })
    expect(await generated({ model: 'star', vertices: 900 })).toMatchObject({ arcs: 2 * 899, maxDegree: 899 })
    expect(await generated({ model: 'clique', vertices: 50 })).toMatchObject({ arcs: 50 * 49, maxDegree: 49 })
  })

  it('chains: nearly all degrees are 1 or 2', async () => {
    const folder = work.newFolder()
    await generated({ model: 'chains', vertices: 20_000, length: 100 }, { folder })
    const degrees = degreesOf(folder)
    expect(degrees.filter((degree) => degree === 1 || degree === 2).length / degrees.length).toBeGreaterThan(0.95)
    expect(Math.max(...degrees)).toBeLessThan(10)
  })

  it.each([1, 2, 3, 5, 64, 1000, 4097])('a permutation of %i numbers meets each once', (n) => {
    const order = new Permutation(n, 2 ** 40 + 3)
    const images = Array.from({ length: n }, (_, x) => order.at(x))
    expect(images.toSorted((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, x) => x))
    if (n > 64) expect(images.filter((y, x) => x === y).length).toBeLessThan(10)
  })

  it("the papers' inputs have the vertices of their tables, and at least their arcs before duplicates go", () => {
    expect(paperInputs.length).toBeGreaterThan(20)
    for (const { choice, vertices, arcs } of paperInputs) {
      const model = graphModel({ ...choice, seed: 1, folder: '' })
      expect(model.vertices).toBe(vertices)
      expect(2 * model.tuples).toBeGreaterThanOrEqual(arcs)
      expect(2 * model.tuples).toBeLessThan(1.15 * arcs)
    }
  })
})

describe('in WebAssembly, wherever a range begins', () => {
  const items = [
    [1, 0, 4096],
    [2 ** 40 + 7, 2 ** 32 - 3, 3],
    [3, 2 ** 33 + 1, 7],
    [Number.MAX_SAFE_INTEGER, 5, 2],
  ] as const

  it.each([19, 31, 1, 0])('R-MAT of scale %i draws what the words of the hash say', (scale) => {
    const [a, b, c] = rmatBounds
    const room = new TupleRoom()
    for (const [seed, first, count] of items) {
      const hash = new CounterHash(seed)
      room.rmat(hash, first, count, scale, rmatBounds)
      const expected = Array.from({ length: count }, (_, i) => {
        hash.item(first + i)
        const words = Array.from({ length: scale }, (_word, level) => hash.word(level))
        const bits = (isOne: (word: number) => boolean): number =>
          words.reduce((id, word) => 2 * id + Number(isOne(word)), 0)
        return [bits((word) => word >= b), bits((word) => (word >= a && word < b) || word >= c)]
      })
      expect(Array.from({ length: count }, (_, i) => [room.from[i], room.to[i]])).toEqual(expected)
    }
  })

  it.each([1, 3, 2 ** 16, 1_000_003, 2 ** 31 + 1, 2 ** 32 - 2])('words, and numbers below %i', (limit) => {
    const room = new TupleRoom()
    for (const [seed, first, count] of items) {
      const hash = new CounterHash(seed)
      room.words(hash, first, count, 3, room.from)
      room.below(hash, first, count, limit, 2, room.to)
      for (let i = 0; i < count; i++) {
        hash.item(first + i)
        if (room.from[i] !== hash.word(3) || room.to[i] !== hash.below(limit, 2)) expect.fail(`item ${first + i}`)
      }
    }
  })

  it.each([1, 2, 3, 17, 4096, 65_537, 2 ** 31 + 5, 2 ** 32 - 2])('a permutation of %i numbers', (n) => {
    const room = new TupleRoom()
    const order = new Permutation(n, 2 ** 40 + 9)
    const numbers = Uint32Array.from({ length: Math.min(n, 4097) }, (_, i) => n - 1 - i)
    room.from.set(numbers)
    room.permute(order, room.from, numbers.length)
    expect(room.from.subarray(0, numbers.length)).toEqual(numbers.map((x) => order.at(x)))
  })
})
