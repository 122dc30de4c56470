import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { IN, xorshift } from '../../../../../kernels/distance/distance-words.ts'
import {
  distanceWorks,
  degreeWords,
  idBits,
  shareDistance,
} from '../../../../../workers/algorithms/others/distance-mis/distance-mis.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { VertexSet } from '../../../../../workers/graph/vertex-set.ts'
import { checkDistanceSet } from '../../../../../workers/algorithms/others/distance-mis/check-distance-set.ts'
import { type SmallGraph, randomSmallGraph, smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'
import { valuesRun } from '../../../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)

/** All vertices within a distance, the vertex itself among them. */
function ball({ neighbours }: SmallGraph, v: number, distance: number): Set<number> {
  const found = new Set([v])
  for (let step = 0; step < distance; step++) for (const u of [...found]) for (const w of neighbours[u]!) found.add(w)
  return found
}

/** The serial loop: the vertex of the least word joins, and those within the distance are out. */
function serial(graph: SmallGraph, words: ArrayLike<number>, distance: number): Set<number> {
  const members = new Set<number>()
  const out = new Set<number>()
  for (const v of [...graph.neighbours.keys()].sort((a, b) => words[a]! - words[b]!)) {
    if (out.has(v)) continue
    members.add(v)
    for (const u of ball(graph, v, distance)) out.add(u)
  }
  return members
}

/** Round by round as the paper has it, with words drawn by integers of any size. */
function drawn(graph: SmallGraph, distance: number, seed: number): Set<number> {
  const members = new Set<number>()
  let left = [...graph.neighbours.keys()]
  const bits = BigInt(idBits(graph.vertices))
  const hash = (v: bigint): bigint => {
    let x = v ^ (v >> 12n)
    x = BigInt.asUintN(64, x ^ (x << 25n))
    x ^= x >> 27n
    return BigInt.asUintN(32, BigInt.asUintN(64, x * 2685821657736338717n - 1n) >> 16n)
  }
  for (let round = 0n; left.length > 0; round++) {
    const draw = hash(round) ^ BigInt(Math.imul(seed, 0x9e3779b9) >>> 0)
    const words = new Map(
      left.map((v) => [v, BigInt.asUintN(32, BigInt(v + 1) | (hash(hash(BigInt(v)) ^ draw) << bits))]),
    )
    // What came within the distance of a member in the round before still has a word.
    const isNear = (v: number): boolean => [...ball(graph, v, distance)].some((u) => members.has(u))
    const isLeast = (v: number): boolean =>
      [...ball(graph, v, distance)].every((u) => u === v || !words.has(u) || words.get(u)! > words.get(v)!)
    const stay = left.filter((v) => !isNear(v))
    const joins = stay.filter(isLeast)
    left = stay.filter((v) => !joins.includes(v))
    for (const v of joins) members.add(v)
  }
  return members
}

const membersIn = (words: Uint32Array): Set<number> => new Set([...words.keys()].filter((v) => words[v] === IN))

it(`is the set of the serial loop, and of the rounds of the paper, for any workers and batches, on ${GRAPHS} random graphs`, async () => {
  let members = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 120)
    const { folder } = writeGraphFolder(graph)
    const distance = 2 + (number % 3)
    const workers = 1 + (number % 4)
    const seed = number % 5
    for (const isDrawn of [true, false]) {
      const draw = isDrawn ? { bits: idBits(graph.vertices), seed: Math.imul(seed, 0x9e3779b9) >>> 0 } : undefined
      const words = new Uint32Array(graph.vertices)
      degreeWords(
        Uint32Array.from(graph.neighbours, (list) => list.length),
        words,
      )
      const share = () => {
        const shared = shareDistance(graph.vertices, distance, { draw })
        if (!isDrawn) shared.words.set(words)
        return shared
      }
      const ways = { workers, batches: 1 + (number % 3), share }
      const { shared } = await rangesHere(folder, ways, distanceWorks)
      const expected = isDrawn ? drawn(graph, distance, seed) : serial(graph, words, distance)
      expect(membersIn(shared.words), `${number} ${shape} ${distance} ${isDrawn}`).toEqual(expected)
      members += expected.size
    }
    rmSync(folder, { recursive: true })
  }
  expect(members).toBeGreaterThan(3 * GRAPHS)
})

it.each([1, 2, 5, 14, 30, 31, 62, 63, 127, 500])(
  'orders %i vertices by degree, then by id, where no words are drawn',
  (n) => {
    const degrees = Uint32Array.from({ length: n }, (_, v) => (v * 7919) % 37)
    const words = new Uint32Array(n)
    degreeWords(degrees, words)
    const order = [...words.keys()]
    expect(order.toSorted((u, v) => words[u]! - words[v]!)).toEqual(
      order.toSorted((u, v) => degrees[u]! - degrees[v]! || u - v),
    )
  },
)

it('is verified, under any memory, and the verifier names what breaks a law', async () => {
  for (let number = 0; number < 40; number++) {
    const { graph, shape } = randomSmallGraph(500 + number, 300)
    const place = writeGraphFolder(graph)
    const run = { algorithm: 'distance-mis', distance: 2 + (number % 2), priority: 'random', seed: number } as const
    const { outcome, values } = await valuesRun(place, graph.vertices, { ...run, partitions: 1 + (number % 2) })
    expect(outcome.verification, shape).toMatchObject({ verified: true })
    const file = GaloisGr.inFolder(place.folder)
    const witness = (members: Iterable<number>) => {
      const set = new VertexSet(graph.vertices)
      for (const v of members) set.add(v)
      return checkDistanceSet(file, set, run.distance, quietJob)
    }
    expect(witness(values)).toBeUndefined()
    const [first] = values
    if (first !== undefined) {
      const missing = witness([...values].slice(1))
      expect(missing?.sentence(['a'])).toBe(`not maximal: vertex a has no member within ${run.distance} edges`)
      expect(ball(graph, missing!.vertices[0]!, run.distance).has(first)).toBe(true)
      // One of the nearest, and one of the farthest.
      const beside = [...ball(graph, first, run.distance)].slice(1)
      for (const near of new Set([...beside.slice(0, 1), ...beside.slice(-1)])) {
        const close = witness([...values, near])
        expect(close?.sentence(['a', 'b'])).toBe(
          `not independent: vertices a and b are within ${run.distance} edges and both in the set`,
        )
        const [u, v] = close!.vertices as [number, number]
        expect(ball(graph, u, run.distance).has(v)).toBe(true)
        expect(u).not.toBe(v)
      }
    }
    file.close()
    rmSync(place.folder, { recursive: true })
  }
})

it('draws the words of xorshift* of 64 bits', () => {
  // From the definition with big integers.
  const known = [0, 1, 2, 3, 1000, 0xffffffff, 0x80000000].map((v) => {
    let x = BigInt(v)
    x ^= x >> 12n
    x = BigInt.asUintN(64, x ^ (x << 25n))
    x ^= x >> 27n
    return Number(BigInt.asUintN(32, BigInt.asUintN(64, x * 0x2545f4914f6cdd1dn - 1n) >> 16n))
  })
  expect([0, 1, 2, 3, 1000, 0xffffffff, 0x80000000].map(xorshift)).toEqual(known)
})

it('on a path takes every third vertex at the most, and on a star one', async () => {
  //  0 - 1 - 2 - 3 - 4 - 5 - 6
  const path = smallGraph(
    7,
    Array.from({ length: 6 }, (_, v) => [v, v + 1] as const),
  )
  const star = smallGraph(
    9,
    Array.from({ length: 8 }, (_, v) => [0, v + 1] as const),
  )
  for (const [graph, most] of [
    [path, 3],
    [star, 1],
  ] as const) {
    const place = writeGraphFolder(graph)
    const { values } = await valuesRun(place, graph.vertices, {
      algorithm: 'distance-mis',
      distance: 2,
      priority: 'random',
    })
    expect(values.length).toBeGreaterThan(0)
    expect(values.length).toBeLessThanOrEqual(most)
    rmSync(place.folder, { recursive: true })
  }
})
