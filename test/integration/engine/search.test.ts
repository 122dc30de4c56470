import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Run } from '../../../electron/contract/run.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
const endless = { dataset: 'graph', quality: 'best', searchSeconds: 600, verify: true, checkpointEveryMs: 0 } as const
let better: Run

beforeAll(async () => {
  bench = new Workbench()
  await bench.generate('graph', { model: 'kout', vertices: 3000, degree: 4 })
  better = await bench.run({ dataset: 'graph', quality: 'better', verify: true })
})
afterAll(() => bench.close())

/** Settles when the search has made an epoch, which its checkpoint says. */
async function searching(run: Run): Promise<void> {
  const file = join(bench.library.runFolder(run.id), 'states.checkpoint')
  const hasEpoch = () => existsSync(file) && readFileSync(file).includes('"search"')
  const waitMs = 50
  while (!hasEpoch()) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

const sizeOf = ({ record }: Run): number => {
  const result = record!.outcome.result
  return result.kind === 'independent-set' ? result.size : 0
}

it('a search that is finished early keeps its best set', async () => {
  const run = await bench.start(endless)
  await searching(run)
  await bench.service.call('runs.finish', { run: run.id })
  const ended = await bench.wait(run)
  expect(ended).toMatchObject({ state: 'done', failure: null })
  expect(ended.record!.outcome.verification).toMatchObject({ verified: true })
  expect(sizeOf(ended)).toBeGreaterThanOrEqual(sizeOf(better))
  await expect(bench.service.call('runs.finish', { run: run.id })).rejects.toMatchObject({ code: 'usage' })
})

it.each(['a kill', 'a cancel'])('%s loses no set that was found', async (what) => {
  const run = await bench.start(endless)
  await searching(run)
  if (what === 'a kill') process.kill(bench.pool.enginePid!, 'SIGKILL')
  else await bench.service.call('runs.cancel', { run: run.id })
  expect((await bench.wait(run)).state).toBe(what === 'a kill' ? 'interrupted' : 'cancelled')
  await bench.service.call('runs.resume', { run: run.id })
  await bench.service.call('runs.finish', { run: run.id })
  const ended = await bench.wait(run)
  expect(ended).toMatchObject({ state: 'done', failure: null })
  const { resumed, verification, counters, series, waited, time } = ended.record!.outcome
  expect(waited).toMatchObject({ attempts: 2 })
  // More than the last attempt took alone.
  expect(waited!.searchMs).toBeGreaterThan(0)
  expect(waited!.setMs + waited!.searchMs).toBeGreaterThan(time.totalMs)
  expect(resumed).toContain('from the checkpoint')
  expect(verification).toMatchObject({ verified: true })
  const sizes = series.find(({ name }) => name === 'searchSize')!.values
  expect(sizes.every((size, i) => i === 0 || size >= sizes[i - 1]!)).toBe(true)
  expect(sizes[0]).toBeGreaterThanOrEqual(sizeOf(better))
  expect(sizeOf(ended)).toBe(sizes.at(-1))
  expect(counters['searchSteps']).toBeGreaterThanOrEqual(2 ** 18)
})
