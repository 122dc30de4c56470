import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventSchema } from '../../../electron/contract/events.ts'
import { runRecordSchema } from '../../../electron/contract/run.ts'
import { Failure, REPEAT } from '../../../workers/base/failure.ts'
import { throwIfCancelled } from '../../../workers/base/job.ts'
import { pathOutcome, request } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()

describe('runs', () => {
  beforeEach(async () => {
    await wired.importPath()
    wired.events.length = 0
  })

  test('pass their states in order and end with a record that repeats them', async () => {
    const run = await wired.runToEnd({ seed: 5 })
    expect(run.id).toMatch(/^\d{8}-\d{6}-[0-9a-f]{4}$/)
    const states = wired.events.flatMap((event) => (event.type === 'run-changed' ? [event.run.state] : []))
    expect(states).toEqual(['queued', 'planning', 'running', 'verifying', 'done'])
    expect(run).toMatchObject({ size: 2, hash: '0123456789abcdef', failure: null })
    const record = runRecordSchema.parse(
      JSON.parse(readFileSync(join(wired.library.runFolder(run.id), 'record.json'), 'utf8')),
    )
    expect(record).toEqual(run.record)
    expect(record.request).toEqual(request({ seed: 5 }))
    expect(record.dataset).toMatchObject({ name: 'path', checksum: 'c0ffee' })
    expect(record.versions).toEqual({
      anticlique: expect.stringMatching(/^\d/),
      commit: null,
      node: process.versions.node,
      webgpu: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
  })

  test('are named, noted and starred afterwards; what is not given stays, and so does the record', async () => {
    const { id, record } = await wired.runToEnd()
    const noted = (await wired.service.call('runs.annotate', { run: id, name: ' baseline ', note: 'before' })).run
    expect(noted).toMatchObject({ name: 'baseline', note: 'before', starred: false })
    expect(wired.events).toContainEqual({ type: 'run-changed', run: noted })
    await wired.service.call('runs.annotate', { run: 'baseline', starred: true })
    const found = (await wired.service.call('runs.get', { run: 'baseline' })).run
    expect(found).toEqual({ ...noted, starred: true })
    expect(found.record).toEqual(record)
    expect((await wired.service.call('runs.annotate', { run: id, name: '' })).run).toMatchObject({
      name: null,
      note: 'before',
      starred: true,
    })
  })

  test('take vertices that were chosen in the window as a file of the library', async () => {
    const { path } = await wired.service.call('lists.write', { labels: ['1', 'Köln'] })
    expect(readFileSync(path, 'utf8')).toBe('1\nKöln\n')
    expect(path.startsWith(wired.library.folder)).toBe(true)
    expect((await wired.service.call('lists.write', { labels: ['1', 'Köln'] })).path).toBe(path)
    await expect(wired.service.call('lists.write', { labels: ['a\nb'] })).rejects.toMatchObject({ code: 'usage' })
  })

  test('every event fits the contract', async () => {
    await wired.runToEnd()
    expect(wired.events.length).toBeGreaterThan(5)
    for (const event of wired.events) expect(eventSchema.parse(event)).toEqual(event)
  })

  test('a set that fails verification is a failed run with the witness, and cannot be exported', async () => {
    const sentence = '1 and 2 are both in the set and joined by an edge'
    const bad = { verified: false, law: 'independent', edge: ['1', '2'], sentence } as const
    const verification = { ...bad, size: 2, hash: 'x', upperBound: 2, elapsedMs: 1 }
    wired.runner.answers.run = async () => pathOutcome({ verification })
    const run = await wired.runToEnd()
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'verification', what: sentence }, size: 2 })
    const output = join(wired.folder, 'set.txt')
    await expect(wired.service.call('export', { run: run.id, format: 'ids', output })).rejects.toThrow(
      /failed and has no result/,
    )
    expect(existsSync(output)).toBe(false)
  })

  test.each([
    ['device', 'failed'],
    ['input', 'failed'],
    ['engine', 'interrupted'],
    ['cancelled', 'cancelled'],
  ] as const)('a failure of kind %s ends the run as %s', async (code, state) => {
    wired.runner.answers.run = async () => {
      throw new Failure({ code, what: 'no', remedy: 'Try.' })
    }
    expect(await wired.runToEnd()).toMatchObject({ state, failure: { code, what: 'no' } })
  })

  test('an interrupted run goes on from its checkpoint under its own id; a finished one has nothing to go on with', async () => {
    const answer = wired.runner.answers.run
    wired.runner.answers.run = async () => {
      throw new Failure({ code: 'engine', what: 'the engine died', remedy: 'Run it again.' })
    }
    const broken = await wired.runToEnd()
    expect(broken.state).toBe('interrupted')
    wired.runner.answers.run = answer
    const { run: queued } = await wired.service.call('runs.resume', { run: broken.id })
    expect(queued).toMatchObject({ id: broken.id, state: 'queued', failure: null, finishedAt: null })
    const { run } = await wired.service.call('runs.wait', { run: broken.id })
    expect(run).toMatchObject({ id: broken.id, state: 'done', failure: null })
    const [first, second] = wired.runner.asked.filter(({ name }) => name === 'run').map(({ args }) => args)
    expect(second).toEqual({ ...(first as object), resume: true })
    await expect(wired.service.call('runs.resume', { run: broken.id })).rejects.toThrow(
      /is done, there is nothing to resume/,
    )
  })

  test('its engine keeps a checkpoint in the folder of the run, which tells how to go on', async () => {
    const answer = wired.runner.answers.run
    const checkpoints: (string | undefined)[] = []
    wired.runner.answers.run = async ({ checkpointFile, resume }) => {
      checkpoints.push(checkpointFile)
      expect(resume === true ? readFileSync(checkpointFile!, 'utf8') : '').toBe(resume === true ? 'half' : '')
      writeFileSync(checkpointFile!, 'half')
      throw new Failure({ code: 'engine', what: 'the engine died', remedy: '', fixes: [REPEAT] })
    }
    const { id, failure } = await wired.runToEnd()
    const { writtenAt } = await wired.service.call('runs.checkpoint', { run: id })
    expect(writtenAt).toBe(statSync(checkpoints[0]!).mtime.toISOString())
    expect(checkpoints).toEqual([join(wired.library.runFolder(id), 'states.checkpoint')])
    expect(failure!.fixes).toEqual([{ action: 'resume', run: id }])
    await wired.service.call('runs.resume', { run: id })
    expect((await wired.service.call('runs.wait', { run: id })).run.state).toBe('interrupted')
    expect(checkpoints).toHaveLength(2)
    wired.runner.answers.run = answer
  })

  test('what a run had found can be its result: it is resumed, and ends at once', async () => {
    const answer = wired.runner.answers.run
    wired.runner.answers.run = async () => {
      throw new Failure({ code: 'cancelled', what: 'cancelled', remedy: '' })
    }
    const { id } = await wired.runToEnd()
    expect((await wired.service.call('runs.checkpoint', { run: id })).writtenAt).toBeNull()
    const enough: (boolean | undefined)[] = []
    wired.runner.answers.run = (args, job) => {
      enough.push(job.signal.enough, job.signal.aborted)
      return answer(args, job)
    }
    await wired.service.call('runs.resume', { run: id, finish: true })
    expect((await wired.service.call('runs.wait', { run: id })).run.state).toBe('done')
    expect(enough).toEqual([true, false])
  })

  test('a bug ends the run as failed and is thrown', async () => {
    wired.runner.answers.run = async () => {
      throw new TypeError('undefined is not a function')
    }
    await expect(wired.runToEnd()).rejects.toThrow(TypeError)
    expect(wired.library.runs.get('latest')).toMatchObject({ state: 'failed', failure: { code: 'fault' } })
  })

  test('a number that is infinite ends the run as a bug, not as a damaged library', async () => {
    wired.runner.answers.run = async () => pathOutcome({ counters: { searchGain: Infinity } })
    await expect(wired.runToEnd()).rejects.toThrow('"searchGain" of the result is Infinity')
    const { runs } = await wired.service.call('runs.list', {})
    expect(runs).toMatchObject([{ state: 'failed', record: null, failure: { code: 'fault' } }])
  })

  test('cancelling stops the running one at once and the waiting one before it starts', async () => {
    wired.runner.answers.run = async (_args, job) => {
      for (;;) {
        throwIfCancelled(job.signal)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const first = (await wired.service.call('runs.start', { request: request() })).run
    const second = (await wired.service.call('runs.start', { request: request() })).run
    await wired.service.call('datasets.remove', { name: 'path' }).then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toMatch(/is working on this dataset/),
    )
    const ends = [
      wired.service.call('runs.cancel', { run: second.id }),
      wired.service.call('runs.cancel', { run: first.id }),
    ]
    expect((await Promise.all(ends)).map(({ run }) => run.state)).toEqual(['cancelled', 'cancelled'])
    expect(wired.runner.asked.filter(({ name }) => name === 'run')).toHaveLength(1)
  })

  test('one that waits is cancelled at once, while the one before it goes on', async () => {
    const held = Promise.withResolvers<void>()
    const answer = wired.runner.answers.run
    wired.runner.answers.run = async (args, job) => held.promise.then(() => answer(args, job))
    const first = (await wired.service.call('runs.start', { request: request() })).run
    const second = (await wired.service.call('runs.start', { request: request() })).run
    await expect.poll(() => wired.library.runs.stateOf(first.id)).toBe('planning')
    const { run } = await wired.service.call('runs.cancel', { run: second.id })
    expect(run).toMatchObject({ id: second.id, state: 'cancelled', failure: { code: 'cancelled' } })
    expect(wired.library.runs.stateOf(first.id)).toBe('planning')
    held.resolve()
    expect((await wired.service.call('runs.wait', { run: first.id })).run.state).toBe('done')
    expect(wired.runner.asked.filter(({ name }) => name === 'run')).toHaveLength(1)
  })

  test('keeps the lists it was given, and checks with them later', async () => {
    const list = join(wired.folder, 'closed.txt')
    writeFileSync(list, '2\n')
    const run = await wired.runToEnd({ excludeFile: list })
    writeFileSync(list, '3\n')
    await wired.service.call('verify', { of: run.id })
    const { excludeFile } = wired.runner.asked.at(-1)!.args as { excludeFile: string }
    expect(readFileSync(excludeFile, 'utf8')).toBe('2\n')
  })

  test('a list that is not there fails before the run exists', async () => {
    await expect(wired.runToEnd({ keepFile: join(wired.folder, 'nothing') })).rejects.toMatchObject({ code: 'input' })
    expect(wired.library.runs.list()).toEqual([])
    expect(readdirSync(join(wired.library.folder, 'runs'))).toEqual([])
  })

  test('a verification passes over nothing that it was asked', async () => {
    const verify = (asked: object) => wired.service.call('verify', { of: 'path', ...asked })
    const files = { set: 'set.txt', pairs: 'pairs.csv' }
    for (const asked of [files, { pairs: 'pairs.csv', exclude: 'list.txt' }])
      await expect(verify(asked)).rejects.toMatchObject({ code: 'usage' })
    for (const option of [{ weights: 'random3' }, { ties: 'id' }, { seed: 4 }])
      await expect(verify({ set: 'set.txt', ...option })).rejects.toThrow(`${Object.keys(option)[0]} goes with pairs`)
  })

  test('an unknown dataset is an input failure', async () => {
    await expect(wired.runToEnd({ dataset: 'nothing' })).rejects.toThrow(/no dataset called "nothing"/)
  })

  test('are exported with their record beside the file', async () => {
    const run = await wired.runToEnd()
    const output = join(wired.folder, 'set.txt')
    const exported = await wired.service.call('export', { run: 'latest', format: 'ids', output })
    expect(exported.outcome.members).toBe(2)
    expect(JSON.parse(readFileSync(exported.recordFile!, 'utf8'))).toEqual(run.record)
  })

  test('a set on disk that is not the recorded one fails its check', async () => {
    await wired.runToEnd()
    wired.runner.answers.verify = async () => ({ verified: true, size: 2, hash: 'f00', upperBound: 2, elapsedMs: 1 })
    await expect(wired.service.call('verify', { of: 'latest' })).rejects.toMatchObject({ code: 'verification' })
  })

  test("another program's set is checked against a dataset, which alone is not enough", async () => {
    const { verdict, run } = await wired.service.call('verify', { of: 'path', set: 'other.txt' })
    expect([verdict.verified, run]).toEqual([true, null])
    expect(wired.runner.asked.at(-1)).toMatchObject({
      args: { set: { kind: 'ids', file: expect.stringMatching(/other\.txt$/) } },
    })
    await expect(wired.service.call('verify', { of: 'path' })).rejects.toThrow(/the set to check is missing/)
    await expect(wired.service.call('verify', { of: 'nothing' })).rejects.toThrow(/no run "nothing"/)
    await expect(wired.service.call('verify', { of: 'nothing', set: 'x' })).rejects.toThrow(
      /no dataset called "nothing"/,
    )
  })

  test('removing one takes its folder', async () => {
    const run = await wired.runToEnd()
    await wired.service.call('runs.remove', { run: run.id })
    expect(existsSync(wired.library.runFolder(run.id))).toBe(false)
    expect(wired.library.runs.list()).toEqual([])
  })

  test('one that cannot be taken out of the library keeps its folder', async () => {
    const run = await wired.runToEnd()
    const { runs } = wired.library
    const remove = runs.remove.bind(runs)
    runs.remove = () => {
      throw new Failure({ code: 'storage', where: 'library.sqlite', what: 'it is full', remedy: '' })
    }
    await expect(wired.service.call('runs.remove', { run: run.id })).rejects.toMatchObject({ code: 'storage' })
    runs.remove = remove
    expect(existsSync(wired.library.runFolder(run.id))).toBe(true)
    expect(readdirSync(join(wired.library.folder, 'runs'))).toEqual([run.id])
  })
})
