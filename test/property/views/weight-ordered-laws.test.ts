import { describe, expect, it } from 'vitest'
import { NO_ENTRY } from '../../../workers/graph/oriented-view.ts'
import type { EdgeOrder } from '../../../workers/graph/views/edge-order.ts'
import { EdgeHash } from '../../../workers/graph/views/edge-hash.ts'
import { prepareWeightOrdered } from '../../../workers/graph/views/prepare-weight-ordered.ts'
import { quietJob } from '../../../workers/job.ts'
import { edgeTies, edgeWeights } from '../../../workers/jobs.ts'
import { randomSmallGraph, randomStream } from '../../support/graphs.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { Folders, addWeights, filesOfAllWays, readWholeView } from '../../support/views.ts'

const folders = new Folders()
const MASK = (1n << 64n) - 1n

/** The published definition, in plain 64-bit integers. */
function splitmix64(x: bigint): bigint {
  let z = (x + 0x9e3779b97f4a7c15n) & MASK
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK
  return z ^ (z >> 31n)
}

function edgeWord(u: number, v: number, seed: number): bigint {
  const [lo, hi] = u < v ? [u, v] : [v, u]
  return splitmix64((BigInt(lo) * 0x9e3779b97f4a7c15n + BigInt(hi) + BigInt(seed)) & MASK)
}

/** The key of an edge as design section 4 says, most significant part first; the larger comes first. */
function edgeKey(
  graph: SmallGraph,
  { weights, ties, seed }: EdgeOrder,
  u: number,
  v: number,
  weight: number,
): bigint[] {
  const s = edgeWord(u, v, seed)
  const degreeSum = graph.neighbours[u]!.length + graph.neighbours[v]!.length
  const upper = s >> 32n
  const drawn = weights === 'random3' ? 1n + (s % 1000n) : 0n
  return [
    weights === 'column' ? BigInt(Math.round(weight * 64)) : drawn,
    ...(ties === 'degree' ? [BigInt(-degreeSum)] : []),
    ...(ties === 'id' ? [] : [upper]),
    BigInt(Math.max(u, v)),
    BigInt(Math.min(u, v)),
  ]
}

function descending(a: readonly bigint[], b: readonly bigint[]): number {
  const at = a.findIndex((part, i) => part !== b[i])
  return at < 0 ? 0 : a[at]! > b[at]! ? -1 : 1
}

/** Looks at every list of the view of a graph with few different weights, so that ties decide often. Returns how many arcs it has. */
function expectOrdered(graph: SmallGraph, order: EdgeOrder): number {
  const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 5)) / 4
  const request = { ...addWeights(folders.of(graph), graph, weightOf), order }
  const prepared = prepareWeightOrdered(request, quietJob)
  const { heads, tailOffsets, tails } = readWholeView(prepared)
  prepared.view.close()
  let arcs = 0
  for (let v = 0; v < graph.vertices; v++) {
    const entries = [
      ...heads.subarray(2 * v, 2 * v + 2).filter((entry) => entry !== NO_ENTRY),
      ...tails.subarray(tailOffsets[v], tailOffsets[v + 1]),
    ]
    const wanted = graph.neighbours[v]!.map((u) => ({ u, key: edgeKey(graph, order, u, v, weightOf(u, v)) }))
      .toSorted((a, b) => descending(a.key, b.key))
      .map(({ u }) => u)
    expect(entries).toEqual(wanted)
    arcs += entries.length
  }
  return arcs
}

/** A cycle with chords: one vertex is joined to all, five to every 3rd, 4th, 6th, 20th and 70th, so that lists are of any length. */
function hubs(vertices: number): SmallGraph {
  const lists = Array.from({ length: vertices }, () => new Set<number>())
  const join = (u: number, v: number): void => {
    if (u === v) return
    lists[u]!.add(v)
    lists[v]!.add(u)
  }
  for (let v = 0; v < vertices; v++) {
    join(v, (v + 1) % vertices)
    join(7, v)
    for (const [hub, every] of [3, 4, 6, 20, 70].entries()) if (v % every === 0) join(300 * hub + 11, v)
  }
  return { vertices, neighbours: lists.map((list) => [...list].toSorted((a, b) => a - b)) }
}

describe('the weight-ordered view', () => {
  it('splitmix64 of an edge is the published one', () => {
    // The first outputs of the reference generator from the states 0 and 1234567 (prng.di.unimi.it/splitmix64.c).
    expect(splitmix64(0n)).toBe(0xe220a8397b1dcdafn)
    expect(splitmix64(1234567n)).toBe(6457827717110365317n)
    const random = randomStream(5)
    const hash = new EdgeHash(2 ** 52 + 7)
    for (let i = 0; i < 3000; i++) {
      const [u, v] = [Math.floor(random() * (2 ** 32 - 2)), Math.floor(random() * 2 ** 31)]
      const wanted = edgeWord(u, v, 2 ** 52 + 7)
      hash.of(u, v)
      expect((BigInt(hash.high) << 32n) | BigInt(hash.low)).toBe(wanted)
      expect(hash.modThousand()).toBe(Number(wanted % 1000n))
    }
  })

  const orders = edgeWeights.flatMap((weights) => edgeTies.map((ties) => ({ weights, ties })))
  it.each(orders)('lists every neighbour by descending order: $weights, $ties', ({ weights, ties }) => {
    let arcs = 0
    for (let seed = 2; seed < 30; seed++)
      arcs += expectOrdered(randomSmallGraph(seed, 250).graph, { weights, ties, seed: seed * 7919 })
    expect(arcs).toBeGreaterThan(10_000)
  })

  it.each(orders)('orders long lists too: $weights, $ties', ({ weights, ties }) => {
    const hub = hubs(2000)
    expect(expectOrdered(hub, { weights, ties, seed: 2 ** 40 + 3 })).toBeGreaterThan(10_000)
  })

  it('has the same bytes for any budget and number of threads', () => {
    const bytes = filesOfAllWays(folders, 'weight-ordered')
    expect(bytes[0]!.length).toBeGreaterThan(40_000)
    for (const other of bytes) expect(other.equals(bytes[0]!)).toBe(true)
  })
})
