import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Run, RunRequest } from '../../../electron/contract/run.ts'
import { Workbench } from './workbench.ts'
import { flipByte } from '../../support/damage.ts'
import { hasGpu } from '../../support/devices-here.ts'

const tiled = { algorithm: 'tc-mis', priority: 'h1' } as const
let bench: Workbench
let folder: string
let hash: string
/** The hash of what tiles make, whose kernels run on a device, be it a processor. */
let tiledHash: string

beforeAll(async () => {
  bench = new Workbench()
  folder = await bench.generate('rmat', { model: 'rmat', scale: 13, edgeFactor: 12 })
  const run = await bench.run({ dataset: 'rmat' })
  expect(run.state).toBe('done')
  expect(run.size).toBeGreaterThan(1000)
  hash = run.hash!
  tiledHash = (await bench.run({ dataset: 'rmat', ...tiled })).hash!
})
afterEach(() => delete process.env['ANTICLIQUE_FAULT'])
afterAll(() => bench.close())

/** Starts a run in an engine of its own, in which something goes wrong. */
async function startFaulty(fault: string, request: Partial<RunRequest>, retries = 0): Promise<Run> {
  if (bench.pool.enginePid !== undefined) process.kill(bench.pool.enginePid, 'SIGKILL')
  await expect.poll(() => bench.pool.enginePid).toBeUndefined()
  process.env['ANTICLIQUE_FAULT'] = fault
  const started = await bench.start({ dataset: 'rmat', ...request }, retries)
  await expect.poll(() => bench.pool.enginePid).toBeDefined()
  delete process.env['ANTICLIQUE_FAULT']
  return started
}

const faulty = async (fault: string, request: Partial<RunRequest>, retries = 0): Promise<Run> =>
  bench.wait(await startFaulty(fault, request, retries))

/** The next run, as a person would start it: nothing of the fault is left. */
async function nextRunWorks(request: Partial<RunRequest> = {}): Promise<void> {
  const next = await bench.run({ dataset: 'rmat', ...request })
  const wanted = request.algorithm === 'tc-mis' ? tiledHash : hash
  expect(next).toMatchObject({ state: 'done', hash: wanted, failure: null })
  expect(next.record!.outcome.verification).toMatchObject({ verified: true })
  const unfinished = readdirSync(bench.library.runFolder(next.id)).filter((name) => /partial|checkpoint/.test(name))
  expect(unfinished).toEqual([])
}

const failureOf = ({ failure }: Run) => ({ code: failure!.code, where: failure!.where, words: failure!.what })

describe('an engine that is killed', () => {
  it('interrupts its run, and the next run has a fresh one', async () => {
    const started = await startFaulty('endless', { verify: true })
    process.kill(bench.pool.enginePid!, 'SIGKILL')
    expect(await bench.wait(started)).toMatchObject({
      state: 'interrupted',
      failure: {
        code: 'engine',
        what: expect.stringContaining('SIGKILL'),
        remedy: expect.stringMatching(/fresh.*memory ran short/),
      },
    })
    await nextRunWorks()
  })
})

describe.each([{ device: 'cpu:0', ...tiled }, ...(hasGpu ? [{ device: 'gpu:0' }] : [])])('on $device', (request) => {
  const { device } = request
  it('a thread that throws fails its run, and the next run has a fresh engine', async () => {
    const run = await faulty('thread@3', request)
    // Ending a thread with GPU work queued may take the process along.
    expect(['fault', 'engine']).toContain(run.failure!.code)
    expect(run.state).toBe(run.failure!.code === 'fault' ? 'failed' : 'interrupted')
    expect(run.failure!.remedy).toContain('A fresh engine')
    expect(run.failure!.fixes).toContainEqual({ action: 'resume', run: run.id })
    if (device === 'cpu:0') expect(run.failure!.what).toBe('an injected fault ended this thread')
    expect(bench.pool.enginePid).toBeUndefined()
    await nextRunWorks(request)
  })

  it('a device that is lost interrupts its run', async () => {
    const run = await faulty('device-lost@3', request)
    expect(run.state).toBe('interrupted')
    expect(failureOf(run)).toEqual({ code: 'lost', where: device, words: expect.stringMatching(/lost/) })
    expect(run.failure!.fixes).toContainEqual({ action: 'resume', run: run.id })
    expect(bench.pool.enginePid).toBeUndefined()
    await nextRunWorks(request)
  })

  it('a device that is lost is used again where retries were asked for', async () => {
    const run = await faulty('device-lost@3', { ...request, batches: 20, checkpointEveryMs: 0 }, 1)
    const wanted = 'algorithm' in request ? tiledHash : hash
    expect(run).toMatchObject({ state: 'done', hash: wanted, failure: null, queue: { attempts: 2 } })
  })

  it('a device without memory fails the run with the size', async () => {
    const run = await faulty('device-memory@2', request)
    expect(run.state).toBe('failed')
    expect(failureOf(run)).toEqual({
      code: 'device',
      where: device,
      words: expect.stringMatching(
        /^(no memory for \d+ bytes \(.+\)|a kernel sees \d+ bytes at a time, and ".+" takes \d+)$/,
      ),
    })
    expect(run.failure!.fixes).toContainEqual({ action: 'lower', option: 'memoryBytes' })
    await nextRunWorks(request)
  })
})

describe('several workers', () => {
  it('a following thread that throws fails the run for all', async () => {
    const run = await faulty('part-thread', { device: 'cpu:0,cpu:1' })
    expect(run).toMatchObject({
      state: 'failed',
      failure: { code: 'fault', what: 'an injected fault ended this thread' },
    })
    await nextRunWorks({ device: 'cpu:0,cpu:1' })
  })

  it.runIf(availableParallelism() > 1)('a thread of a matching from disk that throws fails the run', async () => {
    await bench.generate('larger', { model: 'rmat', scale: 16, edgeFactor: 8 })
    const request = { dataset: 'larger', algorithm: 'ld-gpu', weights: 'random3', memoryBytes: 5_500_000 } as const
    const run = await faulty('part-thread', request)
    expect(run).toMatchObject({
      state: 'failed',
      failure: { code: 'fault', what: 'an injected fault ended this thread' },
    })
    const next = await bench.run(request)
    expect(next).toMatchObject({ state: 'done', failure: null })
    expect(next.record!.outcome.counters['readPercent']).toBeGreaterThan(100)
    expect(next.record!.outcome.verification).toMatchObject({ verified: true })
  })

  const together: Partial<RunRequest>[] = [
    { algorithm: 'mg-mis', exchange: 'paper', device: 'cpu:0,cpu:1' },
    ...(hasGpu ? [{ algorithm: 'mg-mis', device: 'gpu:0,cpu:0' } as const] : []),
  ]
  it.each(together)('a device that is lost interrupts the run for all: %o', async (request) => {
    const run = await faulty('device-lost@3', request)
    expect(run).toMatchObject({ state: 'interrupted', failure: { code: 'lost' } })
    await nextRunWorks(request)
  })
})

describe('a disk', () => {
  it('that cannot be read fails the run with the file', async () => {
    const run = await faulty('disk-read@4', {})
    expect(run.state).toBe('failed')
    expect(failureOf(run)).toEqual({
      code: 'storage',
      where: expect.stringContaining(folder),
      words: 'the disk could not be read',
    })
    expect(run.failure!.remedy).toMatch(/check the disk/)
    await nextRunWorks()
  })

  it('that gave a wrong byte of the graph: no run on it succeeds, and once it is mended all do', async () => {
    const graph = join(folder, 'graph.gr')
    const at = 32 + 8 * 8192 + 4 * 777
    flipByte(graph, at)
    const run = await bench.run({ dataset: 'rmat', priority: 'hash', seed: 9 })
    expect(run.state).toBe('failed')
    expect(run.record).toBe(null)
    expect(failureOf(run)).toMatchObject({
      code: 'input',
      where: graph,
      words: expect.stringMatching(/graph is damaged/),
    })
    expect(run.failure!.remedy).toMatch(/import it again/)
    expect(readdirSync(bench.library.runFolder(run.id)).filter((name) => name === 'set.bits')).toEqual([])
    flipByte(graph, at)
    await nextRunWorks()
    expect((await bench.run({ dataset: 'rmat', priority: 'hash', seed: 9 })).state).toBe('done')
  })
})
