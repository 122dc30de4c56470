import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { openLabels } from '../../../workers/graph/labels.ts'
import { Matching, NO_MATE } from '../../../workers/graph/matching.ts'
import { totalsOf } from '../../../workers/algorithms/matching-totals.ts'
import { matchingWeight } from '../../../workers/graph/scan-lists.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { edgeTies, edgeWeights, type Verdict } from '../../../workers/contract/jobs.ts'
import type { EdgeOrder } from '../../../workers/graph/edge-order.ts'
import { verifyMatching } from '../../../workers/verify/verify-matching.ts'
import { randomSmallGraph, randomStream, smallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, type WeighedEdge } from '../../support/matching.ts'

const GRAPHS = 60

/** Exact optimum of few edges by trying everything, heaviest first. */
function heaviestMatching(edges: readonly WeighedEdge[], used = new Set<number>(), from = 0): number {
  let best = 0
  for (let i = from; i < edges.length; i++) {
    const { u, v, weight } = edges[i]!
    if (used.has(u) || used.has(v)) continue
    const rest = heaviestMatching(edges, new Set([...used, u, v]), i + 1)
    if (weight + rest > best) best = weight + rest
  }
  return best
}

async function verdictOn(
  onDisk: WeightedOnDisk,
  mates: readonly number[],
  order: EdgeOrder,
  dominant: boolean,
): Promise<Verdict> {
  const graph = GaloisGr.open(join(onDisk.folder, 'graph.gr'))
  const matching = new Matching(Uint32Array.from(mates, (mate) => (mate < 0 ? NO_MATE : mate)))
  const claim = { matching, order, dominant }
  const verdict = await verifyMatching(graph, openLabels(onDisk.folder, graph.vertices), claim, quietJob)
  if (verdict.verified) {
    const weight = matchingWeight(graph, matching, order, quietJob)
    expect(weight).toBe(verdict.weight)
    const shared = await totalsOf(graph, matching, order, quietJob, 3)
    expect(shared).toEqual({ ...matching.summary(), weight })
  }
  graph.close()
  return verdict
}

describe('the verifier of matchings', () => {
  it(`passes the matching of the serial loop, and finds what is wrong with others, on ${GRAPHS} random graphs`, async () => {
    const caught = { valid: 0, 'maximal-matching': 0, 'locally-dominant': 0 }
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 120)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const [weights, ties] = [edgeWeights[Math.floor(seed / 10) % 3]!, edgeTies[Math.floor(seed / 30) % 3]!]
      const order = { weights, ties, seed: seed % 5 }
      const edges = edgesInOrder(graph, order, weightOf)
      const mates = greedyMatching(graph.vertices, edges)
      const what = `${shape}, seed ${seed}, ${weights}, ${ties}`
      const sound = await verdictOn(onDisk, mates, order, true)
      expect(sound, what).toMatchObject({ verified: true })
      const taken = edges.filter(({ u, v }) => mates[u] === v)
      const weight = taken.reduce((sum, edge) => sum + edge.weight, 0)
      expect(sound.weight).toBeCloseTo(weight, 9)
      expect(sound.upperBound).toBeGreaterThanOrEqual(weight - 1e-9)
      expect(sound.upperBound).toBeLessThanOrEqual(2 * weight + 1e-6)
      if (edges.length <= 14) expect(sound.upperBound).toBeGreaterThanOrEqual(heaviestMatching(edges) - 1e-9)
      if (taken.length === 0) {
        onDisk.remove()
        continue
      }
      const random = randomStream(seed)
      const { u, v } = taken[Math.floor(random() * taken.length)]!
      // Without a pair nobody covers its edge.
      const fewer = mates.with(u, -1).with(v, -1)
      expect(await verdictOn(onDisk, fewer, order, false), what).toMatchObject({
        verified: false,
        law: 'maximal-matching',
      })
      caught['maximal-matching']++
      const oneSided = mates.with(u, -1)
      expect(await verdictOn(onDisk, oneSided, order, true), what).toMatchObject({ verified: false, law: 'valid' })
      caught.valid++
      // The serial loop the other way round is maximal; where it differs it is not the one of the order.
      const upward = greedyMatching(graph.vertices, edges.toReversed())
      expect(await verdictOn(onDisk, upward, order, false), what).toMatchObject({ verified: true })
      if (upward.some((mate, w) => mate !== mates[w])) {
        const found = await verdictOn(onDisk, upward, order, true)
        expect(found, what).toMatchObject({ verified: false, law: 'locally-dominant' })
        caught['locally-dominant']++
      }
      onDisk.remove()
    }
    for (const count of Object.values(caught)) expect(count).toBeGreaterThan(GRAPHS / 4)
  })

  it('rounds its bound up, however little that is', async () => {
    const tiny = 3 * 2 ** -26
    const weights = new Map([
      ['0 1', tiny],
      ['1 2', 1],
      ['2 3', 1 / 4],
    ])
    const path = smallGraph(4, [
      [0, 1],
      [1, 2],
      [2, 3],
    ])
    const onDisk = new WeightedOnDisk(path, (u, v) => weights.get(`${Math.min(u, v)} ${Math.max(u, v)}`)!)
    // The price of vertex 2 is 1 - tiny, which no f32 is; the one nearest to it does not pay for the edge.
    expect(Math.fround(1 - tiny)).toBeLessThan(1 - tiny)
    const { verified, upperBound } = await verdictOn(
      onDisk,
      [-1, 2, 1, -1],
      { weights: 'column', ties: 'id', seed: 0 },
      true,
    )
    expect(verified).toBe(true)
    expect(upperBound).toBeGreaterThanOrEqual(1)
    expect(upperBound).toBeLessThan(1 + 1e-6)
    onDisk.remove()
  })

  it('bounds the least weight that there is', async () => {
    const least = 2 ** -149
    const onDisk = new WeightedOnDisk(smallGraph(2, [[0, 1]]), () => least)
    const { verified, upperBound } = await verdictOn(onDisk, [1, 0], { weights: 'column', ties: 'id', seed: 0 }, true)
    expect(verified).toBe(true)
    expect(upperBound).toBeGreaterThanOrEqual(least)
    onDisk.remove()
  })
  it('bounds no matching below its weight, where edges of the least weight are lost beside others', async () => {
    const pairs = smallGraph(
      22,
      Array.from({ length: 11 }, (_, i) => [2 * i, 2 * i + 1] as const),
    )
    const onDisk = new WeightedOnDisk(pairs, (u) => (u < 2 ? 2 ** 53 : 1))
    const mates = pairs.neighbours.map(([mate]) => mate!)
    const verdict = await verdictOn(onDisk, mates, { weights: 'column', ties: 'id', seed: 0 }, true)
    expect(verdict).toMatchObject({ verified: true, weight: 2 ** 53 + 10, upperBound: 2 ** 53 + 10 })
    onDisk.remove()
  })
})
