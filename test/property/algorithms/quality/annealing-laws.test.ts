import { describe, expect, it } from 'vitest'
import { hardGraph } from '../../../../bench/hard-graphs.mjs'
import {
  type AnnealingTime,
  type KeptCooling,
  AnnealedSearch,
} from '../../../../workers/algorithms/quality/annealed-search.ts'
import {
  LARGE,
  joinFree,
  packMembers,
  unpackMembers,
  countBits,
} from '../../../../workers/algorithms/quality/annealing.ts'
import { joinAllFree } from '../../../../workers/algorithms/quality/free-vertices.ts'
import { type AnnealingDevice, sweepsOf } from '../../../../workers/algorithms/quality/device-annealing.ts'
import { SharedAnnealing } from '../../../../workers/algorithms/quality/shared-annealing.ts'
import { Failure } from '../../../../workers/base/failure.ts'
import type { DeviceBuffer } from '../../../../workers/device/device.ts'
import { shareMachine } from '../../../../workers/base/host-resources.ts'
import { SetSearch } from '../../../../workers/algorithms/quality/set-search.ts'
import type { Adjacency } from '../../../../workers/algorithms/quality/in-memory-graph.ts'
import { ConflictSearches } from '../../../../workers/algorithms/quality/conflict-searches.ts'
import {
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  type SmallGraph,
  smallGraph,
} from '../../../support/graphs.ts'
import { adjacencyOf, graphOf, idsOf, membersOf } from '../../../support/set-searches.ts'
import { TwinDevice } from '../../../support/twin-device.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 32)
const never = (): boolean => false

/** Ends drawn at random, and a lattice of triangles with holes. */
function drawn(vertices: number, edges: number): SmallGraph {
  const random = randomStream(5)
  const draw = (): number => Math.floor(vertices * random())
  return smallGraph(
    vertices,
    Array.from({ length: edges }, () => [draw(), draw()] as const).filter(([u, v]) => u !== v),
  )
}

function mesh(side: number): SmallGraph {
  const random = randomStream(3)
  const isThere = Array.from({ length: side * side }, () => random() > 0.1)
  const edges: [number, number][] = []
  for (let v = 0; v < side * side; v++)
    for (const [right, down] of [
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const u = v + right + side * down
      if ((v % side) + right < side && u < side * side && isThere[v] && isThere[u]) edges.push([v, u])
    }
  return smallGraph(side * side, edges)
}

const greedyOf = (graph: SmallGraph): Set<number> => greedySet(graph, [...graph.neighbours.keys()])

/** A search: its graph, its length, and the place where another attempt left it. */
async function searchOf(
  adjacency: Adjacency,
  time: AnnealingTime,
  { kept, gpu }: { readonly kept?: KeptCooling; readonly gpu?: AnnealingDevice | undefined } = {},
) {
  return new AnnealedSearch(adjacency, await sweepsOf(adjacency, gpu), time, 'never', kept)
}

const inSteps = (steps: number) => ({ steps, share: () => 0, leftMs: () => Infinity })

async function annealed(
  graph: SmallGraph,
  steps: number,
  seed = 1,
  adjacency = adjacencyOf(graph),
): Promise<Set<number>> {
  const members = membersOf(graph, greedyOf(graph))
  const search = await searchOf(adjacency, inSteps(steps))
  await search.run(members, seed, { steps, pause: never })
  search.writeBest(members)
  expect(search.best).toBe(idsOf(members).size)
  return idsOf(members)
}

describe('annealing', () => {
  it(`leaves ${GRAPHS} random sets independent, maximal and no smaller, the same each time, and lists with the same neighbours`, async () => {
    let grown = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 130)
      const start = greedyOf(graph)
      const adjacency = adjacencyOf(graph)
      const first = await annealed(graph, 40, seed, adjacency)
      expect(isMaximalIndependent(graph, first), `${shape}, seed ${seed}`).toBe(true)
      // The order of the lists is another one by now.
      expect(await annealed(graph, 40, seed, adjacency), `${shape}, seed ${seed}`).toEqual(first)
      expect(graphOf(adjacency).neighbours.map((list) => list.toSorted((u, v) => u - v))).toEqual(graph.neighbours)
      expect(first.size).toBeGreaterThanOrEqual(start.size)
      if (first.size > start.size) grown++
    }
    expect(grown).toBeGreaterThan(GRAPHS / 5)
  })

  it('comes closer to the best than searches of conflicts in as many steps: ends drawn at random, meshes', async () => {
    for (const graph of [drawn(3000, 24_000), mesh(60)]) {
      const steps = graph.vertices
      const members = membersOf(graph, greedyOf(graph))
      new ConflictSearches(adjacencyOf(graph), steps).run(members, 1, { steps, pause: never })
      const best = await annealed(graph, steps)
      expect(isMaximalIndependent(graph, best)).toBe(true)
      expect(best.size).toBeGreaterThan(idsOf(members).size)
    }
  })

  it('gives up where a round of coolings gains nothing, if it may, and never before', async () => {
    const { vertices, edges } = hardGraph('frb20-1')
    const graph = smallGraph(vertices, edges)
    const steps = 1200
    for (const givesUp of ['never', 'where the trial gains nothing', 'where a round gains nothing'] as const) {
      const members = membersOf(graph, greedyOf(graph))
      const adjacency = adjacencyOf(graph)
      const search = new AnnealedSearch(adjacency, await sweepsOf(adjacency, undefined), inSteps(steps), givesUp)
      const made = await search.run(members, 1, { steps, pause: never })
      expect(search.isFutile, givesUp).toBe(givesUp === 'where a round gains nothing')
      expect(made < steps, givesUp).toBe(search.isFutile)
      expect(search.best).toBeGreaterThan(greedyOf(graph).size)
    }
  })

  it('goes on from what was kept at any moment as if it had not been interrupted', async () => {
    const graph = drawn(600, 4000)
    const [steps, epoch] = [4000, 90]
    // Epochs end in the quick cooling, in the first and in later ones.
    const whole = await searchOf(adjacencyOf(graph), inSteps(steps))
    const members = membersOf(graph, greedyOf(graph))
    let parts = await searchOf(adjacencyOf(graph), inSteps(steps))
    const others = members.slice()
    let [made, again] = [0, 0]
    for (let seed = 0; made < steps; seed++) {
      made += await whole.run(members, seed, { steps: epoch, pause: never })
      again += await parts.run(others, seed, { steps: epoch, pause: never })
      whole.writeBest(members)
      parts.writeBest(others)
      expect(others).toEqual(members)
      expect(await parts.kept()).toEqual(await whole.kept())
      const kept = { ...(await parts.kept()), best: packMembers(others) }
      parts = await searchOf(adjacencyOf(graph), inSteps(steps), { kept })
    }
    expect([made, again]).toEqual([steps, steps])
    expect((await whole.kept()).coolings).toBeGreaterThan(10)
  })

  it('ends where it is told, cooled, with the larger set of the first and the last', async () => {
    const graph = drawn(3000, 24_000)
    const start = await annealed(graph, 3000)
    const greedy = greedyOf(graph)
    for (const from of [start, greedy])
      for (const looks of [1, 2, 40, 2000]) {
        const members = membersOf(graph, from)
        let left = looks
        const search = await searchOf(adjacencyOf(graph), inSteps(1e6))
        const made = await search.run(members, 2, { steps: 1e6, pause: () => --left === 0 })
        search.writeBest(members)
        expect(made).toBeLessThan(1e6)
        expect(isMaximalIndependent(graph, idsOf(members))).toBe(true)
        expect(idsOf(members).size).toBeGreaterThanOrEqual(from.size)
        // A few sweeps are better than none.
        if (from === greedy) expect(idsOf(members).size).toBeGreaterThan(1.02 * greedy.size)
      }
  })

  it('has a larger set while it cools, independent and maximal, that later calls begin from', async () => {
    const graph = drawn(3000, 24_000)
    const members = membersOf(graph, greedyOf(graph))
    const search = await searchOf(adjacencyOf(graph), inSteps(1e6))
    const sizes: number[] = []
    // 4,096 sweeps are 12,000 steps.
    for (let made = 0; made < 11_000;) {
      made += await search.run(members, made, { steps: 500, pause: never })
      search.writeBest(members)
      expect(isMaximalIndependent(graph, idsOf(members))).toBe(true)
      expect(search.best).toBe(idsOf(members).size)
      sizes.push(search.best)
    }
    expect((await search.kept()).coolings).toBe(1)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(sizes).size).toBeGreaterThan(5)
  })

  it('cools by its time where it has no steps', async () => {
    const graph = drawn(3000, 24_000)
    const members = membersOf(graph, greedyOf(graph))
    let looks = 0
    const search = await searchOf(adjacencyOf(graph), { steps: Infinity, share: () => looks / 100, leftMs: () => 1000 })
    await search.run(members, 1, { steps: Infinity, pause: () => ++looks === 100 })
    search.writeBest(members)
    expect((await search.kept()).coolings).toBe(2)
    expect(idsOf(members).size).toBeGreaterThan(1.1 * greedyOf(graph).size)
  })

  it('has nothing to do where there is no vertex, or all are members', async () => {
    for (const vertices of [0, 1, 32, 33]) expect((await annealed(smallGraph(vertices, []), 1e9)).size).toBe(vertices)
  })
})

/** A device that has no memory for the lists. */
class FullDevice extends TwinDevice {
  readonly labels: string[] = []
  readonly held = new Set<DeviceBuffer>()

  override async allocate(label: string, words: number) {
    if (label === 'targets') throw new Failure({ code: 'device', what: 'no memory', remedy: '' })
    const buffer = await super.allocate(label, words)
    this.labels.push(label)
    this.held.add(buffer)
    return buffer
  }

  override release(buffer: DeviceBuffer): void {
    this.held.delete(buffer)
    super.release(buffer)
  }
}

describe('annealing of a large graph', () => {
  it('finds the same set by any number of threads, by a GPU, and resumed', async () => {
    const vertices = LARGE + 77
    const random = randomStream(9)
    const graph = smallGraph(
      vertices,
      Array.from({ length: 3 * vertices }, (_, i) => [i % vertices, Math.floor(vertices * random())] as const).filter(
        ([u, v]) => u !== v,
      ),
    )
    const start = membersOf(graph, greedyOf(graph))
    const steps = 12_000
    const device = new TwinDevice('gpu:0')
    const ways = [{ sharers: 1 }, { sharers: 64, resumes: true }, { sharers: 64, gpu: { device, budgetBytes: 1e9 } }]
    const sets: Uint8Array[] = []
    for (const { sharers, resumes, gpu } of ways) {
      shareMachine(sharers)
      const members = start.slice()
      let search = await searchOf(adjacencyOf(graph), inSteps(steps), { gpu })
      for (let seed = 0, made = 0; made < steps; seed++) {
        made += await search.run(members, seed, { steps: 5000, pause: never })
        search.writeBest(members)
        if (resumes !== true) continue
        const kept = { ...(await search.kept()), best: packMembers(members) }
        search.end()
        search = await searchOf(adjacencyOf(graph), inSteps(steps), { kept })
      }
      search.end()
      sets.push(members)
    }
    shareMachine(1)
    expect(sets[1]).toEqual(sets[0])
    expect(sets[2]).toEqual(sets[0])
    const bits = packMembers(sets[0]!)
    const holed = bits.slice().fill(0, 0, bits.length / 2)
    const alone = holed.slice()
    const joined = joinFree(adjacencyOf(graph), alone)
    expect(joined).toBeGreaterThan(vertices / 10)
    expect(joinAllFree(adjacencyOf(graph), holed)).toBe(joined)
    expect(holed).toEqual(alone)
    joinFree(adjacencyOf(graph), bits)
    const set = idsOf(unpackMembers(bits, vertices))
    expect(isMaximalIndependent(graph, set)).toBe(true)
    expect(set.size - countBits(packMembers(sets[0]!))).toBeLessThan(vertices / 1000)
    expect(set.size).toBeGreaterThan(1.1 * idsOf(start).size)
  })

  it('is left to threads where a GPU has not the memory', async () => {
    const adjacency = adjacencyOf(smallGraph(LARGE, []))
    const device = new TwinDevice('gpu:0')
    expect(await sweepsOf(adjacency, { device, budgetBytes: 1e5 })).toBeInstanceOf(SharedAnnealing)
    const full = new FullDevice('gpu:0')
    expect(await sweepsOf(adjacency, { device: full, budgetBytes: 1e9 })).toBeInstanceOf(SharedAnnealing)
    expect([...full.labels]).toEqual(['starts', 'members', 'proposing'])
    expect(full.held.size).toBe(0)
    expect(await sweepsOf(adjacency, { device, budgetBytes: 1e9 })).not.toBeInstanceOf(SharedAnnealing)
  })
})

describe('a search of long lists', () => {
  it('leaves the place to searches of conflicts where a quick annealing finds nothing, the same each time', async () => {
    // Points on a circle, each adjacent to the 20 before and behind it: the start is a largest set.
    const vertices = 2100
    const edges = Array.from(
      { length: 20 * vertices },
      (_, i) => [i % vertices, (i + 1 + Math.floor(i / vertices)) % vertices] as const,
    )
    const circle = smallGraph(vertices, edges)
    const sets: Set<number>[] = []
    for (const adjacency of [adjacencyOf(circle), adjacencyOf(circle)]) {
      const members = membersOf(circle, greedyOf(circle))
      const search = new SetSearch(adjacency, await sweepsOf(adjacency), inSteps(3000))
      // The quick cooling.
      expect(search.epochSteps).toBe(Math.ceil((32 * vertices) / 1024))
      expect(await search.run(members, 1, { steps: 3000, pause: never })).toBe(3000)
      search.writeBest(members)
      expect(search.epochSteps).toBe(2 ** 20)
      expect(search.best).toBe(idsOf(members).size)
      expect(isMaximalIndependent(circle, idsOf(members))).toBe(true)
      sets.push(idsOf(members))
    }
    expect(sets[0]).toEqual(sets[1])
    expect(sets[0]!.size).toBe(100)
  })
})
