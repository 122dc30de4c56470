import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { type SmallGraph, randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

/** Enough for several threads. */
const EDGES = 700_000
const VERTICES = 60_000

/** Some of its vertices have thousands of neighbours, and some none. */
function largeGraph(): SmallGraph {
  const random = randomStream(3)
  const edges = Array.from(
    { length: EDGES },
    () => [Math.floor(VERTICES * random() ** 3), Math.floor(VERTICES * random() ** 2)] as const,
  )
  return smallGraph(VERTICES, edges)
}

const { folder, checksum } = writeGraphFolder(largeGraph())
afterAll(() => rmSync(folder, { recursive: true }))

const choices: readonly (Pick<RunArgs, 'algorithm' | 'priority'> & Partial<RunArgs>)[] = [
  { algorithm: 'k-core', priority: 'degree' },
  { algorithm: 'connected-components', priority: 'degree' },
  { algorithm: 'b-suitor', capacity: 3, weights: 'random3' },
  { algorithm: 'colouring', priority: 'largest-first' },
  { algorithm: 'distance-mis', priority: 'random' },
  { algorithm: 'distance-mis', priority: 'degree' },
  { algorithm: 'spin-glass', priority: 'degree', model: 'max-cut', sweeps: 2 },
]

it.each(choices)('on all threads of a processor the answer is that of one: %o', async (choice) => {
  const args = { folder, checksum, seed: 1, verify: true, resultFile: join(folder, 'result'), ...choice }
  // Batches take turns on one thread.
  const alone = await runAlgorithm({ ...args, device: 'cpu:0', batches: 2 }, quietJob)
  expect(alone.plan.batches).toBeGreaterThan(1)
  for (const device of ['cpu:0', 'cpu:0,cpu:1']) {
    const run = await runAlgorithm({ ...args, device }, quietJob)
    expect(run.result, device).toEqual(alone.result)
    expect(run.verification, device).toMatchObject({ verified: true })
    expect(run.devices.map(({ id }) => id)).toEqual(device.split(','))
    // Else what threads do together is one round.
    if (['distance-mis', 'b-suitor'].includes(choice.algorithm)) expect(run.rounds, device).toBe(alone.rounds)
  }
  expect(alone.plan.arcs).toBeGreaterThan(1 << 20)
})
