import { expect, it } from 'vitest'
import type { MatchState } from '../../../workers/algorithms/ld-gpu/match-state.ts'
import { residences } from '../../../workers/algorithms/ld-gpu/plan-match.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import type { EdgeOrder } from '../../../workers/graph/views/edge-order.ts'
import { randomSmallGraph, randomStream } from '../../support/graphs.ts'
import { WeightedOnDisk } from '../../support/matching.ts'

const GRAPHS = 200
const device = new CpuDevice('cpu:0')

const copyOf = ({ pointers, cursors, stamps, open, arcs }: MatchState): MatchState => ({
  pointers: pointers.slice(),
  cursors: cursors.slice(),
  stamps: stamps?.slice(),
  open: [...open],
  arcs: [...arcs],
})

it(`a matching goes on behind every round or level, with any workers, on ${GRAPHS} random graphs`, async () => {
  let [kept, moved] = [0, 0]
  for (let number = 0; number < GRAPHS; number++) {
    const random = randomStream(number)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const { graph, shape } = randomSmallGraph(number, 300)
    const disk = new WeightedOnDisk(graph, (u, v) => 1 + ((u * v) % 7))
    const order: EdgeOrder = {
      weights: pick(['column', 'unit', 'random3']),
      ties: pick(['hash', 'id', 'degree']),
      seed: 1,
      threshold: pick([undefined, undefined, 0.5]),
    }
    const states: MatchState[] = []
    const keeper = { isDue: () => true, keep: (state: MatchState) => void states.push(copyOf(state)) }
    const [workers, kind] = [pick([1, 2, 3]), pick(residences)]
    const place = `${shape}, graph ${number}, ${workers} workers, ${kind}`
    const whole = await disk.match(device, order, pick([1, 4, 9]), kind, workers, { keeper })
    // A worker that is alone and has all entries looks up after eight rounds.
    if (whole.rounds > 0 && workers > 1 && kind === 'whole')
      expect(
        states.map(({ open }) => open.length),
        place,
      ).toEqual(Array.from({ length: whole.rounds - 1 }, (_, i) => i + 2))
    const step = Math.max(1, Math.floor(states.length / 8))
    for (let i = 0; i < states.length; i += step) {
      const others = pick([1, 2, 4])
      const how = `${place}; after state ${i} ${others} workers`
      const resumed = await disk.match(device, order, pick([1, 5]), kind, others, { start: states[i]! })
      expect(resumed.hash, how).toBe(whole.hash)
      expect(resumed.mates, how).toEqual(whole.mates)
      expect(resumed.open, how).toEqual(whole.open)
      expect(resumed.allArcs, how).toEqual(whole.allArcs)
      expect(Math.min(0, ...resumed.exchangedOfRounds), how).toBe(0)
      kept++
      if (others !== workers) moved++
    }
    disk.remove()
  }
  expect(kept).toBeGreaterThan(GRAPHS)
  expect(moved).toBeGreaterThan(GRAPHS / 2)
})
