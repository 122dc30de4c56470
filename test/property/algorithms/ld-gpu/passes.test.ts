import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { MatchState } from '../../../../workers/algorithms/computed-matching.ts'
import { SumsBuilder, finishSums } from '../../../../workers/base/sums.ts'
import { CpuDevice } from '../../../../workers/device/cpu-device.ts'
import type { EdgeOrder } from '../../../../workers/graph/edge-order.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { computedMatching, matesOf } from '../../../support/computed-matching.ts'
import { randomSmallGraph, randomStream } from '../../../support/graphs.ts'
import { WeightedOnDisk } from '../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)

/** Leaves others the time to take batches. */
class SlowDevice extends CpuDevice {
  override async upload(...[buffer, bytes, read, first]: Parameters<CpuDevice['upload']>): Promise<void> {
    await pause(16)
    await super.upload(buffer, bytes, read, first)
  }
}

/** As of GPUs: the first does rounds. */
const workersOf = (count: number) =>
  Array.from({ length: count }, (_, worker) => ({
    device: `cpu:${worker}`,
    gpu: worker === 0 ? ('rounds' as const) : ('scan' as const),
    batchPieces: 2,
    deviceBytes: 0,
    budgetBytes: 0,
  }))

it(`lists streamed past a device that does the rounds make the matching of lists in memory, on ${GRAPHS} random graphs`, async () => {
  let [repeated, published] = [0, 0]
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
    const workers = workersOf(pick([1, 1, 1, 2, 3]))
    const choice = { order, candidates: pick([1, 2, 4, 8]), batches: pick([1, 3, 20]) }
    const how = `${shape}, graph ${number}; ${JSON.stringify({ ...choice, roomBytes, workers: workers.length })}`
    const states: MatchState[] = []
    const keep = ({ pointers, open, arcs }: MatchState): void =>
      void states.push({ pointers: pointers.slice(), open: [...open], arcs: [...arcs] })
    const changed = { keepsLists: false, roomBytes, workers }
    const lead = workers.length === 1 ? new CpuDevice('cpu:0') : new SlowDevice('cpu:0')
    const checkpointer = { isDue: () => true, keep }
    const streamed = await computedMatching(disk.path, [lead], { ...choice, changed, checkpointer })
    expect(matesOf(streamed), how).toEqual(matesOf(whole))
    if (roomBytes === 1 << 20) expect(streamed.passes, how).toBeLessThanOrEqual(2)
    if (streamed.passes > 2) repeated++
    published += streamed.workers.slice(1).filter(({ exchanged }) => exchanged > 0).length
    for (const start of states.slice(0, 2)) {
      const resumed = await computedMatching(disk.path, [lead], { ...choice, changed, start })
      expect(matesOf(resumed), how).toEqual(matesOf(whole))
    }
    disk.remove()
  }
  expect(repeated).toBeGreaterThan(10)
  expect(published).toBeGreaterThan(10)
})

/** Their lists are longer than a piece. */
function hubsOnDisk(hubs: number, leaves: number): WeightedOnDisk {
  const ofHub = Array.from({ length: leaves }, (_, leaf) => hubs + leaf)
  const ofLeaf = Array.from({ length: hubs }, (_, hub) => hub)
  const neighbours = Array.from({ length: hubs + leaves }, (_, v) => (v < hubs ? ofHub : ofLeaf))
  return new WeightedOnDisk({ vertices: hubs + leaves, neighbours }, () => 1)
}

it('lists longer than a batch are scanned and collected, too', async () => {
  const [disk, candidates] = [hubsOnDisk(3, 530_000), 2]
  // Hubs want the same leaves: the last ones have none of their candidates left.
  const order = { weights: 'unit', ties: 'id', seed: 0, threshold: undefined } as const
  const whole = await computedMatching(disk.path, ['cpu:0'], { order })
  for (const count of [1, 2]) {
    const workers = workersOf(count).map((worker) => ({ ...worker, batchPieces: 1 }))
    const changed = { keepsLists: false, roomBytes: 1 << 26, workers }
    const streamed = await computedMatching(disk.path, [new CpuDevice('cpu:0')], { order, candidates, changed })
    expect(streamed.matching.summary()).toEqual(whole.matching.summary())
    expect(streamed.passes).toBe(2)
  }
  disk.remove()
})

it.each([
  ['targets', 'unit'],
  ['weights', 'column'],
] as const)('damaged %s of a list are found, also in pieces that no other list begins in', async (what, weights) => {
  const disk = hubsOnDisk(2, 530_000)
  const order = { weights, ties: 'id', seed: 0, threshold: undefined } as const
  const changed = { keepsLists: false, roomBytes: 1 << 26, threads: 1 }
  finishSums(disk.path, new SumsBuilder())
  const graph = GaloisGr.open(disk.path)
  const { targetsAt } = graph.file
  const at = (what === 'targets' ? targetsAt : graph.file.weights!.at) + 4 * 400_000
  graph.close()
  const bytes = readFileSync(disk.path)
  writeFileSync(disk.path, bytes.with(at, bytes[at]! ^ 1))
  for (const workers of [undefined, workersOf(1)].map((each) => each?.map((one) => ({ ...one, batchPieces: 1 }))))
    await expect(
      computedMatching(disk.path, [new CpuDevice('cpu:0')], {
        order,
        changed: { ...changed, ...(workers && { workers }) },
      }).then(({ passes }) => passes),
      `${workers?.[0]?.gpu}`,
    ).rejects.toMatchObject({ code: 'input', where: disk.path })
  disk.remove()
})
