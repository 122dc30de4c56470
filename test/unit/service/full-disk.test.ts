import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RunState } from '../../../electron/contract/run.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { request } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()
const full = (): never => {
  throw new Failure({
    code: 'storage',
    where: 'library.sqlite',
    what: 'the library could not be written; the disk may be full',
    remedy: 'Free some space.',
  })
}
beforeEach(() => wired.importPath().then(() => {}))
afterEach(() => void vi.useRealTimers())

/** From this change of state on, nothing can be written. */
function fullFrom(state: RunState): () => void {
  const { runs } = wired.library
  const [move, claim] = [runs.move.bind(runs), runs.claim.bind(runs)]
  let isFull = false
  runs.move = (id, to, change) => ((isFull ||= to === state) ? full() : move(id, to, change))
  runs.claim = (id, devices) => ((isFull ||= state === 'planning') ? full() : claim(id, devices))
  return () => Object.assign(runs, { move, claim })
}

test.each(['planning', 'running', 'verifying', 'done'] as const)(
  'a disk that is full from "%s" on fails the run, and ends nothing else',
  async (state) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const endFullness = fullFrom(state)
    const told = wired.events
    const run = await wired.runToEnd()
    expect(run).toMatchObject({
      state: 'failed',
      failure: { code: 'storage', what: expect.stringContaining('full'), remedy: expect.stringContaining('space') },
    })
    const states = told.flatMap((event) => (event.type === 'run-changed' ? [event.run.state] : []))
    expect(states.at(-1)).toBe('failed')
    expect((await wired.service.call('runs.list', {})).runs).toMatchObject([{ id: run.id, state: 'failed' }])
    expect((await wired.service.call('runs.get', { run: 'latest' })).run).toMatchObject({ state: 'failed' })
    expect(wired.library.runs.stateOf(run.id)).not.toBe('failed')
    endFullness()
    vi.advanceTimersByTime(10_000)
    expect(wired.library.runs.find(run.id)).toMatchObject({ state: 'failed', failure: { code: 'storage' } })
    vi.useRealTimers()
    expect(await wired.runToEnd()).toMatchObject({ state: 'done' })
  },
)

test('a disk that was full only while the run went on does not fail it', async () => {
  const answer = wired.runner.answers.run
  const endFullness = fullFrom('running')
  wired.runner.answers.run = async (args, job) => {
    const outcome = await answer(args, job)
    endFullness()
    return outcome
  }
  expect(await wired.runToEnd()).toMatchObject({ state: 'done', failure: null })
})

test('runs that wait for a device are tried in turn', async () => {
  const held = Promise.withResolvers<void>()
  const answer = wired.runner.answers.run
  wired.runner.answers.run = async (args, job) => held.promise.then(() => answer(args, job))
  const first = (await wired.service.call('runs.start', { request: request() })).run
  await expect.poll(() => wired.library.runs.stateOf(first.id)).toBe('planning')
  const second = (await wired.service.call('runs.start', { request: request() })).run
  const { claim } = wired.library.runs
  wired.library.runs.claim = full
  held.resolve()
  expect((await wired.service.call('runs.wait', { run: first.id })).run.state).toBe('done')
  expect((await wired.service.call('runs.wait', { run: second.id })).run).toMatchObject({
    state: 'failed',
    failure: { code: 'storage' },
  })
  wired.library.runs.claim = claim
})

test('a library that cannot even be read ends the runs that wait, and what is at work goes on', async () => {
  const held = Promise.withResolvers<void>()
  const answer = wired.runner.answers.run
  wired.runner.answers.run = async (args, job) => held.promise.then(() => answer(args, job))
  const first = (await wired.service.call('runs.start', { request: request() })).run
  await expect.poll(() => wired.library.runs.stateOf(first.id)).toBe('planning')
  const { waiting } = wired.library.runs
  wired.library.runs.waiting = full
  const second = (await wired.service.call('runs.start', { request: request() })).run
  expect((await wired.service.call('runs.wait', { run: second.id })).run).toMatchObject({ state: 'failed' })
  wired.library.runs.waiting = waiting
  held.resolve()
  expect((await wired.service.call('runs.wait', { run: first.id })).run.state).toBe('done')
})

test('the service can be closed, and its engine with it, whatever its library says', async () => {
  wired.library.runs.stateOf = full
  await wired.service.call('runs.start', { request: request() })
  await wired.service.close()
  expect(wired.runner.closed).toBe(true)
})

test('a dataset waits for a library that another program holds', async () => {
  const { datasets } = wired.library
  const insert = datasets.insert.bind(datasets)
  let tries = 0
  datasets.insert = (row) => {
    if (++tries > 2) return insert(row)
    throw new Failure({ code: 'storage', what: 'the library is locked by another program', remedy: 'Wait for it.' })
  }
  expect((await wired.importPath('other.txt')).dataset).toMatchObject({ name: 'other' })
  expect(tries).toBe(3)
})

test('an import whose dataset finds no room in the library is kept, to be resumed', async () => {
  const { datasets } = wired.library
  const insert = datasets.insert.bind(datasets)
  const make = wired.runner.answers.import
  wired.runner.answers.import = async (args, job) => {
    mkdirSync(`${args.folder}.import`, { recursive: true })
    // Of an engine that goes on living.
    const manifest = { version: 4, pid: process.pid, startedAt: new Date().toISOString(), args, stages: {} }
    writeFileSync(`${args.folder}.import/manifest.json`, JSON.stringify(manifest))
    return make(args, job)
  }
  datasets.insert = full
  await expect(wired.importPath('other.txt')).rejects.toMatchObject({
    code: 'storage',
    remedy: 'Free some space.',
    fixes: [{ action: 'resume-import' }],
  })
  const left = readdirSync(join(wired.library.folder, 'datasets')).filter((name) => name.startsWith('other-'))
  expect(left).toEqual([expect.stringMatching(/^other-\w+$/), expect.stringMatching(/^other-\w+\.import$/)])
  datasets.insert = insert
  const { remainders } = await wired.service.call('datasets.remainders', {})
  expect(remainders).toMatchObject([{ name: 'other', folder: left[1] }])
  rmSync(join(wired.library.folder, 'datasets', left[0]!), { recursive: true })
  const { dataset } = await wired.service.call('datasets.resume', { which: 'other' })
  expect(dataset).toMatchObject({ name: 'other', folder: left[0] })
  expect((await wired.service.call('datasets.remainders', {})).remainders).toEqual([])
})

test('a record that cannot be written leaves no set either', async () => {
  await wired.runToEnd()
  const output = join(wired.folder, 'set.txt')
  // What stands in its way is found before the set is written.
  mkdirSync(`${output}.run.json`)
  await expect(wired.service.call('export', { run: 'latest', format: 'ids', output })).rejects.toMatchObject({
    code: 'input',
    where: `${output}.run.json`,
  })
  expect(existsSync(output)).toBe(false)
  expect(wired.runner.asked.at(-1)!.name).toBe('run')
})

test('an export that fails leaves no record', async () => {
  await wired.runToEnd()
  wired.runner.answers.export = full
  const output = join(wired.folder, 'out', 'set.txt')
  const asked = wired.service.call('export', { run: 'latest', format: 'ids', output })
  await expect(asked).rejects.toMatchObject({ code: 'storage' })
  expect(readdirSync(join(wired.folder, 'out'))).toEqual([])
})

test.each(['runs.remove', 'runs.resume'] as const)(
  '%s takes a run that a full disk ended, once there is room',
  async (call) => {
    const endFullness = fullFrom('planning')
    const run = await wired.runToEnd()
    expect(run.state).toBe('failed')
    endFullness()
    await wired.service.call(call, { run: run.id })
    await wired.service.call('runs.wait', { run: run.id }).catch(() => {})
    expect(wired.library.runs.find(run.id)?.state).toBe(call === 'runs.remove' ? undefined : 'done')
  },
)

test('a change that is written though it is said to have failed holds up no other', async () => {
  const { runs } = wired.library
  const move = runs.move.bind(runs)
  runs.move = (id, to, change) => {
    if (runs.stateOf(id) !== 'done') move(id, to, change)
    return to === 'done' || to === 'failed' ? full() : runs.get(id)
  }
  const first = await wired.runToEnd()
  runs.move = move
  expect(runs.stateOf(first.id)).toBe('done')
  const endFullness = fullFrom('planning')
  const second = await wired.runToEnd()
  endFullness()
  for (const { id } of [second, first]) await wired.service.call('runs.remove', { run: id })
  expect(runs.list()).toEqual([])
})
