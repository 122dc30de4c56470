import { expect, it, vi } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const read = vi.hoisted(() => ({ path: '', bytes: 0 }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const open = async (...args: Parameters<typeof real.open>) => {
    const file = await real.open(...args)
    const readFile = file.read.bind(file) as (...of: unknown[]) => Promise<{ bytesRead: number }>
    const counted = async (...of: unknown[]) => {
      const done = await readFile(...of)
      if (args[0] === read.path) read.bytes += done.bytesRead
      return done
    }
    return Object.assign(file, { read: counted })
  }
  return { ...real, open }
})

const work = new Workplace()
const ROWS = 700_000
const lines = (rest: (i: number) => string): string =>
  Array.from({ length: ROWS }, (_, i) => `${i},${(7919 * i) % ROWS}${rest(i)}\n`).join('')
const pairs = `source,target\n${lines(() => '')}`
const weighted = `source,target,weight\n${lines((i) => `,${1 + (i % 9)}`)}`
const kinds = `source,target,kind\n${lines((i) => `,k${i % 9}`)}`

it.each([
  ['pairs', pairs, false],
  ['pairs and their weights', weighted, false],
  ['pairs and a column more', kinds, true],
])('columns of attributes: %s are read a second time only where there are some', async (_what, content, hasSome) => {
  read.path = work.file('t.csv', content)
  const readBytes = async (attributes: string): Promise<number> => {
    read.bytes = 0
    const folder = work.newFolder()
    const { report } = await importGraph({ source: read.path, folder, threads: 1, table: { attributes } }, quietJob)
    expect(report).toMatchObject({ entries: ROWS })
    expect(report.attributes !== undefined).toBe(hasSome && attributes === 'all')
    return read.bytes
  }
  const [without, all] = [await readBytes('none'), await readBytes('all')]
  const { length } = content
  // A text is read in chunks of 4 MiB.
  expect(length).toBeGreaterThan(8 << 20)
  if (hasSome) expect(all - without).toBeGreaterThanOrEqual(length)
  else expect(all - without).toBeLessThan(0.6 * length)
})
