import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { stoppedRun, wholeRun } from '../../support/interrupted-run.ts'

/** Graphs whose runs have several rounds: a path, bipartite, dense, and islands. */
const NUMBERS = [4, 6, 8, 19]
const MOMENTS = 3

const choices: readonly (Pick<RunArgs, 'algorithm' | 'priority'> & Partial<RunArgs>)[] = [
  { algorithm: 'tc-mis', priority: 'h1', batches: 4 },
  { algorithm: 'tc-mis', priority: 'h2', batches: 4 },
  { algorithm: 'tc-mis', priority: 'h2', batches: 4, seeds: 5 },
  { algorithm: 'tc-mis', priority: 'h3', batches: 4, seeds: 16 },
  { algorithm: 'ld-gpu', priority: 'degree', weights: 'unit', ties: 'id' },
  { algorithm: 'ld-gpu', priority: 'degree', weights: 'unit', ties: 'degree', method: 'rescan' },
]

it.runIf(hasGpu).each(choices)('a GPU goes on where a processor was interrupted: %o', async (choice) => {
  let goneOn = 0
  for (const number of NUMBERS) {
    const { graph, shape } = randomSmallGraph(number, 500)
    const { folder, checksum } = writeGraphFolder(graph)
    const files = { resultFile: join(folder, 'result'), checkpointFile: join(folder, 'checkpoint') }
    const args = { folder, checksum, device: 'cpu:0', seed: 0, verify: true, checkpointEveryMs: 0, ...files, ...choice }
    const { outcome, looks } = await wholeRun(args)
    for (let moment = 1; moment <= MOMENTS; moment++) {
      const end = await stoppedRun(args, (looks * moment) / (MOMENTS + 1))
      const place = `${shape}, graph ${number}, moment ${moment}`
      if (end !== undefined || !existsSync(files.checkpointFile)) continue
      const resumed = await runAlgorithm({ ...args, device: 'gpu:0', resume: true }, quietJob)
      expect(resumed.resumed, place).toMatch(/^from the checkpoint/)
      expect(resumed.result, place).toEqual(outcome.result)
      expect(resumed.roundCounts, place).toEqual(outcome.roundCounts)
      expect(resumed.verification, place).toMatchObject({ verified: true })
      goneOn++
    }
    rmSync(folder, { recursive: true })
  }
  expect(goneOn).toBeGreaterThan(NUMBERS.length / 2)
})
