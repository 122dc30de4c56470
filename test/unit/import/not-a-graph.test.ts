import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { previewFiles } from '../../../workers/import/preview/preview-file.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { estimated, failureOf, requireRoom, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const asRoot = process.getuid?.() === 0

const garbage = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255)

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

  it('zeros behind gzip data are padding; behind them, and behind the last member, is nothing else', async () => {
    const [first, second] = [gzipSync('1 2\n2 3\n'), gzipSync('3 4\n')]
    const zeros = Buffer.alloc(200)
    for (const chunkBytes of [7, first.length, 1 << 20]) {
      const padded = await work.imported('p.gz', Buffer.concat([first, second, zeros]), {}, { chunkBytes })
      expect(padded.report).toMatchObject({ entries: 3, sourceBytes: first.length + second.length + 200 })
      expect(padded.report.sourceSha256).toBe(
        createHash('sha256')
          .update(Buffer.concat([first, second, zeros]))
          .digest('hex'),
      )
      const folder = work.newFolder()
      const lost = work.file('l.gz', Buffer.concat([first, zeros.subarray(0, 3), second]))
      const failure = await failureOf(importGraph({ source: lost, folder }, quietJob, { chunkBytes }))
      expect(failure).toMatchObject({ code: 'input', where: `${lost}:3` })
      expect(failure.what).toMatch(new RegExp(`end at byte ${first.length}, .* at byte ${first.length + 3}, something`))
      const trailed = work.file('t.gz', Buffer.concat([first, Buffer.from('GARBAGE')]))
      expect((await work.refused(trailed)).what).toMatch(/gzip data are damaged/)
    }
  })

  it('damaged gzip is left to the import by its plan, and compressed binary files are refused as well', async () => {
    const bytes = gzipSync('1 2\n2 3\n')
    bytes[bytes.length - 8]! ^= 1
    const source = work.file('d.gz', bytes)
    expect((await failureOf(estimated(source))).what).toMatch(/gzip data are damaged/)
    await requireRoom(source, work.newFolder())
    const galois = readFileSync(fixturePath('galois/v1-even.gr'))
    const binary = Buffer.concat([gzipSync(galois), Buffer.from([0, 0, 1])])
    expect((await work.refused(work.file('b.gr.gz', binary))).what).toMatch(/something else follows/)
  })

  it.each([
    ['garbage', garbage],
    ['a program', readFileSync(process.execPath).subarray(0, 200_000)],
    ['a tar archive', Buffer.concat([Buffer.from('a/'.padEnd(100, '\0') + '0000755\0'), Buffer.alloc(10_000)])],
    ['zeros', Buffer.alloc(5000)],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')],
  ])('%s, compressed or under the name of a binary format, have no plan', async (_, bytes) => {
    for (const [name, content] of [
      ['x.gz', gzipSync(bytes)],
      ['x.bin.gz', gzipSync(bytes)],
      ['x.gr.gz', gzipSync(bytes)],
      ['x.gr', bytes],
    ] as const) {
      const source = work.file(name, content)
      const failure = await failureOf(estimated(source))
      expect(failure).toMatchObject({ code: 'input', where: expect.stringContaining(source) as string })
      expect(await work.refused(source)).toMatchObject({ code: 'input' })
    }
  })

  it('the plan of a compressed file unpacks a little of it, however much it holds', async () => {
    const source = work.file('bomb.gz', gzipSync('1 2\n'.repeat(10_000_000)))
    const { entries, basis } = await estimated(source)
    expect(entries).toBeGreaterThan(5_000_000)
    expect(Number(/a sample of (\d+) lines/.exec(basis)?.[1])).toBeLessThan(1_000_000)
  })

  it.skipIf(process.platform === 'win32')('a pipe, which nobody may ever write to', async () => {
    const source = join(work.path, 'pipe')
    execFileSync('mkfifo', [source])
    const what = 'this is not a regular file'
    for (const format of [undefined, 'edge-list', 'galois'] as const) {
      expect(await work.refused(source, { format })).toMatchObject({ code: 'input', where: source, what })
      expect(await failureOf(previewFiles({ source, format }))).toMatchObject({ what })
    }
    expect((await failureOf(estimated(source))).what).toBe(what)
  })

  it.each(['g.txt', 'g.mtx', 'g.graph'])('binary garbage under the name %s', async (name) => {
    const source = work.file(name, garbage)
    const failure = await work.refused(source)
    expect(failure).toMatchObject({ code: 'input' })
    expect(failure.where).toMatch(/:\d+$/)
    expect(failure.what).toMatch(/not text/)
  })

  it.each(['/**/', '//', '-- ', '# ', '/* * /', '<!--', '(', '"', "'"])(
    'a file of %s alone is looked at in no time',
    async (word) => {
      const failure = await work.refused(work.file('words.txt', word.repeat(1500)))
      expect(failure).toMatchObject({ code: 'input' })
    },
  )

  it('blank lines, and a word behind them', async () => {
    const failure = await work.refused(work.file('blank.txt', `${'\n'.repeat(250_000)}x`))
    expect(failure).toMatchObject({ code: 'input', what: '1 column where an edge needs two ids' })
  })

  it('a table as wide as genes are many', async () => {
    const genes = Array.from({ length: 20_000 }, (_, i) => `gene_${i}`)
    const row = genes.map((_, i) => i % 7).join(',')
    const failure = await work.refused(work.file('expression.csv', `sample,${genes.join(',')}\ns1,${row}\ns2,${row}\n`))
    expect(failure.what).toContain('which of the 20001 columns (sample, gene_0, gene_1')
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
