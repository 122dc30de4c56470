import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Library } from '../../../electron/library/library.ts'
import { benchmark } from '../../../electron/service/benchmark.ts'
import { spread } from '../../../workers/contract/jobs.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { pathFacts, pathOutcome, temporaryFolder } from '../library/fixtures.ts'
import { FakeRunner } from './fake-runner.ts'

test('median, smallest and largest', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
  expect(spread([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 })
  expect(spread([])).toEqual({ median: 0, min: 0, max: 0 })
})

test('the first run warms up and builds the view, the repeats are measured, and nothing stays', async () => {
  const library = Library.open(temporaryFolder())
  const dataset = library.datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
  const computeTimes = [100, 3, 1, 2]
  const folders = new Set<string>()
  const runner = new FakeRunner({
    run: async ({ resultFile }) => {
      folders.add(dirname(resultFile))
      const computeMs = computeTimes.shift()!
      return pathOutcome({ time: { ...pathOutcome().time, computeMs, prepareMs: computeMs === 100 ? 7 : 0 } })
    },
  })
  const request = { datasets: [dataset], devices: ['cpu:0'], priority: 'ecl', repeats: 3 } as const
  const [row] = await benchmark({ library, runner }, request, quietJob)
  expect(row).toMatchObject({ repeats: 3, computeMs: { median: 2, min: 1, max: 3 }, size: 2 })
  expect(library.runs.list()).toEqual([])
  expect([...folders].map((folder) => existsSync(join(folder)))).toEqual([false])
  library.close()
})

test('different sets on one graph are a failed verification', async () => {
  const library = Library.open(temporaryFolder())
  const dataset = library.datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
  let turn = 0
  const runner = new FakeRunner({
    run: async () => pathOutcome({ result: { ...pathOutcome().result, hash: String(turn++) } }),
  })
  const request = { datasets: [dataset], devices: ['cpu:0'], priority: 'ecl', repeats: 1 } as const
  await expect(benchmark({ library, runner }, request, quietJob)).rejects.toMatchObject({ code: 'verification' })
  library.close()
})
