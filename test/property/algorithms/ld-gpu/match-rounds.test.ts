import { expect, it } from 'vitest'
import type { MatchState } from '../../../../workers/algorithms/computed-matching.ts'
import type { EdgeOrder } from '../../../../workers/graph/edge-order.ts'
import { type Progress, quietJob } from '../../../../workers/base/job.ts'
import { computedMatching, matesOf } from '../../../support/computed-matching.ts'
import { randomSmallGraph, randomStream } from '../../../support/graphs.ts'
import { WeightedOnDisk } from '../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)

const copyOf = ({ pointers, open, arcs }: MatchState): MatchState => ({
  pointers: pointers.slice(),
  open: [...open],
  arcs: [...arcs],
})

it(`a matching goes on behind every round that was kept, in memory or not, on ${GRAPHS} random graphs`, async () => {
  let kept = 0
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
    const checkpointer = { isDue: () => true, keep: (state: MatchState) => void states.push(copyOf(state)) }
    const whole = await computedMatching(disk.path, ['cpu:0'], { order, checkpointer })
    const step = Math.max(1, Math.floor(states.length / 4))
    for (let i = 0; i < states.length; i += step) {
      const keepsLists = pick([true, false])
      const changed = keepsLists ? {} : { keepsLists, roomBytes: pick([64, 1 << 20]) }
      const how = `${shape}, graph ${number}; after state ${i}, ${JSON.stringify(changed)}`
      const resumed = await computedMatching(disk.path, ['cpu:0'], { order, start: states[i]!, changed })
      expect(matesOf(resumed), how).toEqual(matesOf(whole))
      if (keepsLists) expect(resumed.open, how).toEqual(whole.open)
      kept++
    }
    disk.remove()
  }
  expect(kept).toBeGreaterThan(GRAPHS)
})

it('a cancel is heard between rounds of many vertices each', async () => {
  const [paths, length] = [4000, 200]
  const neighbours = Array.from({ length: paths * length }, (_, v) =>
    [v - 1, v + 1].filter((u) => u >= 0 && Math.floor(u / length) === Math.floor(v / length)),
  )
  const disk = new WeightedOnDisk({ vertices: neighbours.length, neighbours }, () => 1)
  // In each round the last two vertices of every path match.
  const order = { weights: 'unit', ties: 'id', seed: 0, threshold: undefined } as const
  const signal = { aborted: false }
  let rounds = 0
  const progress = ({ round }: Progress): void => {
    if (round !== undefined) rounds = round
    if (rounds === 30) signal.aborted = true
  }
  const job = { ...quietJob, signal, progress }
  await expect(computedMatching(disk.path, ['cpu:0'], { order }, job)).rejects.toMatchObject({ code: 'cancelled' })
  expect(rounds).toBeGreaterThanOrEqual(30)
  expect(rounds).toBeLessThan(60)
  disk.remove()
})
