import { expect, it, vi } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'

const failing = vi.hoisted(() => ({ path: '' }))
const error = () => Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const readSync = (...args: Parameters<typeof real.readSync>): number => {
    if (args.length > 3 && real.readlinkSync(`/proc/self/fd/${args[0]}`) === failing.path) throw error()
    return real.readSync(...args)
  }
  return { ...real, readSync }
})

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const open = async (...args: Parameters<typeof real.open>) => {
    const file = await real.open(...args)
    let reads = 0
    const read = file.read.bind(file) as (...args: unknown[]) => Promise<{ bytesRead: number; buffer: Uint8Array }>
    return Object.assign(file, {
      read: (...of: unknown[]) => (args[0] === failing.path && ++reads > 2 ? Promise.reject(error()) : read(...of)),
    })
  }
  return { ...real, open }
})

const work = new Workplace()
const edges = Array.from({ length: 150_000 }, (_, i) => `${i} ${(7 * i) % 1000}\n`).join('')

it.runIf(process.platform === 'linux').each([
  ['lines in memory', 'a.txt', edges, {}],
  ['text', 'a.txt', 'a b\nb c\n', { chunkBytes: 4 }],
  ['a binary graph', 'a.egr', new Uint8Array(Int32Array.from([2, 2, 0, 1, 2, 1, 0]).buffer), {}],
] as const)('%s: a disk that cannot be read is named by the file on it', async (_what, name, content, tuning) => {
  const source = work.file(name, content)
  failing.path = source
  const importing = importGraph({ source, folder: work.newFolder(), threads: 1 }, quietJob, tuning)
  expect(await failureOf(importing)).toMatchObject({ code: 'storage', where: source })
  failing.path = ''
})
