import { describe, expect, it } from 'vitest'
import type { MatchState } from '../../../workers/algorithms/ld-gpu/match-state.ts'
import type { ComputedMatching, PreparedMatch } from '../../../workers/algorithms/ld-gpu/match-workers.ts'
import { computeMatching } from '../../../workers/algorithms/ld-gpu/match-workers.ts'
import { planMatch } from '../../../workers/algorithms/ld-gpu/plan-match.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { quietJob } from '../../../workers/job.ts'
import { edgeTies } from '../../../workers/jobs.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { randomSmallGraph, smallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching } from '../../support/matching.ts'

const GRAPHS = 60

describe('a matching from disk in several threads', () => {
  it(`is that of the serial loop, in the rounds of one thread, on ${GRAPHS} random graphs, and goes on from where others stood`, async () => {
    let [pairs, resumed] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 3000)
      const onDisk = new WeightedOnDisk(graph, () => 1)
      const threshold = seed % 2 === 0 ? undefined : 0.5
      const order = { weights: 'random3', ties: edgeTies[seed % edgeTies.length]!, seed, threshold } as const
      const mates = greedyMatching(
        graph.vertices,
        edgesInOrder(graph, order, () => 1),
      )
      const one = await onDisk.match(new CpuDevice('cpu:0'), order, 1, 'none')
      const threads = 2 + (seed % 5)
      const what = `${shape}, seed ${seed}, ${order.ties}, ${threads} threads`
      const run = async (more: Partial<PreparedMatch>): Promise<ComputedMatching> => {
        const view = onDisk.view(order, 'none')
        const made = await computeMatching({ ...prepare(graph, view), threads, ...more }, quietJob)
        view.view.close()
        const found = Array.from(made.matching.mates, (mate) => (mate === 0xffffffff ? -1 : mate))
        expect(found, what).toEqual(mates)
        const arcs = one.arcs.map((_, i) => made.reports.reduce((sum, report) => sum + report.arcs[i]!, 0))
        expect(arcs, what).toEqual(one.arcs)
        for (const { open, rounds } of made.reports) {
          expect(open, what).toEqual(one.open)
          expect(rounds, what).toBe(one.rounds)
        }
        return made
      }
      const kept: MatchState[] = []
      const keep = ({ pointers, cursors, stamps, open, arcs }: MatchState): void =>
        void kept.push({ pointers: pointers.slice(), cursors: cursors.slice(), stamps: stamps?.slice(), open, arcs })
      await run({ keeper: { isDue: () => true, keep } })
      await run({ residence: 'heads' })
      const start = kept[seed % Math.max(1, kept.length)]
      const residence = seed % 2 === 0 ? 'none' : 'heads'
      if (start !== undefined) await run({ start, residence, threads: 1 + (threads % 5) })
      pairs += mates.filter((mate) => mate >= 0).length / 2
      resumed += kept.length > 0 ? 1 : 0
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(100 * GRAPHS)
    expect(resumed).toBeGreaterThan(GRAPHS / 3)
  })
})

/** A path that is matched from its end to its start, in half as many rounds as it has vertices. */
const [START, END] = [2, 1402]
/** One more vertex next to some towards its start, which come to be matched one after another, and to one that nobody else takes. */
const [HUB, LAST] = [0, 1]

describe('a matching from disk of more rounds than a byte counts', () => {
  it('has the rounds, open vertices and arcs of one in memory', async () => {
    const graph = smallGraph(END, pathAndHub())
    const onDisk = new WeightedOnDisk(graph, () => 1)
    const order = { weights: 'unit', ties: 'id', seed: 0, threshold: undefined } as const
    const whole = await onDisk.match(new CpuDevice('cpu:0'), order, 1, 'whole')
    expect(whole.rounds).toBeGreaterThan(300)
    for (const threads of [1, 3]) {
      const view = onDisk.view(order, 'none')
      const { matching, reports } = await computeMatching({ ...prepare(graph, view), threads }, quietJob)
      view.view.close()
      const [led] = reports
      expect(Array.from(matching.mates, (mate) => (mate === 0xffffffff ? -1 : mate))).toEqual(whole.mates)
      expect([led!.rounds, led!.open]).toEqual([whole.rounds, whole.open])
      expect(led!.arcs).toEqual(whole.arcs)
    }
    onDisk.remove()
  })
})

function* pathAndHub(): Generator<[number, number]> {
  for (let v = START + 1; v < END; v++) yield [v - 1, v]
  for (let v = START + 100; v < END / 2; v += 50) yield [HUB, v]
  yield [HUB, LAST]
}

function prepare(graph: SmallGraph, view: PreparedMatch['view']): PreparedMatch {
  const workers = ['cpu:0']
  const device = new CpuDevice('cpu:0')
  const size = { vertices: graph.vertices, arcs: graph.neighbours.reduce((sum, list) => sum + list.length, 0) }
  const planned = planMatch({ batches: 3 }, size, view, [device.facts])
  return { ...planned, residence: 'none', device, workers, view, traced: false, timed: false }
}
