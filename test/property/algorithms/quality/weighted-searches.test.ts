import { describe, expect, it, vi } from 'vitest'
import { LARGE } from '../../../../workers/algorithms/quality/annealing.ts'
import { weightedGreedySet } from '../../../../workers/algorithms/quality/greedy-set.ts'
import { WeightedSearch } from '../../../../workers/algorithms/quality/weighted-search.ts'
import { WeightedSearches, weightedThreads } from '../../../../workers/algorithms/quality/weighted-searches.ts'
import { sharedWords } from '../../../../workers/base/words.ts'
import { randomStream, smallGraph } from '../../../support/graphs.ts'
import { adjacencyOf, idsOf, isIndependent } from '../../../support/set-searches.ts'

const cores = vi.hoisted(() => ({ count: 3 }))
vi.mock('../../../../workers/algorithms/plan-request.ts', async (load) => ({
  ...(await load<typeof import('../../../../workers/algorithms/plan-request.ts')>()),
  threadsOf: () => cores.count,
}))

const vertices = 3000
const random = randomStream(4)
const draw = (): number => Math.floor(vertices * random())
const graph = smallGraph(
  vertices,
  Array.from({ length: 60_000 }, () => [draw(), draw()] as const).filter(([u, v]) => u !== v),
)
const adjacency = adjacencyOf(graph)
const weights = Float64Array.from({ length: vertices }, () => 1 + Math.floor(200 * random()))
const start = weightedGreedySet(adjacency, weights, () => {})
const byTime = { steps: Infinity, limitMs: 1e6 }
const weigh = (members: Uint8Array): number => members.reduce((sum, bit, v) => sum + bit * weights[v]!, 0)
/** Ends a search of the main thread at the same step each time. */
const looks = (most: number) => {
  let made = 0
  return () => ++made > most
}

describe('searches for a heavy set beside one another', () => {
  it('find a set that is no lighter than that of the main thread, again and again', async () => {
    const searches = new WeightedSearches(adjacency, weights, byTime)
    await vi.waitFor(() => expect(searches.isShared).toBe(true))
    const members = start.slice()
    let heavier = 0
    for (let seed = 0; seed < 6; seed++) {
      const alone = members.slice()
      new WeightedSearch(adjacency, weights).run(alone, seed << 20, { steps: Infinity, pause: looks(40) })
      searches.run(members, seed, { steps: Infinity, pause: looks(40) })
      expect(isIndependent(graph, idsOf(members))).toBe(true)
      expect(weigh(members)).toBeGreaterThanOrEqual(weigh(alone))
      expect(searches.best).toBe(weigh(members))
      if (weigh(members) > weigh(alone)) heavier++
    }
    searches.end()
    expect(heavier).toBeGreaterThan(0)
  })

  it("are the main thread's alone by steps, in large graphs, and where there is one core", () => {
    const bySteps = new WeightedSearches(adjacency, weights, { steps: 500, limitMs: Infinity })
    const [members, alone] = [start.slice(), start.slice()]
    expect(bySteps.run(members, 5, { steps: 500, pause: () => false })).toBe(500)
    new WeightedSearch(adjacency, weights).run(alone, 5, { steps: 500, pause: () => false })
    expect(members).toEqual(alone)
    const threads = { here: weightedThreads(adjacency, Infinity), bySteps: weightedThreads(adjacency, 500) }
    cores.count = 1
    const lonely = weightedThreads(adjacency, Infinity)
    cores.count = 3
    const own = weightedThreads({ ...adjacency, targets: Uint32Array.from(adjacency.targets) }, Infinity)
    const lists = { starts: sharedWords(1), targets: sharedWords(20 * LARGE) }
    const large = weightedThreads({ ...lists, vertices: LARGE }, Infinity)
    expect(weightedThreads({ ...lists, vertices: LARGE - 1 }, Infinity)).toBe(2)
    const sparse = weightedThreads(adjacencyOf(smallGraph(4, [[0, 1]])), Infinity)
    expect({ ...threads, lonely, own, large, sparse }).toEqual({
      here: 2,
      bySteps: 0,
      lonely: 0,
      own: 0,
      large: 0,
      sparse: 0,
    })
  })
})
