import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Library } from '../../../electron/library/library.ts'
import { Service } from '../../../electron/service/service.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { FakeRunner } from '../service/fake-runner.ts'
import { pathFacts, request, temporaryFolder } from './fixtures.ts'

// To root every folder of a disk that takes writes is writable: what the system says of these is made up.
const { locked } = vi.hoisted(() => ({ locked: new Set<string>() }))
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>()
  const accessSync = (path: string, mode?: number): void => {
    if ([...locked].some((folder) => path.startsWith(folder)))
      throw Object.assign(new Error('read-only'), { code: 'EROFS' })
    real.accessSync(path, mode)
  }
  return { ...real, accessSync, default: { ...real, accessSync } }
})

let folder: string
beforeEach(() => {
  folder = join(temporaryFolder(), 'library')
  const library = Library.open(folder)
  const { id } = library.datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
  library.runs.insert({ id: 'r1', datasetId: id, request: request({ dataset: 'path' }) })
  mkdirSync(join(folder, 'datasets', 'path-1'))
  library.close()
  locked.add(folder)
})
afterEach(() => locked.clear())

describe('a library that cannot be written', () => {
  test('shows what it has, and is left as it is', () => {
    mkdirSync(join(folder, 'runs', '.removed-old'))
    const before = readdirSync(folder, { recursive: true })
    const library = Library.open(folder)
    expect(library.readOnly).toBe(true)
    expect(library.datasets.get('path')).toMatchObject({ name: 'path', vertices: 3 })
    expect(library.runs.list().map(({ id }) => id)).toEqual(['r1'])
    expect(library.scratchFolder('serve').startsWith(tmpdir())).toBe(true)
    expect(() => library.datasets.rename('path', 'other')).toThrow('the library cannot be written')
    library.close()
    expect(readdirSync(folder, { recursive: true })).toEqual(before)
    locked.clear()
    const writable = Library.open(folder)
    expect(writable.readOnly).toBe(false)
    expect(writable.datasets.get('path').name).toBe('path')
    writable.close()
  })

  test('has what a program that was killed left in the log of its database', () => {
    locked.clear()
    const running = Library.open(folder)
    running.datasets.rename('path', 'renamed')
    // As it is on the disk while the program runs.
    const copy = join(temporaryFolder(), 'copy')
    mkdirSync(copy)
    for (const name of readdirSync(folder).filter((each) => each.startsWith('library.sqlite')))
      copyFileSync(join(folder, name), join(copy, name))
    expect(existsSync(join(copy, 'library.sqlite-wal'))).toBe(true)
    running.close()
    locked.add(copy)
    const library = Library.open(copy)
    expect(library.datasets.list().map(({ name }) => name)).toEqual(['renamed'])
    library.close()
  })

  test('refuses calls that would change it, and no others', async () => {
    const service = new Service({ library: Library.open(folder), runner: new FakeRunner() })
    const cannot = { code: 'storage', what: 'the library cannot be written', where: folder }
    const changes = [
      () => service.call('datasets.import', { source: 'x.txt' }, quietJob),
      () => service.call('datasets.rename', { name: 'path', to: 'other' }),
      () => service.call('datasets.remove', { name: 'path' }),
      () => service.call('runs.start', { request: request({ dataset: 'path' }) }),
      () => service.call('runs.annotate', { run: 'r1', note: 'x' }),
      () => service.call('settings.set', { settings: {} }),
      () => service.call('lists.write', { labels: ['a'] }),
    ]
    for (const change of changes) await expect(change()).rejects.toMatchObject(cannot)
    expect((await service.call('datasets.list', {})).datasets).toHaveLength(1)
    expect((await service.call('runs.get', { run: 'r1' })).run.id).toBe('r1')
    expect((await service.call('library.status', {})).datasets).toBe(1)
    await service.close()
  })
})
