import { join } from 'node:path'
import Database from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { isFinal, type Run } from '../../../electron/contract/run.ts'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import { Library } from '../../../electron/library/library.ts'
import { Service } from '../../../electron/service/service.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { pathOutcome, pathPlan, request, temporaryFolder } from '../library/fixtures.ts'
import { FakeRunner } from './fake-runner.ts'

/** An engine whose runs end when the test says so. */
class HeldRunner extends FakeRunner {
  readonly started: { args: RunArgs; end: (error?: unknown) => void }[] = []

  constructor() {
    super()
    this.answers.run = (args, job) => this.#hold(args, job)
  }

  async #hold(args: RunArgs, job: JobContext) {
    const gate = Promise.withResolvers<void>()
    const poll = setInterval(() => job.signal.aborted && gate.resolve(), 1)
    this.started.push({
      args,
      end: (error) => (error === undefined ? gate.resolve() : gate.reject(error as Error)),
    })
    await gate.promise.finally(() => clearInterval(poll))
    throwIfCancelled(job.signal)
    return pathOutcome({ verification: null })
  }

  get seeds(): number[] {
    return this.started.map(({ args }) => args.seed)
  }
}

let library: Library
let runner: HeldRunner
let service: Service
let events: ServiceEvent[]

beforeEach(async () => {
  library = Library.open(join(temporaryFolder(), 'library'), { busyTimeoutMs: 20 })
  runner = new HeldRunner()
  service = new Service({ library, runner })
  events = []
  service.listen((event) => events.push(event))
  await service.call('datasets.import', { source: 'path.txt' })
  return () => service.close()
})

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
interface Order {
  device?: string
  quality?: 'better' | undefined
  priority?: number
  retries?: number
}

async function start(seed: number, overrides: Order = {}) {
  const { device = 'cpu:0', quality, ...order } = overrides
  return (await service.call('runs.start', { request: request({ seed, device, quality, verify: false }), ...order }))
    .run
}
const wait = async (run: Run): Promise<Run> => (await service.call('runs.wait', { run: run.id })).run
const died = new Failure({ code: 'engine', what: 'the engine died', remedy: 'Run it again.' })

const begun = (count: number): Promise<void> => expect.poll(() => runner.started.length).toBeGreaterThanOrEqual(count)

/** Ends a run as soon as it has begun; they are counted from 0. */
async function end(at: number, error?: unknown): Promise<void> {
  await begun(at + 1)
  runner.started[at]!.end(error)
}

/** Ends whatever is at work, one after the other, until nothing is. */
async function endAll(): Promise<void> {
  const areOver = (): boolean => library.runs.list().every(({ state }) => isFinal(state))
  for (let at = 0; !areOver(); at++) {
    await expect.poll(() => areOver() || runner.started.length > at).toBe(true)
    runner.started[at]?.end()
  }
}

describe('the queue', () => {
  test('takes the highest priority first, then the oldest, one after another on one device', async () => {
    const orders = [5, 2, 9, 5, 0, 9]
    const runs = []
    for (const [seed, priority] of orders.entries()) runs.push(await start(seed, { priority }))
    await begun(1)
    await endAll()
    expect(runner.seeds.slice(1)).toEqual([2, 5, 0, 3, 1, 4].filter((seed) => seed !== runner.seeds[0]))
    expect((await Promise.all(runs.map(wait))).map(({ state }) => state)).toEqual(orders.map(() => 'done'))
  })

  test('a run that waits can be given another place, one that has started cannot', async () => {
    const runs = [await start(0), await start(1), await start(2)]
    await begun(1)
    expect((await service.call('runs.prioritise', { run: runs[2]!.id, priority: 9 })).run.queue.priority).toBe(9)
    await expect(service.call('runs.prioritise', { run: runs[0]!.id, priority: 9 })).rejects.toMatchObject({
      code: 'usage',
      what: expect.stringContaining('does not wait'),
    })
    await endAll()
    expect(runner.seeds).toEqual([0, 2, 1])
  })

  test('runs on different devices go together, on a common one never, and nobody is passed over for ever', async () => {
    await start(0, { device: 'cpu:0' })
    await start(1, { device: 'cpu:0,cpu:1' })
    await start(2, { device: 'cpu:1' })
    await start(3, { device: 'gpu:0' })
    await settle()
    // 2 could have had cpu:1, but 1 waits for it and is older.
    await expect.poll(() => runner.seeds).toEqual([0, 3])
    expect(library.runs.list().filter(({ state }) => state === 'queued')).toHaveLength(2)
    await end(0)
    await settle()
    await expect.poll(() => runner.seeds).toEqual([0, 3, 1])
    await end(2)
    await settle()
    await expect.poll(() => runner.seeds).toEqual([0, 3, 1, 2])
  })

  test('auto is resolved before it is compared: it is the same device as the one that it stands for', async () => {
    await start(0, { device: 'auto' })
    await start(1, { device: 'cpu:0' })
    await settle()
    await expect.poll(() => runner.seeds).toEqual([0])
    expect(runner.started[0]!.args.device).toBe('cpu:0')
    expect(library.runs.list().at(-1)!.queue.devices).toEqual(['cpu:0'])
    await endAll()
    expect(runner.seeds).toEqual([0, 1])
  })

  test('auto is what the plan of each run says, where there are several GPUs', async () => {
    const gpu = (id: string) => ({ ...pathOutcome().devices[0]!, id, kind: 'gpu' as const, software: false })
    const devices = [gpu('gpu:0'), gpu('gpu:1')]
    runner.answers.devices = () => Promise.resolve({ devices, noGpu: null, note: null })
    runner.answers.plan = ({ seed }) => Promise.resolve({ ...pathPlan(), device: seed === 0 ? 'gpu:0,gpu:1' : 'gpu:1' })
    await start(0, { device: 'auto', quality: 'better' })
    await start(1, { device: 'auto', quality: 'better' })
    await settle()
    await expect.poll(() => runner.started.map(({ args }) => args.device)).toEqual(['gpu:0,gpu:1'])
    await endAll()
    expect(runner.started.map(({ args }) => args.device)).toEqual(['gpu:0,gpu:1', 'gpu:1'])
  })

  test('auto that nobody can resolve ends its run with the reason, and the next one goes on', async () => {
    runner.answers.devices = () => Promise.reject(died)
    const refused = await start(0, { device: 'auto', quality: 'better' })
    const other = await start(1)
    expect(await wait(refused)).toMatchObject({ state: 'interrupted', failure: { what: 'the engine died' } })
    await endAll()
    expect((await wait(other)).state).toBe('done')
  })

  test('a device that a run of another process has is waited for', async () => {
    const theirs = await start(0)
    await begun(1)
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(other, 'spawn')
    const database = new Database(join(library.folder, 'library.sqlite'))
    database.prepare(`UPDATE runs SET owner_pid = ?, owner_start = NULL WHERE id = ?`).run(other.pid, theirs.id)
    database.close()
    const second = new Service({ library, runner })
    const { run } = await second.call('runs.start', { request: request({ seed: 1, verify: false }) })
    await settle()
    await expect.poll(() => runner.seeds).toEqual([0])
    other.kill()
    await once(other, 'exit')
    await expect.poll(() => runner.seeds).toEqual([0, 1])
    await end(1)
    expect((await second.call('runs.wait', { run: run.id })).run.state).toBe('done')
  })
})

describe('retries', () => {
  test('an interrupted run is queued again as often as asked for, and goes on from its checkpoint', async () => {
    const run = await start(0, { retries: 2 })
    for (let attempt = 0; attempt < 2; attempt++) await end(attempt, died)
    await end(2)
    expect(await wait(run)).toMatchObject({ state: 'done', failure: null, queue: { attempts: 3, retries: 2 } })
    expect(runner.started.map(({ args }) => args.resume)).toEqual([false, true, true])
    const states = events.flatMap((event) => (event.type === 'run-changed' ? [event.run.state] : []))
    expect(states.join(' ')).toMatch(/^(queued planning interrupted ){2}queued planning running done$/)
  })

  test('an engine that dies while the file of a run is checked costs one attempt', async () => {
    const held = Promise.withResolvers<void>()
    let links = 0
    runner.answers.link = async (args, job) => {
      if (++links > 1) return runner.answers.import(args, job)
      await held.promise
      throw died
    }
    const asked = request({ dataset: 'mesh', device: 'cpu:0', verify: false })
    const { run } = await service.call('runs.start', { request: asked, source: 'mesh.gr', retries: 1 })
    await settle()
    held.resolve()
    runner.started[0]!.end(died)
    await settle()
    runner.started[1]!.end()
    expect(await wait(run)).toMatchObject({ state: 'done', dataset: 'mesh', queue: { attempts: 2 } })
    expect(links).toBe(2)
  })

  test('without retries, or when they are spent, it stays interrupted; other failures are never retried', async () => {
    const run = await start(0, { retries: 1 })
    await end(0, died)
    await end(1, new Failure({ code: 'lost', what: 'the GPU was lost', remedy: 'Run again.' }))
    expect(await wait(run)).toMatchObject({ state: 'interrupted', failure: { code: 'lost' } })
    const failing = await start(1, { retries: 5 })
    await end(2, new Failure({ code: 'device', what: 'no memory', remedy: 'Use less.' }))
    expect(await wait(failing)).toMatchObject({ state: 'failed', queue: { attempts: 1 } })
    expect(runner.started).toHaveLength(3)
  })

  test('a person who resumes it gives it all its retries again', async () => {
    const run = await start(0, { retries: 1 })
    for (const attempt of [0, 1]) await end(attempt, died)
    expect((await wait(run)).state).toBe('interrupted')
    expect((await service.call('runs.resume', { run: run.id })).run.queue.attempts).toBe(0)
    await end(2, died)
    await end(3)
    expect((await wait(run)).state).toBe('done')
  })
})

describe('a library that another process holds', () => {
  test('for a while delays the end of a run, and the run is done', async () => {
    const run = await start(0)
    await begun(1)
    const other = new Database(join(library.folder, 'library.sqlite'))
    other.exec('BEGIN IMMEDIATE')
    await end(0)
    await settle()
    expect(library.runs.stateOf(run.id)).toBe('planning')
    await expect(start(1)).rejects.toMatchObject({
      code: 'storage',
      what: 'the library is locked by another program',
      remedy: expect.stringContaining('close it'),
    })
    other.exec('ROLLBACK')
    other.close()
    expect((await wait(run)).state).toBe('done')
  })
})

describe('a clock that is set back', () => {
  test('changes neither the order of runs nor makes one end before it began', async () => {
    const first = await start(0)
    await begun(1)
    const real = Date
    const hourAgo = real.now() - 3_600_000
    globalThis.Date = class extends real {
      constructor(...args: [] | [string | number]) {
        super(args.length === 0 ? hourAgo : args[0])
      }
      static override now = () => hourAgo
    } as DateConstructor
    try {
      const second = await start(1)
      await end(0)
      await endAll()
      const [newest, oldest] = library.runs.list()
      expect([newest!.id, oldest!.id]).toEqual([second.id, first.id])
      expect(library.runs.get('latest').id).toBe(second.id)
      for (const run of [newest!, oldest!]) {
        expect(run.state).toBe('done')
        expect(run.createdAt <= run.startedAt! && run.startedAt! <= run.finishedAt!).toBe(true)
        expect(run.record!.startedAt <= run.record!.finishedAt).toBe(true)
      }
    } finally {
      globalThis.Date = real
    }
  })
})
