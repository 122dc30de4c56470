import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareColouring } from '../../../../../workers/algorithms/others/colouring/colour-batches.ts'
import { colouringWorks } from '../../../../../workers/algorithms/others/colouring/colouring.ts'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { graphsForDevices, smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 12)

describe.runIf(hasGpu)('colours on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  const clique = (vertices: number) =>
    smallGraph(
      vertices,
      Array.from({ length: vertices }, (_, v) => Array.from({ length: v }, (_, u) => [u, v] as const)).flat(),
    )

  it(`are those of the processor, alone and beside it, on ${GRAPHS} random graphs and a clique`, async () => {
    let most = 0
    // 300 colours: lists are long, and colours pass a word.
    const graphs = [{ shape: 'clique', graph: clique(300) }, ...graphsForDevices(GRAPHS, 600)]
    for (const [number, { shape, graph }] of graphs.entries()) {
      const { folder } = writeGraphFolder(graph)
      const workers = 1 + (number % 3)
      const share = () => {
        const shared = shareColouring(graph.vertices, number)
        shared.keys.set(graph.neighbours.map((list) => list.length))
        return shared
      }
      // Batches of what is nearly a clique take turns for each of its vertices.
      const batches = ['clique', 'spread'].includes(shape) ? 1 : 1 + (number % 2)
      const way = { workers, share, batches }
      const expected = await rangesHere(folder, way, colouringWorks)
      const found = await rangesHere(folder, way, colouringWorks, (worker) => (worker === 0 ? gpu : undefined))
      expect(found.shared.colours, String(number)).toEqual(expected.shared.colours)
      most = Math.max(most, ...found.shared.colours)
      rmSync(folder, { recursive: true })
    }
    expect(most).toBe(299)
  })
})
