import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { graphsForDevices, writeGraphFolder } from '../../../../support/graphs.ts'
import { searchHere } from '../../../../support/searches.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 12)
const grids = [
  [1, 1],
  [1, 3],
  [2, 1],
  [2, 2],
] as const

describe.runIf(hasGpu)('a search on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it(`finds the levels, parents and totals of the processor, alone and beside it, on ${GRAPHS} random graphs`, async () => {
    let reached = 0
    for (const [number, { graph, shape }] of graphsForDevices(GRAPHS, 600).entries()) {
      if (graph.vertices === 0) continue
      const { folder } = writeGraphFolder(graph)
      const next = (before: unknown): number | undefined => (before === undefined ? number % graph.vertices : undefined)
      const [rows, columns] = grids[Math.floor(number / 10) % grids.length]!
      const direction = (['optimising', 'top-down', 'bottom-up'] as const)[number % 3]!
      const way = { rows, columns, direction, batches: 1 + (number % 2) }
      const expected = await searchHere(folder, next, way)
      // One object a worker: others beside it are processors.
      const found = await searchHere(folder, next, way, (worker) => (worker === 0 ? gpu : undefined))
      expect(found.levels, shape).toEqual(expected.levels)
      expect(found.parents, shape).toEqual(expected.parents)
      const totals = ({ searches }: typeof found) =>
        searches.map(({ levels, reached, arcs }) => ({ levels, reached, arcs }))
      expect(totals(found), shape).toEqual(totals(expected))
      reached += found.searches[0]!.reached
      rmSync(folder, { recursive: true })
    }
    expect(reached).toBeGreaterThan(GRAPHS * 40)
  })
})
