import { describe, expect, it } from 'vitest'
import { countBits, mergeSets, packMembers, unpackMembers } from '../../../../workers/algorithms/quality/annealing.ts'
import { greedySet, randomSmallGraph, randomStream } from '../../../support/graphs.ts'
import { adjacencyOf, idsOf, membersOf } from '../../../support/set-searches.ts'

const GRAPHS = 60

describe('merged sets', () => {
  it(`of ${GRAPHS} random graphs are independent, and have the larger part of two in each place where these differ`, async () => {
    let larger = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 130)
      const random = randomStream(seed)
      const drawnSet = () =>
        greedySet(
          graph,
          [...graph.neighbours.keys()].toSorted(() => random() - 0.5),
        )
      const [a, b] = [drawnSet(), drawnSet()]
      const merged = packMembers(membersOf(graph, a))
      mergeSets(adjacencyOf(graph), merged, packMembers(membersOf(graph, b)))
      const set = idsOf(unpackMembers(merged, graph.vertices))
      expect(countBits(merged)).toBe(set.size)
      const what = `${shape}, seed ${seed}`
      for (const v of set) for (const u of graph.neighbours[v]!) expect(set.has(u), what).toBe(false)
      expect(set.size, what).toBeGreaterThanOrEqual(Math.max(a.size, b.size))
      for (const v of graph.neighbours.keys()) if (a.has(v) === b.has(v)) expect(set.has(v), what).toBe(a.has(v))
      if (set.size > Math.max(a.size, b.size)) larger++
      // The other way round it is as large: only ties differ.
      const other = packMembers(membersOf(graph, b))
      mergeSets(adjacencyOf(graph), other, packMembers(membersOf(graph, a)))
      expect(countBits(other), what).toBe(set.size)
    }
    expect(larger).toBeGreaterThan(GRAPHS / 10)
  })

  it('have the heavier part, where vertices have weights', () => {
    let heavier = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 130)
      const random = randomStream(seed)
      const weights = Float64Array.from(graph.neighbours, () => Math.floor(100 * random()))
      const drawnSet = () =>
        greedySet(
          graph,
          [...graph.neighbours.keys()].toSorted(() => random() - 0.5),
        )
      const weigh = (set: Iterable<number>): number => [...set].reduce((sum, v) => sum + weights[v]!, 0)
      const [a, b] = [drawnSet(), drawnSet()]
      const merged = packMembers(membersOf(graph, a))
      mergeSets(adjacencyOf(graph), merged, packMembers(membersOf(graph, b)), weights)
      const set = idsOf(unpackMembers(merged, graph.vertices))
      const what = `${shape}, seed ${seed}`
      for (const v of set) for (const u of graph.neighbours[v]!) expect(set.has(u), what).toBe(false)
      expect(weigh(set), what).toBeGreaterThanOrEqual(Math.max(weigh(a), weigh(b)))
      if (weigh(set) > Math.max(weigh(a), weigh(b))) heavier++
    }
    expect(heavier).toBeGreaterThan(GRAPHS / 10)
  })
})
