import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  distanceWorks,
  idBits,
  shareDistance,
} from '../../../../../workers/algorithms/others/distance-mis/distance-mis.ts'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { graphsForDevices, randomSmallGraph, smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'
import { valuesRun } from '../../../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 12)

describe.runIf(hasGpu)('distance sets on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  const star = smallGraph(
    400,
    Array.from({ length: 399 }, (_, v) => [0, v + 1] as const),
  )

  it(`are those of the processor, in as many rounds, alone and beside it, on ${GRAPHS} random graphs and a star`, async () => {
    for (const [number, { graph }] of [...graphsForDevices(GRAPHS, 500), { graph: star }].entries()) {
      const { folder } = writeGraphFolder(graph)
      const workers = 1 + (number % 3)
      const distance = 2 + (number % 2)
      const draw = { bits: idBits(graph.vertices), seed: number }
      const share = () => shareDistance(graph.vertices, distance, { draw })
      const way = { workers, share, batches: 1 + (number % 2) }
      const expected = await rangesHere(folder, way, distanceWorks)
      const found = await rangesHere(folder, way, distanceWorks, (worker) => (worker === 0 ? gpu : undefined))
      expect(found.shared.words, String(number)).toEqual(expected.shared.words)
      expect(found.outcome).toEqual(expected.outcome)
      rmSync(folder, { recursive: true })
    }
  })

  it(`roots the same aggregates on ${GRAPHS} random graphs, from disk too`, async () => {
    let aggregates = 0
    for (let number = 0; number < GRAPHS; number++) {
      const { graph } = randomSmallGraph(300 + number, 500)
      const place = writeGraphFolder(graph)
      const run = { algorithm: 'mis2-aggregates', priority: number % 2 === 0 ? 'random' : 'degree' } as const
      const expected = await valuesRun(place, graph.vertices, run)
      const found = await valuesRun(place, graph.vertices, { ...run, batches: 1 + (number % 3) }, gpu)
      expect(found.values, String(number)).toEqual(expected.values)
      expect(found.outcome.verification).toMatchObject({ verified: true })
      aggregates += new Set(found.values).size
      rmSync(place.folder, { recursive: true })
    }
    expect(aggregates).toBeGreaterThan(GRAPHS)
  })

  it('counts what every worker copies in both phases of aggregates, and in this run alone', async () => {
    const edges = Array.from({ length: 200 }, (_, v) => Array.from({ length: v }, (_, u) => [u, v] as const)).flat()
    const clique = smallGraph(200, edges)
    const place = writeGraphFolder(clique)
    const run = { algorithm: 'mis2-aggregates', priority: 'random', partitions: 2 } as const
    const outcomes = []
    for (let i = 0; i < 2; i++) outcomes.push((await valuesRun(place, 200, run, gpu)).outcome)
    const [first, again] = outcomes.map(({ series }) => series.find(({ name }) => name === 'copied to the device')!)
    // The second has the lists of 72 vertices, the first more, and both load them in both phases.
    for (const bytes of first!.values) expect(bytes).toBeGreaterThan(2 * 4 * 72 * 199)
    expect(again!.values).toEqual(first!.values)
    rmSync(place.folder, { recursive: true })
  })
})
