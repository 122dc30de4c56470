import type { fsync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it, vi } from 'vitest'
import { Workplace } from '../../../support/ingest-cases.ts'

const flushed = vi.hoisted(() => new Set<string>())
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const noted: typeof fsync = ((file: number, done: () => void) => {
    flushed.add(real.readlinkSync(`/proc/self/fd/${file}`))
    real.fsync(file, done)
  }) as typeof fsync
  return { ...real, fsync: noted }
})

const work = new Workplace()

it.runIf(process.platform === 'linux')('all files of a dataset are on the disk before it has its name', async () => {
  await work.imported('a.txt', 'a b\nb c\n')
  expect([...flushed].map((path) => basename(path))).toEqual(
    expect.arrayContaining(['graph.gr', 'labels', 'report.json']),
  )
})
