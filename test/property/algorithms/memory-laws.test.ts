import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Failure } from '../../../workers/base/failure.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { MeasuredDevice } from '../../support/measured-device.ts'
import { valuesRun } from '../../support/values-run.ts'

const GRAPHS = 20
/** Buffers of nothing have some words. */
const SPARE_BYTES = 256

/** Those whose workers hold lists of ranges. */
const runs: readonly (Partial<RunArgs> & Pick<RunArgs, 'algorithm'>)[] = [
  { algorithm: 'bfs' },
  { algorithm: 'bfs-tree', direction: 'bottom-up' },
  { algorithm: 'k-core' },
  { algorithm: 'connected-components' },
  { algorithm: 'colouring', priority: 'smallest-last' },
  { algorithm: 'distance-mis', priority: 'random' },
]

it.each(runs)(`$algorithm holds no more on its device than it may, on ${GRAPHS} random graphs`, async (run) => {
  let streamed = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 2000)
    const place = writeGraphFolder(graph)
    const whole = new MeasuredDevice()
    const { outcome } = await valuesRun(place, graph.vertices, run, whole)
    const { deviceBytes } = outcome.plan
    expect(whole.mostBytes, shape).toBeLessThanOrEqual(deviceBytes + SPARE_BYTES)
    for (const share of [0.9, 0.7, 0.5]) {
      const memoryBytes = Math.floor(share * deviceBytes)
      const tight = new MeasuredDevice()
      try {
        const { outcome: again } = await valuesRun(place, graph.vertices, { ...run, memoryBytes }, tight)
        expect(again.result).toEqual(outcome.result)
        if (again.plan.batches > 1) streamed++
      } catch (error) {
        if (!(error instanceof Failure)) throw error
      }
      expect(tight.mostBytes, `${shape}, graph ${number}, ${share}`).toBeLessThanOrEqual(memoryBytes + SPARE_BYTES)
      tight.close()
    }
    whole.close()
    rmSync(place.folder, { recursive: true })
  }
  expect(streamed).toBeGreaterThan(GRAPHS / 2)
})
