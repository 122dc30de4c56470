import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventSchema } from '../../../electron/contract/events.ts'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import { runRecordSchema } from '../../../electron/contract/run.ts'
import { defaultSettings } from '../../../electron/contract/settings.ts'
import { Library } from '../../../electron/library/library.ts'
import { Service } from '../../../electron/service/service.ts'
import { Failure } from '../../../workers/failure.ts'
import { throwIfCancelled } from '../../../workers/job.ts'
import { pathFacts, pathOutcome, request, temporaryFolder } from '../library/fixtures.ts'
import { FakeRunner } from './fake-runner.ts'

let folder: string
let library: Library
let runner: FakeRunner
let service: Service
let events: ServiceEvent[]

beforeEach(() => {
  folder = temporaryFolder()
  library = Library.open(join(folder, 'library'))
  runner = new FakeRunner()
  service = new Service({ library, runner })
  events = []
  service.listen((event) => {
    if (!event.type.startsWith('work-')) events.push(event)
  })
  return () => service.close()
})

const importPath = (file = 'path.txt') => service.call('datasets.import', { source: join(folder, file) })
const allFolders = (): string[] => readdirSync(join(library.folder, 'datasets'))
/** Without the trash. */
const datasetFolders = (): string[] => allFolders().filter((name) => !name.startsWith('.'))
const runToEnd = async (overrides = {}) => {
  const { run } = await service.call('runs.start', { request: request(overrides) })
  return (await service.call('runs.wait', { run: run.id })).run
}

describe('datasets', () => {
  test('an import is named after its file and known with its folder', async () => {
    const { dataset, reused } = await importPath('graphs.v2.txt.gz')
    expect(dataset.name).toBe('graphs.v2')
    expect(reused).toBe(false)
    expect(existsSync(join(library.datasetFolder(dataset), 'graph.gr'))).toBe(true)
    expect((await service.call('datasets.list', {})).datasets).toEqual([dataset])
  })

  test('a second import of one name fails before any work', async () => {
    await importPath()
    await expect(importPath()).rejects.toThrow(/called "path" already/)
    expect(runner.asked).toHaveLength(1)
    expect(datasetFolders()).toHaveLength(1)
  })

  test('of two imports at the same time under one name one is kept, and no folder is left over', async () => {
    const ends = await Promise.allSettled([importPath(), importPath()])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(runner.asked).toHaveLength(2)
    expect(datasetFolders()).toEqual(library.datasets.list().map((dataset) => dataset.folder))
    expect(datasetFolders()).toHaveLength(1)
  })

  test('a failed import leaves neither row nor folder', async () => {
    runner.answers.import = async (args) => {
      mkdirSync(args.folder)
      throw new Failure({ code: 'input', where: 'path.txt:2', what: 'no number', remedy: 'Mend it.' })
    }
    await expect(importPath()).rejects.toThrow('path.txt:2: no number. Mend it.')
    expect(datasetFolders()).toEqual([])
    expect(library.datasets.list()).toEqual([])
  })

  test('a name that could be taken for a path or an option is refused', async () => {
    for (const name of ['a/b', '-x', '.', '..', '', ' x', 'x '])
      await expect(service.call('datasets.import', { source: 'x', name })).rejects.toMatchObject({ code: 'usage' })
    expect(runner.asked).toEqual([])
  })

  test('the same file again is re-used where asked, another file under its name is not', async () => {
    const file = join(folder, 'path.txt')
    writeFileSync(file, '1 2\n2 3\n')
    const sourceSha256 = createHash('sha256').update('1 2\n2 3\n').digest('hex')
    const facts = pathFacts()
    runner.answers.import = async (args) => {
      mkdirSync(args.folder)
      return { ...facts, report: { ...facts.report, sourceSha256 } }
    }
    const first = await service.call('datasets.import', { source: file, reuse: true })
    const second = await service.call('datasets.import', { source: file, reuse: true })
    expect([first.reused, second.reused]).toEqual([false, true])
    expect(second.dataset).toEqual(first.dataset)
    writeFileSync(file, '1 2\n')
    await expect(service.call('datasets.import', { source: file, reuse: true })).rejects.toThrow(
      /made from something else/,
    )
    expect(runner.asked).toHaveLength(1)
  })

  test('generated graphs and samples are named after what they are', async () => {
    const names = [
      await service.call('datasets.generate', { model: 'rmat', scale: 20, edgeFactor: 16, seed: 1 }),
      await service.call('datasets.generate', { model: 'uniform', vertices: 1000, degree: 8, seed: 7 }),
      await service.call('datasets.generate', { model: 'grid', rows: 3, columns: 4, seed: 1 }),
      await service.call('datasets.sample', { sample: 'cities', radiusKm: 10 }),
    ].map(({ dataset }) => dataset.name)
    expect(names).toEqual(['rmat-20s-16ef', 'uniform-1000-d8-seed7', 'grid-3x4', 'cities-10km'])
    expect(runner.asked[0]!.args).toEqual({
      model: 'rmat',
      scale: 20,
      edgeFactor: 16,
      seed: 1,
      folder: expect.stringContaining('rmat-20s-16ef'),
    })
  })

  test('removing one takes row and folder, renaming keeps the folder', async () => {
    const { dataset } = await importPath()
    const renamed = (await service.call('datasets.rename', { name: 'path', to: 'way' })).dataset
    expect(renamed.folder).toBe(dataset.folder)
    await service.call('datasets.remove', { name: 'way' })
    expect(datasetFolders()).toEqual([])
    expect(library.datasets.list()).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(['dataset-changed', 'dataset-changed', 'dataset-removed'])
  })
})

describe('removed datasets', () => {
  test('come back with their files, tags and runs', async () => {
    await importPath()
    await service.call('datasets.tag', { name: 'path', tags: ['roads', 'roads', '2026'] })
    const run = await runToEnd()
    const { dataset, restorableUntil } = await service.call('datasets.remove', { name: 'path' })
    expect(dataset).toMatchObject({ tags: ['roads', '2026'], lastRun: { run: run.id, state: 'done' } })
    expect(Date.parse(restorableUntil)).toBeGreaterThan(Date.now() + 9 * 60_000)
    expect((await service.call('runs.get', { run: run.id })).run.datasetId).toBeNull()

    const restored = (await service.call('datasets.restore', { id: dataset.id })).dataset
    expect(restored).toEqual(dataset)
    expect(existsSync(join(library.datasetFolder(restored), 'graph.gr'))).toBe(true)
    expect((await service.call('runs.get', { run: run.id })).run.datasetId).toBe(dataset.id)
    await expect(service.call('datasets.restore', { id: dataset.id })).rejects.toMatchObject({ code: 'input' })
  })

  test('whose name is taken meanwhile come back under another', async () => {
    const { dataset } = await importPath()
    await service.call('datasets.remove', { name: 'path' })
    await importPath()
    await expect(service.call('datasets.restore', { id: dataset.id })).rejects.toThrow(/called "path" already/)
    const { dataset: restored } = await service.call('datasets.restore', { id: dataset.id, name: 'old path' })
    expect(restored).toMatchObject({ id: dataset.id, name: 'old path', folder: dataset.folder })
    expect(datasetFolders()).toHaveLength(2)
  })

  test('are all removed or none', async () => {
    await importPath()
    await expect(service.call('datasets.removeMany', { names: ['path', 'nothing'] })).rejects.toThrow(/"nothing"/)
    expect((await service.call('datasets.list', {})).datasets).toHaveLength(1)
  })

  test('are deleted for good when the program ends', async () => {
    await importPath()
    await service.call('datasets.removeMany', { names: ['path', 'path'] })
    expect(allFolders()).toHaveLength(1)
    await service.close()
    expect(allFolders()).toEqual([])
  })
})

describe('what a dataset says of itself', () => {
  test('tags are added and taken away of several at once', async () => {
    await importPath('a.txt')
    await importPath('b.txt')
    await service.call('datasets.tag', { name: 'a', tags: ['old', 'kept'] })
    const args = { names: ['a', 'b'], add: ['new'], remove: ['old'] }
    const { datasets } = await service.call('datasets.tagMany', args)
    expect(datasets.map(({ tags }) => tags)).toEqual([['kept', 'new'], ['new']])
    for (const tags of [[''], [' x'], ['a,b'], ['x'.repeat(51)]])
      await expect(service.call('datasets.tag', { name: 'a', tags })).rejects.toMatchObject({ code: 'usage' })
  })

  test('views of its graph, bytes on disk, places and the newest run', async () => {
    const { dataset } = await importPath()
    expect(dataset).toMatchObject({ views: [], diskBytes: 5, coordinates: false, lastRun: null })
    const path = library.datasetFolder(dataset)
    mkdirSync(join(path, 'views'))
    const view = (graph: string): string => JSON.stringify({ graph }).padEnd(4096)
    writeFileSync(join(path, 'views', 'oriented-degree-0.view'), view('c0ffee'))
    writeFileSync(join(path, 'views', 'oriented-ecl-0.view'), view('another graph'))
    writeFileSync(join(path, 'views', 'damaged.view'), 'no header')
    writeFileSync(join(path, 'coordinates'), Buffer.alloc(24))
    const run = await runToEnd()
    expect((await service.call('datasets.get', { name: 'path' })).dataset).toMatchObject({
      views: ['oriented-degree-0'],
      diskBytes: 5 + 2 * 4096 + 9 + 24,
      coordinates: true,
      lastRun: { run: run.id, algorithm: 'ecl-mis', state: 'done', at: run.finishedAt },
    })
  })
})

test('settings are kept, and only known values', async () => {
  expect((await service.call('settings.get', {})).settings).toEqual(defaultSettings)
  const { settings } = await service.call('settings.set', { settings: { theme: 'dark', defaultMemoryBytes: 2 ** 30 } })
  expect(settings).toEqual({ ...defaultSettings, theme: 'dark', defaultMemoryBytes: 2 ** 30 })
  expect(events).toEqual([{ type: 'settings-changed', settings }])
  const bad = { settings: { theme: 'pink' } } as unknown as { settings: { theme: 'dark' } }
  await expect(service.call('settings.set', bad)).rejects.toMatchObject({ code: 'usage' })
  expect(library.settings.get()).toEqual(settings)
})

test('the status counts what there is', async () => {
  await importPath()
  await runToEnd()
  const status = await service.call('library.status', {})
  expect(status).toMatchObject({ folder: library.folder, datasets: 1, runs: 1, usedBytes: 5, host: 'program' })
  expect(status.freeBytes).toBeGreaterThan(0)
})

describe('runs', () => {
  beforeEach(async () => {
    await importPath()
    events.length = 0
  })

  test('pass their states in order and end with a record that repeats them', async () => {
    const run = await runToEnd({ seed: 5 })
    expect(run.id).toMatch(/^\d{8}-\d{6}-[0-9a-f]{4}$/)
    const states = events.flatMap((event) => (event.type === 'run-changed' ? [event.run.state] : []))
    expect(states).toEqual(['queued', 'planning', 'running', 'verifying', 'done'])
    expect(run).toMatchObject({ size: 2, hash: '0123456789abcdef', failure: null })
    const record = runRecordSchema.parse(
      JSON.parse(readFileSync(join(library.runFolder(run.id), 'record.json'), 'utf8')),
    )
    expect(record).toEqual(run.record)
    expect(record.request).toEqual(request({ seed: 5 }))
    expect(record.dataset).toMatchObject({ name: 'path', checksum: 'c0ffee' })
    expect(record.versions).toEqual({
      anticlique: expect.stringMatching(/^\d/),
      node: process.versions.node,
      webgpu: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
  })

  test('every event fits the contract', async () => {
    await runToEnd()
    expect(events.length).toBeGreaterThan(5)
    for (const event of events) expect(eventSchema.parse(event)).toEqual(event)
  })

  test('a set that fails verification is a failed run with the witness, and cannot be exported', async () => {
    const sentence = '1 and 2 are both in the set and joined by an edge'
    const bad = { verified: false, law: 'independent', edge: ['1', '2'], sentence } as const
    const verification = { ...bad, size: 2, hash: 'x', upperBound: 2, elapsedMs: 1 }
    runner.answers.run = async () => pathOutcome({ verification })
    const run = await runToEnd()
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'verification', what: sentence }, size: 2 })
    const output = join(folder, 'set.txt')
    await expect(service.call('export', { run: run.id, format: 'ids', output })).rejects.toThrow(
      /failed and has no set/,
    )
    expect(existsSync(output)).toBe(false)
  })

  test.each([
    ['device', 'failed'],
    ['input', 'failed'],
    ['engine', 'interrupted'],
    ['cancelled', 'cancelled'],
  ] as const)('a failure of kind %s ends the run as %s', async (code, state) => {
    runner.answers.run = async () => {
      throw new Failure({ code, what: 'no', remedy: 'Try.' })
    }
    expect(await runToEnd()).toMatchObject({ state, failure: { code, what: 'no' } })
  })

  test('an interrupted run goes on from its checkpoint under its own id; a finished one has nothing to go on with', async () => {
    const answer = runner.answers.run
    runner.answers.run = async () => {
      throw new Failure({ code: 'engine', what: 'the engine died', remedy: 'Run it again.' })
    }
    const broken = await runToEnd()
    expect(broken.state).toBe('interrupted')
    runner.answers.run = answer
    const { run: queued } = await service.call('runs.resume', { run: broken.id })
    expect(queued).toMatchObject({ id: broken.id, state: 'queued', failure: null, finishedAt: null })
    const { run } = await service.call('runs.wait', { run: broken.id })
    expect(run).toMatchObject({ id: broken.id, state: 'done', failure: null })
    const [first, second] = runner.asked.filter(({ name }) => name === 'run').map(({ args }) => args)
    expect(second).toEqual({ ...(first as object), resume: true })
    await expect(service.call('runs.resume', { run: broken.id })).rejects.toThrow(
      /is done, there is nothing to go on with/,
    )
  })

  test('a bug ends the run as failed and is thrown', async () => {
    runner.answers.run = async () => {
      throw new TypeError('undefined is not a function')
    }
    await expect(runToEnd()).rejects.toThrow(TypeError)
    expect(library.runs.get('latest')).toMatchObject({ state: 'failed', failure: { code: 'fault' } })
  })

  test('cancelling stops the running one at once and the waiting one before it starts', async () => {
    runner.answers.run = async (_args, job) => {
      for (;;) {
        throwIfCancelled(job.signal)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const first = (await service.call('runs.start', { request: request() })).run
    const second = (await service.call('runs.start', { request: request() })).run
    await service.call('datasets.remove', { name: 'path' }).then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toMatch(/is working on this dataset/),
    )
    const ends = [service.call('runs.cancel', { run: second.id }), service.call('runs.cancel', { run: first.id })]
    expect((await Promise.all(ends)).map(({ run }) => run.state)).toEqual(['cancelled', 'cancelled'])
    expect(runner.asked.filter(({ name }) => name === 'run')).toHaveLength(1)
  })

  test('keeps the lists it was given, and checks with them later', async () => {
    const list = join(folder, 'closed.txt')
    writeFileSync(list, '2\n')
    const run = await runToEnd({ excludeFile: list })
    writeFileSync(list, '3\n')
    await service.call('verify', { of: run.id })
    const { excludeFile } = runner.asked.at(-1)!.args as { excludeFile: string }
    expect(readFileSync(excludeFile, 'utf8')).toBe('2\n')
  })

  test('a list that is not there fails before the run exists', async () => {
    await expect(runToEnd({ keepFile: join(folder, 'nothing') })).rejects.toMatchObject({ code: 'input' })
    expect(library.runs.list()).toEqual([])
    expect(readdirSync(join(library.folder, 'runs'))).toEqual([])
  })

  test('an unknown dataset is an input failure', async () => {
    await expect(runToEnd({ dataset: 'nothing' })).rejects.toThrow(/no dataset called "nothing"/)
  })

  test('are exported with their record beside the file', async () => {
    const run = await runToEnd()
    const output = join(folder, 'set.txt')
    const exported = await service.call('export', { run: 'latest', format: 'ids', output })
    expect(exported.outcome.members).toBe(2)
    expect(JSON.parse(readFileSync(exported.recordFile, 'utf8'))).toEqual(run.record)
  })

  test('a set on disk that is not the recorded one fails its check', async () => {
    await runToEnd()
    runner.answers.verify = async () => ({ verified: true, size: 2, hash: 'f00', upperBound: 2, elapsedMs: 1 })
    await expect(service.call('verify', { of: 'latest' })).rejects.toMatchObject({ code: 'verification' })
  })

  test("another program's set is checked against a dataset, which alone is not enough", async () => {
    const { verdict, run } = await service.call('verify', { of: 'path', set: 'other.txt' })
    expect([verdict.verified, run]).toEqual([true, null])
    expect(runner.asked.at(-1)).toMatchObject({
      args: { set: { kind: 'ids', file: expect.stringMatching(/other\.txt$/) } },
    })
    await expect(service.call('verify', { of: 'path' })).rejects.toThrow(/--set FILE/)
    await expect(service.call('verify', { of: 'nothing' })).rejects.toThrow(/no run "nothing"/)
    await expect(service.call('verify', { of: 'nothing', set: 'x' })).rejects.toThrow(/no dataset called "nothing"/)
  })

  test('removing one takes its folder', async () => {
    const run = await runToEnd()
    await service.call('runs.remove', { run: run.id })
    expect(existsSync(library.runFolder(run.id))).toBe(false)
    expect(library.runs.list()).toEqual([])
  })
})

test('arguments that do not fit the contract are refused with the name of the value', async () => {
  const bad = { request: { ...request(), seed: -1 } }
  await expect(service.call('runs.start', bad)).rejects.toMatchObject({
    code: 'usage',
    where: 'runs.start.request.seed',
  })
})

test('closing ends the engine', async () => {
  await service.close()
  expect(runner.closed).toBe(true)
})
