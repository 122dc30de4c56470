import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { StoredDataset } from '../../../electron/contract/dataset.ts'
import { Library } from '../../../electron/library/library.ts'
import { Service } from '../../../electron/service/service.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { readSealed } from '../../../workers/base/output-file.ts'
import { pathFacts } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()
const allFolders = (): string[] => readdirSync(join(wired.library.folder, 'datasets'))
/** Without the trash. */
const datasetFolders = (): string[] => allFolders().filter((name) => !name.startsWith('.'))

/** The program that is started next on the same library. */
function openAgain() {
  const library = Library.open(wired.library.folder)
  return { library, service: new Service({ library, runner: wired.runner }) }
}

describe('datasets', () => {
  test('an import is named after its file and known with its folder', async () => {
    const { dataset, reused } = await wired.importPath('graphs.v2.txt.gz')
    expect(dataset.name).toBe('graphs.v2')
    expect(reused).toBe(false)
    expect(existsSync(join(wired.library.datasetFolder(dataset), 'graph.gr'))).toBe(true)
    expect((await wired.service.call('datasets.list', {})).datasets).toEqual([dataset])
  })

  test('what another process changes in the library is told, and what this one changes is no news', async () => {
    wired.service.watchLibrary(5)
    const news = (): number => wired.events.filter(({ type }) => type === 'library-changed').length
    const version = vi.spyOn(wired.library, 'dataVersion', 'get')
    const looks = (): number => version.mock.calls.length
    await wired.importPath()
    const looked = looks()
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(looked + 1))
    expect(news()).toBe(0)
    const other = openAgain()
    const before = news()
    other.library.datasets.rename('path', 'renamed')
    await vi.waitFor(() => expect(news()).toBeGreaterThan(before))
    await other.service.close()
    // A library that cannot be read ends nothing.
    version.mockClear().mockImplementation(() => {
      throw new Failure({ code: 'storage', what: 'the disk is gone', remedy: 'Connect it again.' })
    })
    await vi.waitFor(() => expect(version.mock.calls.length).toBeGreaterThan(1))
  })

  test('a second import of one name fails before any work', async () => {
    await wired.importPath()
    await expect(wired.importPath()).rejects.toThrow(/called "path" already/)
    expect(wired.runner.asked).toHaveLength(1)
    expect(datasetFolders()).toHaveLength(1)
  })

  test('of two imports at the same time under one name one is kept, and no folder is left over', async () => {
    const { import: answer } = wired.runner.answers
    wired.runner.answers.import = async (args, job) => {
      mkdirSync(`${args.folder}.import`)
      return answer(args, job)
    }
    const ends = await Promise.allSettled([wired.importPath(), wired.importPath()])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(wired.runner.asked).toHaveLength(2)
    expect(datasetFolders()).toEqual(wired.library.datasets.list().map((dataset) => dataset.folder))
    expect(datasetFolders()).toHaveLength(1)
  })

  test('a failed import leaves neither row nor folder', async () => {
    wired.runner.answers.import = async (args) => {
      mkdirSync(args.folder)
      throw new Failure({ code: 'input', where: 'path.txt:2', what: 'no number', remedy: 'Mend it.' })
    }
    await expect(wired.importPath()).rejects.toThrow('path.txt:2: no number. Mend it.')
    expect(datasetFolders()).toEqual([])
    expect(wired.library.datasets.list()).toEqual([])
  })

  test('a name that could be taken for a path or an option is refused', async () => {
    for (const name of ['a/b', '-x', '.', '..', '', ' x', 'x '])
      await expect(wired.service.call('datasets.import', { source: 'x', name })).rejects.toMatchObject({
        code: 'usage',
      })
    expect(wired.runner.asked).toEqual([])
  })

  test('the same file again is re-used where asked, another file under its name is not', async () => {
    const file = join(wired.folder, 'path.txt')
    writeFileSync(file, '1 2\n2 3\n')
    const sourceSha256 = createHash('sha256').update('1 2\n2 3\n').digest('hex')
    const facts = pathFacts()
    wired.runner.answers.import = async (args) => {
      mkdirSync(args.folder)
      return { ...facts, report: { ...facts.report, sourceSha256 } }
    }
    const first = await wired.service.call('datasets.import', { source: file, reuse: true })
    const second = await wired.service.call('datasets.import', { source: file, reuse: true })
    expect([first.reused, second.reused]).toEqual([false, true])
    expect(second.dataset).toEqual(first.dataset)
    writeFileSync(file, '1 2\n')
    await expect(wired.service.call('datasets.import', { source: file, reuse: true })).rejects.toThrow(
      /made from something else/,
    )
    expect(wired.runner.asked).toHaveLength(1)
  })

  test('generated graphs and samples are named after what they are', async () => {
    const names = [
      await wired.service.call('datasets.generate', { model: 'rmat', scale: 20, edgeFactor: 16, seed: 1 }),
      await wired.service.call('datasets.generate', { model: 'uniform', vertices: 1000, degree: 8, seed: 7 }),
      await wired.service.call('datasets.generate', { model: 'grid', rows: 3, columns: 4, seed: 1 }),
      await wired.service.call('datasets.sample', { sample: 'cities', radiusKm: 10 }),
    ].map(({ dataset }) => dataset.name)
    expect(names).toEqual(['rmat-20s-16ef', 'uniform-1000-d8-seed7', 'grid-3x4', 'cities-10km'])
    expect(wired.runner.asked[0]!.args).toEqual({
      model: 'rmat',
      scale: 20,
      edgeFactor: 16,
      seed: 1,
      folder: expect.stringContaining('rmat-20s-16ef'),
    })
    const asked = (): string[] => wired.runner.asked.splice(0).map(({ name }) => name)
    expect(asked()).toEqual(['generate', 'generate', 'generate', 'sample'])
    await wired.service.call('datasets.generate', { model: 'grid', rows: 5, columns: 4, seed: 1, pack: true })
    expect(asked()).toEqual(['generate', 'pack'])
  })

  test('removing one takes row and folder, renaming keeps the folder', async () => {
    const { dataset } = await wired.importPath()
    const renamed = (await wired.service.call('datasets.rename', { name: 'path', to: 'way' })).dataset
    expect(renamed.folder).toBe(dataset.folder)
    await wired.service.call('datasets.remove', { name: 'way' })
    expect(datasetFolders()).toEqual([])
    expect(wired.library.datasets.list()).toEqual([])
    expect(wired.events.map(({ type }) => type)).toEqual([
      ...['dataset-changed', 'dataset-changed', 'removed-changed', 'dataset-removed'],
    ])
  })
})

describe('removed datasets', () => {
  test('come back with their files, tags and runs', async () => {
    await wired.importPath()
    await wired.service.call('datasets.tag', { name: 'path', tags: ['roads', 'roads', '2026'] })
    const run = await wired.runToEnd()
    const { dataset, restorableUntil } = await wired.service.call('datasets.remove', { name: 'path' })
    expect(dataset).toMatchObject({ tags: ['roads', '2026'], lastRun: { run: run.id, state: 'done' } })
    const day = 24 * 3_600_000
    expect(Date.parse(restorableUntil)).toBeGreaterThan(Date.now() + 29 * day)
    expect((await wired.service.call('datasets.removed', {})).removed).toEqual([
      {
        ...{ id: dataset.id, name: 'path', vertices: dataset.vertices, runs: [run.id], until: restorableUntil },
        bytes: expect.any(Number),
      },
    ])
    expect((await wired.service.call('runs.get', { run: run.id })).run.datasetId).toBeNull()

    const restored = (await wired.service.call('datasets.restore', { id: dataset.id })).dataset
    expect(restored).toEqual(dataset)
    expect(existsSync(join(wired.library.datasetFolder(restored), 'graph.gr'))).toBe(true)
    expect((await wired.service.call('runs.get', { run: run.id })).run.datasetId).toBe(dataset.id)
    await expect(wired.service.call('datasets.restore', { id: dataset.id })).rejects.toMatchObject({ code: 'input' })
  })

  test('whose name is taken meanwhile come back under another', async () => {
    const { dataset } = await wired.importPath()
    await wired.service.call('datasets.remove', { name: 'path' })
    await wired.importPath()
    await expect(wired.service.call('datasets.restore', { id: dataset.id })).rejects.toThrow(/called "path" already/)
    // Still removed: nothing of it lies among the others.
    expect(existsSync(wired.library.datasetFolder(dataset))).toBe(false)
    const { dataset: restored } = await wired.service.call('datasets.restore', { id: dataset.id, name: 'old path' })
    expect(restored).toMatchObject({ id: dataset.id, name: 'old path', folder: dataset.folder })
    expect(datasetFolders()).toHaveLength(2)
  })

  test('whose folders are gone meanwhile, or cannot be deleted in time, end nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const service = new Service({ library: wired.library, runner: wired.runner })
    try {
      const month = 31 * 24 * 3_600_000
      await wired.importPath()
      await service.call('datasets.remove', { name: 'path' })
      rmSync(join(wired.library.folder, 'datasets'), { recursive: true })
      expect(() => vi.advanceTimersByTime(month)).not.toThrow()
      expect((await service.call('datasets.removed', {})).removed).toEqual([])

      mkdirSync(join(wired.library.folder, 'datasets'))
      await wired.importPath()
      await service.call('datasets.remove', { name: 'path' })
      const discard = vi.spyOn(wired.library, 'discard').mockImplementation(() => {
        throw new Failure({ code: 'storage', where: 'datasets', what: 'the disk is gone', remedy: '' })
      })
      expect(() => vi.advanceTimersByTime(month)).not.toThrow()
      expect(discard.mock.results.at(-1)).toMatchObject({ type: 'throw' })
      // Whether it is there still or not, nobody is told that it could be brought back.
      expect((await service.call('datasets.removed', {})).removed).toEqual([])
      discard.mockRestore()
      expect(() => vi.advanceTimersByTime(3_600_000)).not.toThrow()
      expect(allFolders()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('are all removed or none', async () => {
    await wired.importPath()
    await expect(wired.service.call('datasets.removeMany', { names: ['path', 'nothing'] })).rejects.toThrow(/"nothing"/)
    expect((await wired.service.call('datasets.list', {})).datasets).toHaveLength(1)
  })

  test('outlive the program: the next one brings them back, until they expire or are deleted for good', async () => {
    const { dataset } = await wired.importPath()
    const run = await wired.runToEnd()
    await wired.service.call('datasets.removeMany', { names: ['path', 'path'] })
    await wired.service.close()
    expect(allFolders()).toHaveLength(1)
    const next = openAgain()
    const { removed } = await next.service.call('datasets.removed', {})
    expect(removed).toMatchObject([{ id: dataset.id, name: 'path', runs: [run.id] }])
    // Nothing else takes it for its own.
    expect((await next.service.call('datasets.remainders', {})).remainders).toEqual([])
    const restored = (await next.service.call('datasets.restore', { id: dataset.id })).dataset
    expect(restored).toMatchObject({ id: dataset.id, folder: dataset.folder, checksum: dataset.checksum })
    expect((await next.service.call('runs.get', { run: run.id })).run.datasetId).toBe(dataset.id)
    expect(readdirSync(next.library.datasetFolder(restored))).not.toContain('deleted.json')

    await next.service.call('datasets.remove', { name: 'path' })
    expect((await next.service.call('datasets.discard', { ids: [dataset.id + 1] })).removed).toHaveLength(1)
    expect((await next.service.call('datasets.discard', {})).removed).toEqual([])
    await next.service.close()
    expect(allFolders()).toEqual([])
  })

  test('whose program was killed at any step are there, or deleted, and never half of each', async () => {
    // As a kill leaves them: with a note beside the row; with a note and no row, before a deletion ends or a restoration.
    for (const step of ['noted', 'row gone'] as const) {
      const { dataset } = await wired.importPath()
      const folder = wired.library.datasetFolder(dataset)
      await wired.service.call('datasets.remove', { name: 'path' })
      const aside = join(dirname(folder), `.deleted-${dataset.folder}`)
      expect(existsSync(aside)).toBe(true)
      renameSync(aside, folder)
      if (step === 'noted') {
        const { row } = readSealed(join(folder, 'deleted.json')) as { row: StoredDataset }
        wired.library.datasets.restore(row, [])
      }
      const next = openAgain()
      const [there, deleted] = await Promise.all([
        next.service.call('datasets.list', {}),
        next.service.call('datasets.removed', {}),
      ])
      expect([step, there.datasets.length, deleted.removed.length]).toEqual([
        step,
        ...(step === 'noted' ? [1, 0] : [0, 1]),
      ])
      expect(existsSync(join(folder, 'deleted.json'))).toBe(false)
      if (step === 'noted') await next.service.call('datasets.remove', { name: 'path' })
      await next.service.call('datasets.discard', {})
      await next.service.close()
      expect(allFolders()).toEqual([])
    }
  })

  test('are deleted at once where that is asked for, or where a full disk has no room for a note', async () => {
    await wired.importPath()
    await wired.service.call('datasets.remove', { name: 'path', forGood: true })
    expect(allFolders()).toEqual([])
    const { dataset } = await wired.importPath()
    // No file can have the place of a folder.
    mkdirSync(join(wired.library.datasetFolder(dataset), 'deleted.json'))
    const { restorableUntil } = await wired.service.call('datasets.remove', { name: 'path' })
    expect(Date.parse(restorableUntil)).toBeLessThanOrEqual(Date.now())
    expect(allFolders()).toEqual([])
    expect(wired.library.datasets.list()).toEqual([])
  })

  test('are told to all windows', async () => {
    const { dataset } = await wired.importPath()
    await wired.service.call('datasets.remove', { name: 'path' })
    await wired.service.call('datasets.restore', { id: dataset.id })
    const told = wired.events.flatMap((event) => (event.type === 'removed-changed' ? [event.removed.length] : []))
    expect(told).toEqual([1, 0])
    expect(wired.events.some(({ type }) => type === 'run-changed')).toBe(false)
  })

  test('and their runs are told to all windows as they are then: without a dataset, and with it again', async () => {
    await wired.importPath()
    const run = await wired.runToEnd()
    const { dataset } = await wired.service.call('datasets.remove', { name: 'path' })
    const ofRun = () =>
      wired.events.flatMap((event) => (event.type === 'run-changed' && event.run.id === run.id ? [event.run] : []))
    expect(ofRun().at(-1)?.datasetId).toBeNull()
    await wired.service.call('datasets.restore', { id: dataset.id })
    expect(ofRun().at(-1)?.datasetId).toBe(dataset.id)
  })
})
