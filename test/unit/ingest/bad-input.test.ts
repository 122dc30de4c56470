import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FileWriter } from '../../../workers/ingest/file-writer.ts'
import { generateGraph } from '../../../workers/ingest/generate-graph.ts'
import { importGraph } from '../../../workers/ingest/import-graph.ts'
import { quietJob } from '../../../workers/job.ts'
import type { ImportArgs } from '../../../workers/jobs.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const mtx = (text: string, words = 'coordinate real general') => `%%MatrixMarket matrix ${words}\n${text}`
const asRoot = process.getuid?.() === 0

/** name of the file, its text, the line at fault, what is said about it. */
type Case = readonly [
  title: string,
  name: string,
  text: string,
  line: number,
  what: RegExp,
  options?: Partial<ImportArgs>,
]

const cases: readonly Case[] = [
  [
    'Matrix Market: fewer entries',
    'a.mtx',
    mtx('3 3 3\n1 2 1\n2 3 1\n'),
    4,
    /promises 3 entries, and the file ends after 2/,
  ],
  ['Matrix Market: more entries', 'a.mtx', mtx('3 3 1\n1 2 1\n2 3 1\n'), 4, /promises 1 entries, and here is one more/],
  ['Matrix Market: index 0', 'a.mtx', mtx('3 3 1\n0 2 1\n'), 3, /the row is 0, and Matrix Market counts from 1/],
  ['Matrix Market: row past the header', 'a.mtx', mtx('3 3 1\n9 2 1\n'), 3, /row 9 is past the header's 3 rows/],
  [
    'Matrix Market: column past the header',
    'a.mtx',
    mtx('3 3 1\n2 4 1\n'),
    3,
    /column 4 is past the header's 3 columns/,
  ],
  ['Matrix Market: negative index', 'a.mtx', mtx('3 3 1\n-2 1 1\n'), 3, /the row "-2" is negative/],
  ['Matrix Market: fractional index', 'a.mtx', mtx('3 3 1\n1.5 1 1\n'), 3, /the row "1.5" is not a whole number/],
  ['Matrix Market: NaN', 'a.mtx', mtx('3 3 1\n1 2 NaN\n'), 3, /"1 2 NaN" is not a number/],
  ['Matrix Market: infinity', 'a.mtx', mtx('3 3 1\n1 2 inf\n'), 3, /infinite/],
  [
    'Matrix Market: missing value',
    'a.mtx',
    mtx('3 3 1\n1 2\n'),
    3,
    /2 columns where a coordinate matrix of real has 3/,
  ],
  ['Matrix Market: extra column', 'a.mtx', mtx('3 3 1\n1 2 3 4\n'), 3, /4 columns/],
  ['Matrix Market: no size line', 'a.mtx', mtx('% only this\n'), 2, /ends before its size line/],
  ['Matrix Market: broken size line', 'a.mtx', mtx('3 3\n1 2 1\n'), 2, /the size line reads "3 3"/],
  ['Matrix Market: unknown field', 'a.mtx', mtx('1 1 0\n', 'coordinate double general'), 1, /field is "double"/],
  ['Matrix Market: not square', 'a.mtx', mtx('2 3 0\n', 'coordinate real symmetric'), 2, /2 x 3 is not square/],
  [
    'Matrix Market: too many vertices',
    'a.mtx',
    mtx('4294967295 4294967295 0\n'),
    2,
    /4294967295 vertices are past the 4294967294/,
  ],
  [
    'Matrix Market: zero under an explicit rule',
    'a.mtx',
    mtx('2 2 1\n1 2 0\n'),
    3,
    /"0" is zero/,
    { weightRule: 'absolute' },
  ],
  [
    'Matrix Market: dense, too few',
    'a.mtx',
    mtx('2 2\n1\n2\n3\n', 'array real general'),
    5,
    /promises 4 entries, and the file ends after 3/,
  ],
  ['METIS: fewer vertex lines', 'a.graph', '4 2\n2\n1 3\n', 3, /promises 4 vertices, and the file ends after 2/],
  ['METIS: more vertex lines', 'a.graph', '2 1\n2\n1\n2 1\n', 4, /promises 2 vertices, and here is one more/],
  [
    'METIS: more edges than promised',
    'a.graph',
    '3 1\n2 3\n1\n1\n',
    4,
    /promises 1 edges, that is 2 neighbours, and the lines hold 4/,
  ],
  [
    'METIS: fewer edges than promised',
    'a.graph',
    '3 3\n2\n1 3\n2\n',
    4,
    /promises 3 edges, that is 6 neighbours, and the lines hold 4/,
  ],
  ['METIS: neighbour 0', 'a.graph', '3 2\n2\n0 3 1\n2\n', 3, /the neighbour is 0, and METIS counts from 1/],
  [
    'METIS: neighbour past the header',
    'a.graph',
    '3 2\n2\n1 9\n2 1 3\n',
    3,
    /neighbour 9 is past the header's 3 vertices/,
  ],
  ['METIS: negative neighbour', 'a.graph', '3 2\n2\n1 -3\n2\n', 3, /"-3" is negative/],
  ['METIS: fractional neighbour', 'a.graph', '3 2\n2\n1 2.5\n2\n', 3, /"2.5" is not a whole number/],
  ['METIS: missing edge weight', 'a.graph', '2 1 1\n2 5\n1\n', 3, /no edge weight, which fmt promises/],
  ['METIS: missing vertex weight', 'a.graph', '2 1 10 2\n1 1 2\n1\n', 3, /1 of the 2 numbers/],
  ['METIS: bad fmt', 'a.graph', '2 1 7\n2\n1\n', 1, /fmt is "7"/, { format: 'metis' }],
  [
    'METIS: too many vertices',
    'a.graph',
    '5000000000 1\n2\n1\n',
    1,
    /5000000000 vertices are past/,
    { format: 'metis' },
  ],
  ['edge list: negative id', 'a.txt', '1 2\n-5 3\n', 2, /the id -5 is negative/],
  ['edge list: negative id in a text file', 'a.txt', 'a b\nc -5\n', 2, /the id -5 is negative/],
  ['edge list: negative id at the start', 'a.txt', '-5 3\n', 1, /the id -5 is negative/],
  ['edge list: fractional id', 'a.txt', '1 2\n2 3.5\n', 2, /the id 3.5 is not a whole number/],
  [
    'edge list: id past 64 bits',
    'a.txt',
    '1 2\n18446744073709551616 3\n',
    2,
    /past the largest integer id, 18446744073709551615/,
  ],
  ['edge list: missing column', 'a.txt', '1 2\n3\n4 5\n', 2, /1 column where an edge needs two ids/],
  ['edge list: empty field', 'a.csv', '1,2\n,3\n', 2, /an empty column where an edge needs two ids/],
  ['edge list: NaN', 'a.txt', '1 2 1\n2 3 nan\n', 2, /the weight "nan" is not a number/],
  ['edge list: NaN at the start', 'a.txt', '1 2 NaN\n', 1, /the weight "NaN" is not a number/],
  ['edge list: a word for a weight', 'a.txt', '1 2 1\n2 3 x\n', 2, /the weight "x" is not a number/],
  ['edge list: past the range of f32', 'a.txt', '1 2 1\n2 3 1e39\n', 2, /past the range of a 32-bit float/],
  ['edge list: missing weight', 'a.txt', '1 2 1\n2 3\n', 2, /no weight, where the first line had one/],
  ['edge list: weight where there was none', 'a.txt', '1 2\n2 3 4\n', 2, /3 columns, where the first line had 2/],
  ['edge list: zero weight', 'a.txt', '1 2 1\n2 3 0\n', 2, /"0" is zero/],
  ['edge list: negative weight', 'a.txt', '1 2 1\n2 3 -1\n', 2, /"-1" is negative/],
  ['edge list: open quotes', 'a.csv', '"a",b\n"c,d\n', 2, /quoted field does not end/],
  [
    'edge list: control characters late',
    'a.txt',
    `${'1 2\n'.repeat(100_000)}\u0001\u0002 3\n`,
    100_001,
    /control characters/,
  ],
  ['only comments', 'a.txt', '# a\n\n% b\n', 3, /there are no edges in the 3 lines/],
  ['only blank lines', 'a.txt', '\n\n', 2, /there are no edges/],
]

describe('malformed files are refused at their line, and nothing is left', () => {
  for (const [title, name, text, line, what, options] of cases) {
    it(title, async () => {
      const source = work.file(name, text)
      const failure = await work.refused(source, options)
      expect(failure).toMatchObject({ code: 'input', where: `${source}:${line}` })
      expect(failure.what).toMatch(what)
      expect(failure.remedy.length).toBeGreaterThan(5)
    })

    it(`${title}, compressed: the same line`, async () => {
      const source = work.file(`${name}.gz`, gzipSync(text))
      expect((await work.refused(source, options)).where).toBe(`${source}:${line}`)
    })
  }

  it('names the way out of a bad weight', async () => {
    expect((await work.refused(work.file('w', '1 2 -1\n'))).remedy).toContain('--weight-rule')
  })
})

describe('files that are no graph at all', () => {
  const long = Array.from({ length: 200_000 }, (_, i) => `${i} ${(i * 7919) % 200_000}\n`).join('')

  it('truncated gzip', async () => {
    const whole = gzipSync(long)
    const source = work.file('t.gz', whole.subarray(0, whole.length >> 1))
    const failure = await work.refused(source)
    expect(failure.what).toMatch(/gzip data end too early/)
    const line = Number(failure.where!.slice(source.length + 1))
    expect(line).toBeGreaterThan(1000)
    expect(line).toBeLessThan(200_000)
  })

  it('truncated gzip, a short file', async () => {
    const whole = gzipSync('1 2\n2 3\n')
    expect((await work.refused(work.file('t.gz', whole.subarray(0, 12)))).what).toMatch(/gzip data end too early/)
  })

  it('corrupt gzip', async () => {
    const bytes = gzipSync(long)
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64)
    const failure = await work.refused(work.file('c.gz', bytes))
    expect(failure).toMatchObject({ code: 'input' })
    expect(failure.what).toMatch(/gzip data are damaged/)
    expect(failure.where).toMatch(/c\.gz:\d+$/)
  })

  it('gzip with a wrong checksum', async () => {
    const bytes = gzipSync('1 2\n2 3\n')
    bytes[bytes.length - 8]! ^= 1
    expect((await work.refused(work.file('c.gz', bytes))).what).toMatch(/gzip data are damaged/)
  })

  it.each(['g.txt', 'g.mtx', 'g.graph'])('binary garbage under the name %s', async (name) => {
    const garbage = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255)
    const source = work.file(name, garbage)
    const failure = await work.refused(source)
    expect(failure).toMatchObject({ code: 'input' })
    expect(failure.where).toMatch(/:\d+$/)
    expect(failure.what).toMatch(/not text/)
  })

  it('an empty file', async () => {
    const source = work.file('e.txt', '')
    expect(await work.refused(source)).toMatchObject({
      code: 'input',
      where: source,
      what: expect.stringMatching(/empty/),
    })
  })

  it('an empty file, compressed', async () => {
    expect((await work.refused(work.file('e.gz', gzipSync('')))).what).toMatch(/no edges/)
  })

  it('a directory', async () => {
    const source = join(work.path, 'folder')
    mkdirSync(source)
    expect(await work.refused(source)).toMatchObject({
      code: 'input',
      where: source,
      what: expect.stringMatching(/directory/),
    })
  })

  it('no such file', async () => {
    const source = join(work.path, 'nowhere.mtx')
    expect(await work.refused(source)).toMatchObject({ code: 'input', where: source, what: 'there is no such file' })
  })

  it.skipIf(asRoot)('no permission (skipped for root, who may read everything)', async () => {
    const source = work.file('p.txt', '1 2\n')
    chmodSync(source, 0)
    expect((await work.refused(source)).what).toBe('permission denied')
  })
})

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
    expect(readdirSync(folder).sort()).toEqual(['graph.gr', 'labels', 'report.json'])
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
      expect(failure.what).toMatch(/takes 2\.\d MiB, and the disk has 1\.0 MiB left/)
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
      file.close()
      writeFileSync(join(disk, 'f'), '')
    }))
})
