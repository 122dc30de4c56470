import { expect, it } from 'vitest'
import type { MatchState } from '../../../../workers/algorithms/ld-gpu/match-request.ts'
import { CpuDevice } from '../../../../workers/device/cpu-device.ts'
import type { EdgeOrder } from '../../../../workers/graph/edge-order.ts'
import { computedMatching, matesOf } from '../../../support/computed-matching.ts'
import { randomSmallGraph, randomStream } from '../../../support/graphs.ts'
import { WeightedOnDisk } from '../../../support/matching.ts'

const GRAPHS = 300

it(`lists streamed past the first device, which does the rounds, make the matching of lists in memory, on ${GRAPHS} random graphs`, async () => {
  let repeated = 0
  for (let number = 0; number < GRAPHS; number++) {
    const random = randomStream(number)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const { graph, shape } = randomSmallGraph(number, 300)
    // No plan streams nothing.
    if (graph.neighbours.every((list) => list.length === 0)) continue
    const disk = new WeightedOnDisk(graph, (u, v) => 1 + ((u * v) % 7))
    const order: EdgeOrder = {
      weights: pick(['column', 'unit', 'random3']),
      ties: pick(['hash', 'id', 'degree']),
      seed: 1,
      threshold: pick([undefined, undefined, 0.5]),
    }
    const whole = await computedMatching(disk.path, ['cpu:0'], { order })
    const roomBytes = pick([0, 64, 1 << 10, 1 << 20])
    const candidates = pick([1, 2, 4, 8])
    const batches = pick([1, 3, 20])
    const workers = ['cpu:0', 'cpu:1'].slice(0, pick([1, 1, 1, 1, 2])).map((device, worker) => ({
      device,
      gpu: worker === 0 ? ('rounds' as const) : ('scan' as const),
      batchPieces: 4,
      deviceBytes: 0,
      budgetBytes: 0,
    }))
    const changed = { keepsLists: false, roomBytes, workers }
    const how = `${shape}, graph ${number}; ${JSON.stringify({ order, candidates, batches, roomBytes, workers: workers.length })}`
    const states: MatchState[] = []
    const keep = ({ pointers, open, arcs }: MatchState): void =>
      void states.push({ pointers: pointers.slice(), open: [...open], arcs: [...arcs] })
    const checkpointer = { isDue: () => true, keep }
    const choice = { order, candidates, batches, changed }
    const streamed = await computedMatching(disk.path, [new CpuDevice('cpu:0')], { ...choice, checkpointer })
    expect(matesOf(streamed), how).toEqual(matesOf(whole))
    if (roomBytes === 1 << 20) expect(streamed.passes, how).toBeLessThanOrEqual(2)
    if (streamed.passes > 2) repeated++
    for (const start of states.slice(0, 2)) {
      const resumed = await computedMatching(disk.path, [new CpuDevice('cpu:0')], { ...choice, start })
      expect(matesOf(resumed), how).toEqual(matesOf(whole))
    }
    disk.remove()
  }
  expect(repeated).toBeGreaterThan(10)
})
