import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '../../../electron/contract/run.ts'
import { randomStream } from '../../support/graphs.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let hash: string
/** Milliseconds of a streamed run that nobody disturbs, in an engine that has just started. */
let coldMs: number
const random = randomStream(7)
const streamed = { dataset: 'uniform', memoryBytes: 4 << 20, checkpointEveryMs: 0, verify: true } as const

beforeAll(async () => {
  bench = new Workbench()
  await bench.generate('uniform', { model: 'uniform', vertices: 300_000, degree: 12 })
  const run = await bench.run({ dataset: 'uniform' })
  expect(run.size).toBeGreaterThan(10_000)
  hash = run.hash!
  const startMs = performance.now()
  expect(await bench.run(streamed)).toMatchObject({ state: 'done', hash })
  coldMs = performance.now() - startMs
})
afterAll(() => bench.close())

/** The same in one that has done such a run before. */
async function warmMs(): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const startMs = performance.now()
    expect(await bench.run(streamed)).toMatchObject({ state: 'done', hash })
    times.push(performance.now() - startMs)
  }
  return Math.min(...times)
}

/** Starts a streamed run and does something to it at a random moment of its time. */
async function disturbed(wholeMs: number, what: (run: Run) => unknown): Promise<Run> {
  const run = await bench.start(streamed)
  const timer = setTimeout(() => what(run), 0.8 * wholeMs * random())
  const ended = await bench.wait(run)
  clearTimeout(timer)
  return ended
}

/** As many runs as were not faster than what was to happen to them. */
async function disturbedRuns(
  count: number,
  wholeMs: number,
  what: (run: Run) => unknown,
  look: (run: Run) => Promise<void>,
): Promise<void> {
  let hit = 0
  for (let tries = 0; hit < count && tries < 30 * count; tries++) {
    const run = await disturbed(wholeMs, what)
    if (run.state === 'done') continue
    hit++
    await look(run)
  }
  expect(hit).toBe(count)
}

const unfinished = ({ id }: Run) => readdirSync(bench.library.runFolder(id)).filter((name) => name.includes('partial'))

describe('streamed runs', () => {
  it('whose engine is killed at random moments go on to the same set', async () => {
    const kill = () => process.kill(bench.pool.enginePid!, 'SIGKILL')
    await disturbedRuns(3, coldMs, kill, async (run) => {
      expect(run).toMatchObject({ state: 'interrupted', failure: { code: 'engine' } })
      expect(unfinished(run)).toEqual([])
      const resumed = await bench.wait((await bench.service.call('runs.resume', { run: run.id })).run)
      expect(resumed).toMatchObject({ id: run.id, state: 'done', hash })
      expect(unfinished(resumed)).toEqual([])
    })
  })

  it('that are cancelled at random moments settle as cancelled, and the same run then succeeds', async () => {
    const cancel = ({ id }: Run) => void bench.service.call('runs.cancel', { run: id })
    await disturbedRuns(3, await warmMs(), cancel, async (run) => {
      expect(run.state).toBe('cancelled')
      expect(unfinished(run)).toEqual([])
      expect(await bench.run(streamed)).toMatchObject({ state: 'done', hash })
    })
  })
})

describe.runIf(process.platform === 'linux')('one engine', () => {
  it('does many runs with the handles and threads of the first ones, in bounded memory', async () => {
    await bench.generate('rmat', { model: 'rmat', scale: 16, edgeFactor: 12 })
    const { hash: wanted } = await bench.run({ dataset: 'rmat' })
    const ways = [{}, { memoryBytes: 2 << 20 }, { batches: 7 }, { device: 'cpu:0,cpu:1' }]
    const runs = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const run = await bench.run({ dataset: 'rmat', verify: false, ...ways[i % ways.length] })
        expect(run).toMatchObject({ state: 'done', hash: wanted })
      }
    }
    await runs(12)
    const before = held()
    await runs(24)
    const after = held()
    expect({ ...after, bytes: 0 }).toEqual({ ...before, bytes: 0 })
    expect(after.bytes - before.bytes).toBeLessThan(96 << 20)
  })
})

/** What the engine holds. */
function held(): { pid: number; threads: number; handles: number; bytes: number } {
  const pid = bench.pool.enginePid!
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const figure = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1])
  const handles = readdirSync(`/proc/${pid}/fd`).length
  return { pid, threads: figure('Threads'), handles, bytes: 1024 * figure('VmRSS') }
}
