import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  componentWorks,
  shareForests,
} from '../../../../../workers/algorithms/others/connected-components/connected-components.ts'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { graphsForDevices, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 16)

describe.runIf(hasGpu)('components on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it(`are those of the processor, alone and beside it, on ${GRAPHS} random graphs`, async () => {
    let components = 0
    for (const [number, { graph, shape }] of graphsForDevices(GRAPHS, 600).entries()) {
      const { folder } = writeGraphFolder(graph)
      const workers = 1 + (number % 4)
      const share = (_: unknown, bounds: readonly number[]) => ({
        forests: shareForests(graph.vertices, bounds.length - 1),
        chunks: undefined,
      })
      const way = { workers, share, batches: 1 + (number % 2) }
      const expected = await rangesHere(folder, way, componentWorks)
      const found = await rangesHere(folder, way, componentWorks, (worker) => (worker === 0 ? gpu : undefined))
      expect(found.shared.forests[0], shape).toEqual(expected.shared.forests[0])
      components += new Set(found.shared.forests[0]).size
      rmSync(folder, { recursive: true })
    }
    expect(components).toBeGreaterThan(GRAPHS * 3)
  })
})
