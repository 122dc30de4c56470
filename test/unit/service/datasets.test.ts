import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Failure } from '../../../workers/base/failure.ts'
import { pathFacts } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()
const allFolders = (): string[] => readdirSync(join(wired.library.folder, 'datasets'))
/** Without the trash. */
const datasetFolders = (): string[] => allFolders().filter((name) => !name.startsWith('.'))

describe('datasets', () => {
  test('an import is named after its file and known with its folder', async () => {
    const { dataset, reused } = await wired.importPath('graphs.v2.txt.gz')
    expect(dataset.name).toBe('graphs.v2')
    expect(reused).toBe(false)
    expect(existsSync(join(wired.library.datasetFolder(dataset), 'graph.gr'))).toBe(true)
    expect((await wired.service.call('datasets.list', {})).datasets).toEqual([dataset])
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
  })

  test('removing one takes row and folder, renaming keeps the folder', async () => {
    const { dataset } = await wired.importPath()
    const renamed = (await wired.service.call('datasets.rename', { name: 'path', to: 'way' })).dataset
    expect(renamed.folder).toBe(dataset.folder)
    await wired.service.call('datasets.remove', { name: 'way' })
    expect(datasetFolders()).toEqual([])
    expect(wired.library.datasets.list()).toEqual([])
    expect(wired.events.map(({ type }) => type)).toEqual(['dataset-changed', 'dataset-changed', 'dataset-removed'])
  })
})

describe('removed datasets', () => {
  test('come back with their files, tags and runs', async () => {
    await wired.importPath()
    await wired.service.call('datasets.tag', { name: 'path', tags: ['roads', 'roads', '2026'] })
    const run = await wired.runToEnd()
    const { dataset, restorableUntil } = await wired.service.call('datasets.remove', { name: 'path' })
    expect(dataset).toMatchObject({ tags: ['roads', '2026'], lastRun: { run: run.id, state: 'done' } })
    expect(Date.parse(restorableUntil)).toBeGreaterThan(Date.now() + 9 * 60_000)
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
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await wired.importPath()
      await wired.service.call('datasets.remove', { name: 'path' })
      rmSync(join(wired.library.folder, 'datasets'), { recursive: true })
      const discard = vi.spyOn(wired.library, 'discard')
      expect(() => vi.advanceTimersByTime(3_600_000)).not.toThrow()
      // Gone is removed.
      expect(discard.mock.results).toEqual([{ type: 'return', value: undefined }])

      mkdirSync(join(wired.library.folder, 'datasets'))
      await wired.importPath()
      await wired.service.call('datasets.remove', { name: 'path' })
      discard.mockImplementation(() => {
        throw new Failure({ code: 'storage', where: 'datasets', what: 'the disk is gone', remedy: '' })
      })
      expect(() => vi.advanceTimersByTime(3_600_000)).not.toThrow()
      expect(discard.mock.results.at(-1)).toMatchObject({ type: 'throw' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('are all removed or none', async () => {
    await wired.importPath()
    await expect(wired.service.call('datasets.removeMany', { names: ['path', 'nothing'] })).rejects.toThrow(/"nothing"/)
    expect((await wired.service.call('datasets.list', {})).datasets).toHaveLength(1)
  })

  test('are deleted for good when the program ends', async () => {
    await wired.importPath()
    await wired.service.call('datasets.removeMany', { names: ['path', 'path'] })
    expect(allFolders()).toHaveLength(1)
    await wired.service.close()
    expect(allFolders()).toEqual([])
  })
})

describe('what a dataset says of itself', () => {
  test('tags are added and taken away of several at once', async () => {
    await wired.importPath('a.txt')
    await wired.importPath('b.txt')
    await wired.service.call('datasets.tag', { name: 'a', tags: ['old', 'kept'] })
    const args = { names: ['a', 'b'], add: ['new'], remove: ['old'] }
    const { datasets } = await wired.service.call('datasets.tagMany', args)
    expect(datasets.map(({ tags }) => tags)).toEqual([['kept', 'new'], ['new']])
    for (const tags of [[''], [' x'], ['a,b'], ['x'.repeat(51)]])
      await expect(wired.service.call('datasets.tag', { name: 'a', tags })).rejects.toMatchObject({ code: 'usage' })
  })

  test('bytes on disk, places and the newest run', async () => {
    const { dataset } = await wired.importPath()
    expect(dataset).toMatchObject({ diskBytes: 5, coordinates: false, lastRun: null })
    const path = wired.library.datasetFolder(dataset)
    mkdirSync(join(path, 'tiles'))
    writeFileSync(join(path, 'tiles', 'degree.tiles'), Buffer.alloc(4096))
    writeFileSync(join(path, 'coordinates'), Buffer.alloc(24))
    const run = await wired.runToEnd()
    expect((await wired.service.call('datasets.get', { name: 'path' })).dataset).toMatchObject({
      diskBytes: 5 + 4096 + 24,
      coordinates: true,
      lastRun: { run: run.id, algorithm: 'ecl-mis', state: 'done', at: run.finishedAt },
    })
  })
})
