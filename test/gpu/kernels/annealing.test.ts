import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { annealPropose } from '../../../kernels/annealing/anneal-propose.ts'
import { annealSettle } from '../../../kernels/annealing/anneal-settle.ts'
import { LARGE, countBits } from '../../../workers/algorithms/quality/annealing.ts'
import { sweepsOf } from '../../../workers/algorithms/quality/device-annealing.ts'
import { SharedAnnealing } from '../../../workers/algorithms/quality/shared-annealing.ts'
import { bitWords } from '../../../workers/base/words.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { randomStream, smallGraph } from '../../support/graphs.ts'
import { launched, twinned } from '../../support/launched.ts'
import { adjacencyOf } from '../../support/set-searches.ts'

function drawn(vertices: number, edges: number) {
  const random = randomStream(vertices)
  const draw = (): number => Math.floor(vertices * random())
  const ends = Array.from({ length: edges }, () => [draw(), draw()] as const)
  return adjacencyOf(
    smallGraph(
      vertices,
      ends.filter(([u, v]) => u !== v),
    ),
  )
}

describe.runIf(hasGpu)('annealing by a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it('proposes and settles as by a processor, sweep after sweep, up to the last vertex', async () => {
    const vertices = 1500
    const { starts, targets } = drawn(vertices, 9000)
    const words = bitWords(vertices)
    let buffers = { starts, targets, members: new Uint32Array(words), proposing: new Uint32Array(words) }
    let joined = 0
    for (const [i, threshold] of [0, 2 ** 31, 2 ** 32 - 1, 2 ** 28, 12_345, 0].entries())
      for (const [first, past] of [
        [0, 20],
        [20, words],
      ] as const) {
        const visits = { first, past, vertices, threshold, draws: 77 * i + first }
        const proposed = twinned(annealPropose, visits, buffers)
        expect(await launched(gpu, annealPropose, 32 * (past - first), visits, buffers)).toEqual(proposed)
        buffers = proposed as typeof buffers
        joined += countBits(buffers.proposing.subarray(first, past))
        const settled = twinned(annealSettle, { first, past, low: first }, buffers)
        const found = await launched(gpu, annealSettle, 32 * (past - first), { first, past, low: first }, buffers)
        expect(found).toEqual(settled)
        buffers = settled as typeof buffers
      }
    expect(joined).toBeGreaterThan(vertices)
  })

  it('finds the set that threads find', async () => {
    const adjacency = drawn(LARGE + 33, 2 * LARGE)
    const start = new Uint32Array(bitWords(adjacency.vertices))
    const sets: Uint32Array[] = []
    for (const device of [undefined, { device: gpu, budgetBytes: 1e9 }]) {
      const sweeps = await sweepsOf(adjacency, device)
      expect(sweeps instanceof SharedAnnealing).toBe(device === undefined)
      sweeps.replace(start)
      for (const threshold of [2 ** 28, 2 ** 24, 2 ** 18])
        for (let piece = 0; piece < sweeps.pieces; piece++)
          await sweeps.sweep(piece, { threshold, draws: threshold + piece })
      sets.push(await sweeps.members())
      sweeps.end()
    }
    expect(countBits(sets[0]!)).toBeGreaterThan(LARGE / 4)
    expect(sets[1]).toEqual(sets[0])
  })
})
