import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coreWorks, shareCores } from '../../../../../workers/algorithms/others/k-core/k-core.ts'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { degreesOf } from '../../../../../workers/graph/degrees.ts'
import type { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { graphsForDevices, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 16)

describe.runIf(hasGpu)('core numbers on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it(`are those of the processor, in as many sweeps, alone and beside it, on ${GRAPHS} random graphs`, async () => {
    let highest = 0
    for (const [number, { graph, shape }] of graphsForDevices(GRAPHS, 600).entries()) {
      const { folder } = writeGraphFolder(graph)
      const share = (file: GaloisGr, bounds: readonly number[]) => {
        const shared = shareCores(graph.vertices, bounds)
        shared.cores.set(degreesOf(file))
        return shared
      }
      const way = { workers: 1 + (number % 4), share, batches: 1 + (number % 2) }
      const expected = await rangesHere(folder, way, coreWorks)
      const found = await rangesHere(folder, way, coreWorks, (worker) => (worker === 0 ? gpu : undefined))
      expect(found.shared.cores, shape).toEqual(expected.shared.cores)
      expect(found.outcome, shape).toEqual(expected.outcome)
      highest = Math.max(highest, ...found.shared.cores)
      rmSync(folder, { recursive: true })
    }
    expect(highest).toBeGreaterThan(8)
  })
})
