import { join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { eventSchema, type ServiceEvent } from '../../../electron/contract/events.ts'
import type { Work } from '../../../electron/contract/work.ts'
import { Library } from '../../../electron/library/library.ts'
import { Service } from '../../../electron/service/service.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { throwIfCancelled, type JobContext } from '../../../workers/base/job.ts'
import { request, temporaryFolder } from '../library/fixtures.ts'
import { FakeRunner } from './fake-runner.ts'

let library: Library
let runner: FakeRunner
let service: Service
let told: Work[]

beforeEach(() => {
  library = Library.open(join(temporaryFolder(), 'library'))
  runner = new FakeRunner()
  service = new Service({ library, runner })
  told = []
  service.listen((event: ServiceEvent) => {
    expect(eventSchema.parse(event)).toEqual(event)
    if (event.type === 'work-changed') told.push(event.work)
  })
  return () => service.close()
})

const list = async (): Promise<Work[]> => (await service.call('work.list', {})).work
const untilCancelled = async (_args: unknown, job: JobContext): Promise<never> => {
  for (;;) {
    throwIfCancelled(job.signal)
    job.progress({ phase: 'parse', done: 1, total: 4, unit: 'bytes' })
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

test('an import is work from its beginning to its dataset, until it is dismissed', async () => {
  await service.call('datasets.import', { source: '/graphs/path.txt' })
  expect(told.map(({ state }) => state)).toEqual(['running', 'done'])
  const [work] = await list()
  expect(work).toMatchObject({ kind: 'import', subject: 'path', name: 'path.txt', result: { dataset: 'path' } })
  await service.call('work.dismiss', { id: work!.id })
  expect(await list()).toEqual([])
  await expect(service.call('work.dismiss', { id: work!.id })).rejects.toMatchObject({ code: 'input' })
})

test('work shows its progress, and stops when it is cancelled', async () => {
  runner.answers.generate = untilCancelled
  const end = service.call('datasets.generate', { model: 'star', vertices: 5, seed: 1 })
  const refused = expect(end).rejects.toMatchObject({ code: 'cancelled' })
  await vi.waitFor(async () => expect((await list())[0]?.progress).toMatchObject({ phase: 'parse', total: 4 }))
  const { id } = (await list())[0]!
  await expect(service.call('work.dismiss', { id })).rejects.toMatchObject({ code: 'usage' })
  await service.call('work.cancel', { id })
  await refused
  expect(await list()).toMatchObject([{ id, kind: 'generate', state: 'cancelled', failure: { code: 'cancelled' } }])
  await expect(service.call('work.cancel', { id })).rejects.toMatchObject({ code: 'usage' })
})

test('work that fails keeps the words of its failure', async () => {
  runner.answers.sample = async () => {
    throw new Failure({ code: 'storage', what: 'the disk is full', remedy: 'Free some space.' })
  }
  await expect(service.call('datasets.sample', { sample: 'cities', radiusKm: 10 })).rejects.toThrow(/disk is full/)
  expect(await list()).toMatchObject([{ state: 'failed', subject: 'cities-10km', failure: { code: 'storage' } }])
})

test('a run is work under its own id, and is cancelled like any other', async () => {
  await service.call('datasets.import', { source: 'path.txt' })
  runner.answers.run = untilCancelled
  const { run } = await service.call('runs.start', { request: request(), name: 'tonight' })
  expect((await list()).at(-1)).toMatchObject({ id: run.id, kind: 'run', name: 'tonight', state: 'running' })
  await service.call('work.cancel', { id: run.id })
  await service.call('runs.wait', { run: run.id })
  expect((await list()).at(-1)).toMatchObject({ id: run.id, state: 'cancelled' })
  await service.call('runs.remove', { run: run.id })
  expect((await list()).map(({ id }) => id)).not.toContain(run.id)
})

test('a run that is asked to stop is cancelling at once, whoever asks, until it ends', async () => {
  await service.call('datasets.import', { source: 'path.txt' })
  runner.answers.run = untilCancelled
  const { run } = await service.call('runs.start', { request: request() })
  await vi.waitFor(async () => expect((await service.call('runs.get', { run: run.id })).run.state).not.toBe('queued'))
  const ended = service.call('runs.cancel', { run: run.id })
  expect((await list()).at(-1)).toMatchObject({ id: run.id, state: 'cancelling' })
  expect((await ended).run.state).toBe('cancelled')
  const states = told.filter(({ id }) => id === run.id).map(({ state }) => state)
  expect([...new Set(states)]).toEqual(['running', 'cancelling', 'cancelled'])
})

test('an import whose program was killed can be seen, and dismissed for now', async () => {
  const scratch = join(library.folder, 'datasets', 'big-abc123.import')
  mkdirSync(scratch)
  const args = { source: '/graphs/big.txt', folder: join(library.folder, 'datasets', 'big-abc123'), datasetName: 'big' }
  const manifest = { pid: 2 ** 30, startedAt: '2026-11-20T10:00:00.000Z', args, stages: {} }
  writeFileSync(join(scratch, 'manifest.json'), JSON.stringify(manifest))
  const [work] = await list()
  expect(work).toMatchObject({ kind: 'import', subject: 'big', state: 'interrupted', name: '/graphs/big.txt' })
  await service.call('work.dismiss', { id: work!.id })
  expect(await list()).toEqual([])
  expect((await service.call('datasets.remainders', {})).remainders).toHaveLength(1)
})

test('of ended work the newest fifty are kept', async () => {
  for (let i = 0; i < 53; i++) await service.call('datasets.sample', { sample: 'cities', radiusKm: 1, name: `c${i}` })
  const names = (await list()).map(({ name }) => name)
  expect(names).toHaveLength(50)
  expect([names[0], names.at(-1)]).toEqual(['c3', 'c52'])
})
