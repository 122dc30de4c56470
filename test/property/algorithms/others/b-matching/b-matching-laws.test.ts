import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finishPairs } from '../../../../../workers/algorithms/others/b-matching/finish-pairs.ts'
import {
  bMatchingPrices,
  verifyBMatching,
} from '../../../../../workers/algorithms/others/b-matching/check-b-matching.ts'
import { capacitiesFrom } from '../../../../../workers/graph/capacities.ts'
import { sharePairs } from '../../../../../workers/algorithms/others/b-matching/b-matching.ts'
import { runAlgorithm } from '../../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { bytesOf } from '../../../../../workers/base/words.ts'
import type { RunArgs, RunOutcome } from '../../../../../workers/contract/jobs.ts'
import { degreesOf } from '../../../../../workers/graph/degrees.ts'
import type { EdgeOrder } from '../../../../../workers/graph/edge-order.ts'
import { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { openLabels } from '../../../../../workers/graph/labels.ts'
import { pairsOfPartners, readPairList } from '../../../../../workers/graph/pair-list.ts'
import { randomSmallGraph, randomStream, smallGraph, type SmallGraph } from '../../../../support/graphs.ts'
import { edgesInOrder, WeightedOnDisk, type WeighedEdge } from '../../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 48)

/** Few weights, so that many are alike. */
const weightOf = (u: number, v: number): number => ((Math.min(u, v) * 31 + Math.max(u, v) * 17) % 7) / 2

/** The definition: the greatest edge first, where both ends have room. */
function greedyPairs(capacities: readonly number[], edges: readonly WeighedEdge[]): [number, number][] {
  const room = [...capacities]
  const pairs = edges.flatMap(({ u, v }): [number, number][] => {
    if (room[u]! === 0 || room[v]! === 0) return []
    room[u]!--
    room[v]!--
    return [[u, v]]
  })
  return pairs.sort(([a, b], [c, d]) => a - c || b - d)
}

/** Another order for each graph, and other numbers of partners: one for all, or for each vertex from 0 to more than it has neighbours. */
function caseOf(number: number, { vertices }: SmallGraph) {
  const random = randomStream(number + 5)
  const order: EdgeOrder = {
    weights: (['column', 'unit', 'random3'] as const)[number % 3]!,
    ties: (['hash', 'id', 'degree'] as const)[Math.floor(number / 3) % 3]!,
    seed: number,
    ...(number % 5 === 4 ? { threshold: number % 3 === 2 ? 0.4 : 1 } : {}),
  }
  const same = number % 4 === 3 ? undefined : [1, 3, 40][number % 4]
  const capacities = Array.from({ length: vertices }, () => same ?? Math.floor(6 * random() ** 2))
  return { order, same, capacities }
}

/** A verified run; the pairs are in the second. */
async function pairsRun(
  place: WeightedOnDisk,
  args: Partial<RunArgs>,
): Promise<{ outcome: RunOutcome; pairs: (readonly [number, number])[] }> {
  const resultFile = join(place.folder, 'result')
  const { folder, checksum, vertices } = place
  const where = { folder, checksum, device: 'cpu:0', seed: 0, verify: true, resultFile }
  const outcome = await runAlgorithm({ ...where, algorithm: 'b-suitor', ...args } as RunArgs, quietJob)
  return { outcome, pairs: [...readPairList(resultFile, vertices, outcome.result.hash).pairs()] }
}

/** Options of a run; the column in a file where vertices differ. */
function optionsOf(place: WeightedOnDisk, { order, same, capacities }: ReturnType<typeof caseOf>): Partial<RunArgs> {
  const { threshold, ...options } = order
  const limits = threshold === undefined ? options : { ...options, threshold }
  if (same !== undefined) return { ...limits, capacity: same }
  const columnFile = join(place.folder, 'capacities.csv')
  writeFileSync(columnFile, capacities.map((capacity, v) => `${v},${capacity}\n`).join(''))
  return { ...limits, columnFile }
}

describe('a b-matching', () => {
  it(`is that of the definition, by any workers, batches and memory, on ${GRAPHS} random graphs`, async () => {
    let [long, partial] = [0, 0]
    for (let number = 0; number < GRAPHS; number++) {
      const { graph, shape } = randomSmallGraph(number, 300)
      const given = caseOf(number, graph)
      const place = new WeightedOnDisk(graph, weightOf)
      const edges = edgesInOrder(graph, given.order, weightOf)
      const expected = greedyPairs(given.capacities, edges)
      const options = optionsOf(place, given)
      const ways = [{}, { batches: 3 }, { device: 'cpu:0,cpu:1' }, { device: 'cpu:0,cpu:1,cpu:2', batches: 7 }]
      const found: RunOutcome[] = []
      for (const way of ways.slice(0, number % 2 === 0 ? 2 : 4)) {
        const { outcome, pairs } = await pairsRun(place, { ...options, ...way })
        expect(pairs, `${shape}, graph ${number}, ${JSON.stringify(way)}`).toEqual(expected)
        expect(outcome.verification, `${shape}, graph ${number}`).toMatchObject({ verified: true })
        found.push(outcome)
      }
      for (const { result, roundCounts } of found) {
        expect(result).toEqual(found[0]!.result)
        expect(roundCounts).toEqual(found[0]!.roundCounts)
      }
      const taken = new Set(expected.map(([u, v]) => `${u} ${v}`))
      const weight = edges.reduce((sum, each) => sum + (taken.has(`${each.u} ${each.v}`) ? each.weight : 0), 0)
      expect(found[0]!.result).toMatchObject({ kind: 'b-matching', pairs: expected.length })
      expect((found[0]!.result as { weight: number }).weight).toBeCloseTo(weight, 9)
      if (found[0]!.rounds > 4) long++
      if (expected.length > 0 && expected.length < edges.length) partial++
      place.remove()
    }
    expect(long).toBeGreaterThan(GRAPHS / 20)
    expect(partial).toBeGreaterThan(GRAPHS / 3)
  })

  it('has the hash of LD-GPU where each vertex has room for one', async () => {
    for (let number = 0; number < 12; number++) {
      const { graph } = randomSmallGraph(number, 300)
      const place = new WeightedOnDisk(graph, weightOf)
      const { order } = caseOf(number, graph)
      const { outcome } = await pairsRun(place, { ...order, capacity: 1 } as Partial<RunArgs>)
      const resultFile = join(place.folder, 'mates')
      const { folder, checksum } = place
      const args = { folder, checksum, device: 'cpu:0', verify: true, resultFile, algorithm: 'ld-gpu', ...order }
      const { result } = await runAlgorithm(args as RunArgs, quietJob)
      expect(outcome.result).toEqual({ ...result, kind: 'b-matching' })
      place.remove()
    }
  })

  it('weighs at least half of the best one, which is no heavier than the bound', async () => {
    let below = 0
    for (let number = 0; number < 60; number++) {
      const random = randomStream(number)
      const n = 4 + (number % 4)
      const edges = Array.from({ length: 9 }, () => [Math.floor(n * random()), Math.floor(n * random())] as const)
      const graph = smallGraph(n, edges)
      const place = new WeightedOnDisk(graph, (u, v) => 1 + ((u * 7 + v * 7 + u * v) % 5))
      const all = edgesInOrder(
        graph,
        { weights: 'column', ties: 'id', seed: 0 },
        (u, v) => 1 + ((u * 7 + v * 7 + u * v) % 5),
      )
      const best = heaviest(all, new Array<number>(n).fill(2))
      const { outcome } = await pairsRun(place, { weights: 'column', capacity: 2 })
      const { weight } = outcome.result as { weight: number }
      expect(2 * weight).toBeGreaterThanOrEqual(best)
      expect(outcome.verification!.upperBound).toBeGreaterThanOrEqual(best)
      expect(outcome.verification!.upperBound).toBeLessThanOrEqual(2 * weight)
      if (weight < best) below++
      place.remove()
    }
    expect(below).toBeGreaterThan(2)
  })

  it('of a long chain of edges that wait for each other is ended by the definition', async () => {
    const n = 3000
    // Each edge is lighter than the one before.
    const graph = smallGraph(
      n,
      Array.from({ length: n - 1 }, (_, v) => [v, v + 1] as const),
    )
    const place = new WeightedOnDisk(graph, (u, v) => n - Math.min(u, v))
    const { outcome, pairs } = await pairsRun(place, { weights: 'column', capacity: 1 })
    expect(pairs).toEqual(Array.from({ length: n / 2 }, (_, i) => [2 * i, 2 * i + 1]))
    expect(outcome.rounds).toBe(9)
    place.remove()
  })
})

/** The weight of the heaviest b-matching, by brute force. */
function heaviest(edges: readonly WeighedEdge[], room: number[], at = 0): number {
  if (at === edges.length) return 0
  const { u, v, weight } = edges[at]!
  const without = heaviest(edges, room, at + 1)
  if (room[u] === 0 || room[v] === 0) return without
  const less = room.map((left, w) => (w === u || w === v ? left - 1 : left))
  return Math.max(without, weight + heaviest(edges, less, at + 1))
}

describe('the verifier of b-matchings', () => {
  it('names an edge that is too many, no edge, or wanted by both ends, in any order', async () => {
    const laws = new Set<string>()
    for (let number = 0; number < 60; number++) {
      const { graph } = randomSmallGraph(number, 60)
      const { order, capacities } = caseOf(number, graph)
      const place = new WeightedOnDisk(graph, weightOf)
      const file = GaloisGr.inFolder(place.folder)
      const column = Float64Array.from(capacities)
      const shared = sharePairs(file, capacitiesFrom(column), order)
      const degrees = degreesOf(file)
      expect(finishPairs(file, order, shared, degrees, Infinity, quietJob)).toBe(true)
      const { words } = pairsOfPartners(shared.starts, shared.partners, shared.residual)
      const claimOf = (pairs: Uint32Array, rooms: Float64Array = column) => {
        const labels = openLabels(place.folder, graph.vertices)
        return { graph: file, labels, bytes: bytesOf(pairs), capacities: capacitiesFrom(rooms), order }
      }
      const verdictOn = (...of: Parameters<typeof claimOf>) => verifyBMatching(claimOf(...of), quietJob)
      const { verified, upperBound } = await verdictOn(words)
      expect(verified, `graph ${number}`).toBe(true)
      const prices = await bMatchingPrices(claimOf(words), quietJob)
      const rooms = prices.reduce((sum, price, v) => sum + price * column[v]!, 0)
      const rests = edgesInOrder(graph, order, weightOf).map(({ u, v, weight }) =>
        Math.max(0, weight - prices[u]! - prices[v]!),
      )
      expect(
        rests.reduce((sum, rest) => sum + rest, rooms),
        `graph ${number}`,
      ).toBeLessThanOrEqual(upperBound! + 1e-9)
      if (words.length > 0) {
        const at = 2 * (number % (words.length / 2))
        const [u] = [words[at]!]
        const less = await verdictOn(words.filter((_, i) => i !== at && i !== at + 1))
        expect(less).toMatchObject({ verified: false, law: 'locally-dominant' })
        const narrow = column.slice()
        narrow[u] = shared.starts[u + 1]! - shared.starts[u]! - shared.residual[u]! - 1
        expect(await verdictOn(words, narrow)).toMatchObject({ verified: false, law: 'valid' })
        const stranger = Array.from({ length: graph.vertices }, (_, v) => v).find(
          (v) => v > u && !graph.neighbours[u]!.includes(v),
        )
        if (stranger !== undefined) {
          const own = [
            ...new Set([...words].flatMap((_, i) => (i % 2 === 0 ? [words[i]! * 1000 + words[i + 1]!] : []))),
          ]
          const more = [...own, u * 1000 + stranger]
            .sort((a, b) => a - b)
            .flatMap((key) => [Math.floor(key / 1000), key % 1000])
          const wide = column.map((room) => room + 1)
          expect(await verdictOn(Uint32Array.from(more), wide)).toMatchObject({ verified: false, law: 'valid' })
          laws.add('stranger')
        }
        laws.add('others')
      }
      file.close()
      place.remove()
    }
    expect(laws.size).toBe(2)
  })

  it('refuses numbers of partners that are no counts, and more than one of them', async () => {
    const place = new WeightedOnDisk(smallGraph(2, [[0, 1]]), () => 1)
    const columnFile = join(place.folder, 'half.csv')
    writeFileSync(columnFile, '0,1\n1,0.5\n')
    await expect(pairsRun(place, { columnFile })).rejects.toThrow('vertex 1 may have 0.5 partners, which is no count')
    await expect(pairsRun(place, { columnFile, capacity: 2 })).rejects.toThrow('more than one number of partners')
    place.remove()
  })
})

it('keeps to its memory, and finds the same', async () => {
  let streamed = 0
  for (let number = 0; number < 12; number++) {
    const { graph } = randomSmallGraph(number, 2000)
    const place = new WeightedOnDisk(graph, weightOf)
    const { outcome } = await pairsRun(place, { weights: 'column', capacity: 2 })
    for (const share of [0.9, 0.8]) {
      const memoryBytes = Math.floor(share * outcome.plan.deviceBytes)
      try {
        const again = await pairsRun(place, { weights: 'column', capacity: 2, memoryBytes })
        expect(again.outcome.result).toEqual(outcome.result)
        if (again.outcome.plan.batches > 1) streamed++
      } catch (error) {
        expect(String(error)).toMatch(/of the device's memory/)
      }
    }
    rmSync(place.folder, { recursive: true })
  }
  expect(streamed).toBeGreaterThan(4)
})
