import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const asRoot = process.getuid?.() === 0

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
