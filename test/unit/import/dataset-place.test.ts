import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileWriter } from '../../../workers/import/build/write-dataset.ts'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const asRoot = process.getuid?.() === 0

describe('where the dataset goes', () => {
  it('refuses a name that is taken, and leaves what is there alone', async () => {
    const folder = work.newFolder()
    const source = work.file('a.txt', '1 2\n')
    const { checksum } = await importGraph({ source, folder }, quietJob)
    const before = readdirSync(work.path)
    expect(checksum).toMatch(/^[0-9a-f]{64}$/)
    for (const again of [
      importGraph({ source, folder }, quietJob),
      generateGraph({ folder, seed: 1, model: 'grid', rows: 2, columns: 2 }, quietJob),
    ])
      expect(await failureOf(again)).toMatchObject({
        code: 'input',
        where: folder,
        what: expect.stringMatching(/is taken/),
      })
    expect(readdirSync(work.path)).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual(['graph.gr', 'graph.gr.sums', 'labels', 'labels.sums', 'report.json'])
  })

  it('lets one of two imports to the same name win', async () => {
    const folder = work.newFolder()
    const source = work.file('a.txt', '1 2\n')
    const both = await Promise.allSettled([
      importGraph({ source, folder }, quietJob),
      importGraph({ source, folder }, quietJob),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(readdirSync(work.path).sort()).toEqual(['a.txt', basename(folder)])
  })
})

/** Mounts a small disk at a folder for the time of a test. */
async function withSmallDisk(options: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(work.path, 'disk')
  mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  try {
    await use(folder)
  } finally {
    execFileSync('umount', [folder])
  }
}

function canMount(): boolean {
  if (!asRoot || process.platform !== 'linux') return false
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!canMount())('a full disk (skipped where a small one cannot be mounted)', () => {
  const grid = { seed: 0, model: 'grid', rows: 300, columns: 300 } as const

  it('is noticed before anything is written, with figures', () =>
    withSmallDisk('size=1m', async (disk) => {
      const failure = await failureOf(generateGraph({ ...grid, folder: join(disk, 'g') }, quietJob))
      expect(failure).toMatchObject({ code: 'storage', where: disk })
      expect(failure.what).toMatch(/needs 2\.\d MiB of scratch space, and the disk has 1\.0 MiB left/)
      expect(readdirSync(disk)).toEqual([])
    }))

  it('is noticed while writing, and nothing is left', () =>
    withSmallDisk('size=8m,nr_inodes=3', async (disk) => {
      // Room for bytes, but for one file only: creating the second one says that the disk is full.
      const failure = await failureOf(generateGraph({ ...grid, folder: join(disk, 'g') }, quietJob))
      expect(failure).toMatchObject({ code: 'storage', what: 'the disk is full' })
      expect(readdirSync(disk)).toEqual([])
    }))

  it('ends a write that no longer fits', () =>
    withSmallDisk('size=1m', async (disk) => {
      const file = new FileWriter(join(disk, 'f'))
      const writing = file.writeArray(new Uint8Array(3 << 20), () => Promise.resolve())
      expect(await failureOf(writing)).toMatchObject({ code: 'storage', where: join(disk, 'f') })
      await file.close()
      writeFileSync(join(disk, 'f'), '')
    }))
})
