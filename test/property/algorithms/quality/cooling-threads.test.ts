import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { packMembers, unpackMembers } from '../../../../workers/algorithms/quality/annealing.ts'
import { CoolingThreads, coolingThreads } from '../../../../workers/algorithms/quality/cooling-threads.ts'
import type { Adjacency } from '../../../../workers/algorithms/quality/in-memory-graph.ts'
import { sharedWords } from '../../../../workers/base/words.ts'
import { randomStream, smallGraph, type SmallGraph } from '../../../support/graphs.ts'

const cores = vi.hoisted(() => ({ count: 3 }))
vi.mock('../../../../workers/algorithms/plan-request.ts', async (load) => ({
  ...(await load<typeof import('../../../../workers/algorithms/plan-request.ts')>()),
  threadsOf: () => cores.count,
}))

function drawn(seed: number): SmallGraph {
  const random = randomStream(seed)
  const vertices = 2000
  const pairs = Array.from({ length: 8000 }, () => [random(), random()].map((x) => Math.floor(vertices * x)))
  return smallGraph(vertices, pairs as [number, number][])
}

function sharedLists({ vertices, neighbours }: SmallGraph): Adjacency {
  const starts = sharedWords(vertices + 1)
  neighbours.forEach((list, v) => (starts[v + 1] = starts[v]! + list.length))
  const targets = sharedWords(starts[vertices]!)
  targets.set(neighbours.flat())
  return { vertices, starts, targets }
}

const plan = { first: 0.4, last: 0.07, sweeps: 200, leftMs: 60_000, seed: 7 }

describe('threads that cool beside the main one', () => {
  let threads: CoolingThreads
  const graph = drawn(1)
  const adjacency = sharedLists(graph)
  const lists = adjacency.targets.slice()
  const none = packMembers(new Uint8Array(graph.vertices))
  beforeEach(async () => {
    threads = new CoolingThreads(adjacency, 2)
    await vi.waitFor(() => expect(threads.areReady).toBe(true))
  })
  afterEach(() => threads.close())

  const idsOf = (bits: Uint32Array): Set<number> =>
    new Set([...unpackMembers(bits, graph.vertices).entries()].flatMap(([v, bit]) => (bit === 1 ? [v] : [])))

  it('find large sets, each its own, again and again, and leave the lists as they are', () => {
    for (let cooling = 0; cooling < 3; cooling++) {
      threads.begin(none, { ...plan, seed: cooling })
      const found = threads.end().map(idsOf)
      expect(found).toHaveLength(2)
      expect([...found[0]!]).not.toEqual([...found[1]!])
      for (const members of found) {
        const open = graph.neighbours.findIndex((list, v) => members.has(v) && list.some((u) => members.has(u)))
        expect(open).toBe(-1)
        // A maximal set by ids has about 640.
        expect(members.size).toBeGreaterThan(660)
      }
    }
    expect(adjacency.targets).toEqual(lists)
    expect(threads.end()).toEqual([])
  })

  it('end soon where the main thread does, with a set that is nearly maximal', () => {
    threads.begin(none, { ...plan, sweeps: 1e9 })
    for (const members of threads.end().map(idsOf)) expect(members.size).toBeGreaterThan(500)
  })
})

it('take no part by steps, in large graphs, and where there is one core', () => {
  const adjacency = sharedLists(drawn(2))
  expect(coolingThreads(adjacency, 1e6)).toBeUndefined()
  expect(coolingThreads({ ...adjacency, vertices: 1 << 18 }, Infinity)).toBeUndefined()
  cores.count = 1
  expect(coolingThreads(adjacency, Infinity)).toBeUndefined()
})
