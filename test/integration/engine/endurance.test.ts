import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '../../../electron/contract/run.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let hash: string
const streamed = { dataset: 'uniform', memoryBytes: 4 << 20, checkpointEveryMs: 0, verify: true } as const
/** Signs of progress of a run before something happens to it. */
const moments = [0, 1, 3]

beforeAll(async () => {
  bench = new Workbench()
  await bench.generate('uniform', { model: 'uniform', vertices: 300_000, degree: 12 })
  const run = await bench.run({ dataset: 'uniform' })
  expect(run.size).toBeGreaterThan(10_000)
  hash = run.hash!
  expect(await bench.run(streamed)).toMatchObject({ state: 'done', hash })
})
afterAll(() => bench.close())

/** Starts a streamed run and does something to it once it has told so often how far it is. */
async function disturbed(signs: number, what: (run: string) => unknown): Promise<Run> {
  let left = signs
  const stop = bench.service.listen((event) => {
    if (event.type === 'progress' && left-- === 0) what(event.of)
  })
  const ended = await bench.wait(await bench.start(streamed))
  stop()
  return ended
}

/** Looks at a run for each moment; an earlier one is taken where the run was faster than what was to happen to it. */
async function disturbedRuns(what: (run: string) => unknown, look: (run: Run) => Promise<void>): Promise<void> {
  for (const moment of moments) {
    let run = await disturbed(moment, what)
    for (let signs = moment - 1; run.state === 'done' && signs >= 0; signs--) run = await disturbed(signs, what)
    await look(run)
  }
}

const unfinished = ({ id }: Run) => readdirSync(bench.library.runFolder(id)).filter((name) => name.includes('partial'))

describe('streamed runs', () => {
  it('whose engine is killed at any moment go on to the same set', async () => {
    const kill = () => process.kill(bench.pool.enginePid!, 'SIGKILL')
    await disturbedRuns(kill, async (run) => {
      expect(run).toMatchObject({ state: 'interrupted', failure: { code: 'engine' } })
      expect(unfinished(run)).toEqual([])
      const resumed = await bench.wait((await bench.service.call('runs.resume', { run: run.id })).run)
      expect(resumed).toMatchObject({ id: run.id, state: 'done', hash })
      expect(unfinished(resumed)).toEqual([])
    })
  })

  it('that are cancelled at any moment settle as cancelled, and the same run then succeeds', async () => {
    const cancel = (run: string) => void bench.service.call('runs.cancel', { run })
    await disturbedRuns(cancel, async (run) => {
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
    await runs(8)
    const before = held()
    await runs(12)
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
