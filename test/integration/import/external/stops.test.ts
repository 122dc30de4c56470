import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../workers/base/failure.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { type JobContext, type Progress, quietJob } from '../../../../workers/base/job.ts'
import { failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const BUDGET = { memoryBytes: 1 << 20, format: 'edge-list' } as const

/** Text ids make labels a stage of their own; integers beyond the bitmap do too. */
const lines = (id: (i: number) => string) =>
  Array.from({ length: 120_000 }, (_, i) => `${id((i * 7919) % 20_011)} ${id((i * i) % 30_011)}\n`).join('')
const integers = lines((i) => String(i))
const wide = lines((i) => String(BigInt(i) * 1_000_000_007n))
const texts = lines((i) => `v${i}`)
/** Weights that 32-bit floats do not hold, whose table waits in the scratch folder. */
const weighted = integers
  .split('\n')
  .slice(0, -1)
  .map((line, i) => `${line} ${(1 + (i % 999)) / 7}\n`)
  .join('')

/** Stops at the k-th progress of a phase; `abandoned` as when the program that asked is gone. */
function stoppedIn(phase: string, k: number, abandoned: boolean): JobContext & { readonly seen: Progress[] } {
  const seen: Progress[] = []
  let aborted = false
  const progress = (now: Progress) => {
    seen.push(now)
    if (now.phase === phase && seen.filter((one) => one.phase === phase).length > k) aborted = true
  }
  const signal = {
    get aborted() {
      return aborted
    },
    abandoned,
  }
  return { signal, progress, log: () => {}, seen }
}

/** What each content makes without a stop; both numbers of threads are compared with the same. */
const wholes = new Map<string, ReturnType<Workplace['imported']>>()
const wholeOf = async (content: string): ReturnType<Workplace['imported']> => {
  const made = wholes.get(content) ?? work.imported('b.txt', content)
  wholes.set(content, made)
  return made
}

describe.each([1, 2])('with %i threads', (threads) => {
  it.each([
    // Long enough that the reader rests within it, however fast the machine.
    ['parse', integers.repeat(30)],
    ['partition', integers],
    ['build', wide],
    ['partition', texts],
  ])('a cancel in %s leaves nothing', async (phase, content) => {
    const source = work.file('a.txt', content)
    const job = stoppedIn(phase, 0, false)
    const failure = await failureOf(importGraph({ source, folder: work.newFolder(), threads, ...BUDGET }, job))
    expect(failure).toMatchObject({ code: 'cancelled' })
    expect(job.seen.at(-1)?.phase).toBe(phase)
    expect(readdirSync(work.path)).toEqual(['a.txt'])
  })

  it.each([
    ['partition', integers],
    ['build', integers],
    ['build', wide],
    ['build', texts],
    ['build', weighted],
  ])('what is abandoned in %s is resumed, with the same bytes', async (phase, content) => {
    const source = work.file('a.txt', content)
    const folder = work.newFolder()
    const abandoned = stoppedIn(phase, 0, true)
    const failure = await failureOf(importGraph({ source, folder, threads, ...BUDGET }, abandoned))
    expect(failure).toMatchObject({ code: 'cancelled' })
    expect(existsSync(`${folder}.import/manifest.json`)).toBe(true)
    const job = stoppedIn('none', 0, false)
    await importGraph({ source, folder, threads: 3 - threads, ...BUDGET, resume: true }, job)
    expect(job.seen.some((progress) => progress.phase === 'parse')).toBe(false)
    expect(existsSync(`${folder}.import`)).toBe(false)
    const whole = await wholeOf(content)
    const found = readDataset(folder)
    expect(found.graphBytes.equals(whole.graphBytes)).toBe(true)
    expect(found.labels).toEqual(whole.labels)
    const { source: _a, elapsedMs: _b, ...report } = found.report
    expect(whole.report).toMatchObject(report)
    expect(found.report.arcs).toBeGreaterThan(100_000)
  })
})

it.each([
  ['half-way through its report', true],
  ['right after it got its name', false],
])('an import that was killed %s is resumed', async (_when, isUnnamed) => {
  const source = work.file('a.txt', integers)
  const folder = work.newFolder()
  const args = { source, folder, ...BUDGET, keepScratch: true }
  const facts = await importGraph(args, quietJob)
  if (isUnnamed) {
    const aside = `${folder}.import/dataset`
    renameSync(folder, aside)
    truncateSync(join(aside, 'report.json'), 20)
  }
  const resumed = await importGraph({ ...args, resume: true }, quietJob)
  expect(resumed.checksum).toBe(facts.checksum)
  expect(readDataset(folder).report).toMatchObject({ arcs: facts.arcs })
})

it('what is abandoned among its attributes is resumed, with the same bytes', async () => {
  const count = 100_000
  const source = work.file('a.txt', Array.from({ length: count }, (_, i) => `${i} ${(7 * i) % count}\n`).join(''))
  const rows = Array.from({ length: count }, (_, i) => `${i},n${i},${i / 2}\n`).join('')
  const args = { source, vertices: work.file('v.csv', `id,name,size\n${rows}`), threads: 1, ...BUDGET }
  const [folder, whole] = [work.newFolder(), work.newFolder()]
  let isWriting = false
  const signal = {
    get aborted() {
      return isWriting
    },
    abandoned: true,
  }
  const progress = ({ phase, total }: Progress) => void (isWriting ||= phase === 'attributes' && total !== undefined)
  const failure = await failureOf(importGraph({ ...args, folder }, { ...quietJob, signal, progress }))
  expect(failure).toMatchObject({ code: 'cancelled' })
  expect(readdirSync(`${folder}.import/dataset`)).toContain('vertices.arrow')
  await importGraph({ ...args, folder, resume: true }, quietJob)
  await importGraph({ ...args, folder: whole }, quietJob)
  expect(readdirSync(folder)).toEqual(readdirSync(whole))
  for (const name of ['graph.gr', 'names', 'vertices.arrow'])
    expect(readFileSync(join(folder, name)).equals(readFileSync(join(whole, name))), name).toBe(true)
})

it('an import that finds no room when it is resumed keeps what it has, and goes on when there is', async () => {
  const source = work.file('a.txt', integers)
  const folder = work.newFolder()
  const args = { source, folder, threads: 1, ...BUDGET }
  await failureOf(importGraph(args, stoppedIn('build', 0, true)))
  const noRoom = new Failure({ code: 'storage', where: folder, what: 'no room', remedy: 'Free some.' })
  const requireRoom = (): void => {
    throw noRoom
  }
  await expect(importGraph({ ...args, resume: true }, quietJob, { requireRoom })).rejects.toBe(noRoom)
  const resumed = await importGraph({ ...args, resume: true }, quietJob)
  const whole = await importGraph({ source, folder: work.newFolder(), threads: 1 }, quietJob)
  expect(resumed.checksum).toBe(whole.checksum)
})

it('an import of a file that has changed is not resumed', async () => {
  const source = work.file('a.txt', integers)
  const folder = work.newFolder()
  await failureOf(importGraph({ source, folder, threads: 1, ...BUDGET }, stoppedIn('build', 0, true)))
  work.file('a.txt', `${integers}1 2\n`)
  const failure = await failureOf(importGraph({ source, folder, ...BUDGET, resume: true }, quietJob))
  expect(failure).toMatchObject({ code: 'input', where: source })
})

it('an import with other columns of a table is not resumed', async () => {
  const source = work.file('a.txt', integers)
  const folder = work.newFolder()
  const ask = { source, folder, threads: 1, ...BUDGET }
  await failureOf(importGraph({ ...ask, table: { comment: '%' } }, stoppedIn('build', 0, true)))
  const other = importGraph({ ...ask, table: { comment: '#' }, resume: true }, quietJob)
  expect(await failureOf(other)).toMatchObject({ code: 'input', where: source })
})

it.each([1, 2])('the first bad line is told, whoever parsed the lines before: %i threads', async (threads) => {
  const good = integers.split('\n').slice(0, -1)
  const bad = good.toSpliced(100_000, 1, '7 -3').toSpliced(110_000, 1, 'x 1 2 3')
  const source = work.file('a.txt', `${bad.join('\n')}\n`)
  const failure = await work.refused(source, { threads, ...BUDGET })
  expect(failure).toMatchObject({ code: 'input', where: `${source}:100001` })
})

it('damage to compressed data is told at the same line, whoever parsed the lines before', async () => {
  const packed = gzipSync(integers)
  const source = work.file('cut.txt.gz', packed.subarray(0, packed.length >> 1))
  const one = await work.refused(source, { threads: 1, ...BUDGET })
  expect(one).toMatchObject({ code: 'input', where: expect.stringMatching(/cut\.txt\.gz:\d{4,}$/) })
  expect(await work.refused(source, { threads: 2, ...BUDGET })).toEqual(one)
})

it('two threads read comments and long ids between ordinary lines as one does', async () => {
  const content = `# head\n${integers}% late\n18446744073709551615 5\n"7" 8\n\n${wide}1 2\n`
  const one = await work.imported('a.txt', content, { threads: 1, ...BUDGET })
  const two = await work.imported('b.txt', content, { threads: 2, ...BUDGET })
  const memory = await work.imported('c.txt', content, { format: 'edge-list' })
  for (const found of [one, two]) {
    expect(found.graphBytes.equals(memory.graphBytes)).toBe(true)
    expect(found.labels).toEqual(memory.labels)
    expect(found.report).toMatchObject({ lines: memory.report.lines, warnings: memory.report.warnings })
  }
  expect(memory.report.entries).toBeGreaterThan(200_000)
})

/** A file system of 6 MB, where one can be made. */
function smallDisk(path: string): boolean {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it('a disk that gets full is told in one line, and nothing is left', async ({ skip }) => {
  const disk = join(work.path, 'disk')
  if (!smallDisk(disk)) skip('no file system can be mounted here')
  try {
    const source = work.file(
      'a.txt',
      lines((i) => `a-rather-long-name-for-the-vertex-${i}-${'x'.repeat(60)}`),
    )
    const failure = await failureOf(importGraph({ source, folder: join(disk, 'new'), threads: 1, ...BUDGET }, quietJob))
    expect(failure).toMatchObject({ code: 'storage' })
    expect(readdirSync(disk)).toEqual([])
  } finally {
    execFileSync('umount', [disk])
  }
})
