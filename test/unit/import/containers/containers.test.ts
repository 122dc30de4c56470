import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { openContainer } from '../../../../workers/import/containers/open-container.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { edgesOf, failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const path5 = '1 2\n2 3\n3 4\n4 5\n'
/** The path as bzip2 and xz write it, and in a tar of bzip2 with a text beside it. */
const bzip2 = Buffer.from('QlpoOTFBWSZTWdWADf4AAARYAAAQQAA+ACAAMQwBD1NHqO8sk5AA8XckU4UJDVgA3+A=', 'base64')
const xz = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAPMSAyCjIgMwozIDQKNCA1CgCACPQAWN+fMAABKBDlC2xgH7bzfQEAAAAABFla',
  'base64',
)

function header(name: string, bytes: number, type: string): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0, 100)
  block.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\0', 257)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Names longer than a header has room for are those of GNU. */
function tar(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const member = (name: string, content: string | Uint8Array, type: string): Buffer => {
    const bytes = Buffer.from(content as string)
    const whole = Buffer.concat([header(name, bytes.length, type), bytes])
    return Buffer.concat([whole, Buffer.alloc((512 - (whole.length % 512)) % 512)])
  }
  const all = Object.entries(files).flatMap(([name, content]) => [
    ...(name.length > 99 ? [member('././@LongLink', `${name}\0`, 'L')] : []),
    member(name.slice(0, 99), content, name.endsWith('/') ? '5' : '0'),
  ])
  return Buffer.concat([...all, Buffer.alloc(1024)])
}

function zip(files: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(Buffer.byteLength(content), 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    local.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed)
    central.push(Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(18)
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, list, Buffer.from('PK\x05\x06'), end])
}

async function imported(name: string, bytes: Uint8Array, options: Partial<ImportArgs> = {}) {
  const source = work.file(name, bytes)
  const folder = work.newFolder()
  const { report } = await importFile({ source, folder, ...options }, quietJob)
  // Nothing but the file and the dataset stays.
  expect(readdirSync(work.path).filter((each) => each.includes('partial'))).toEqual([])
  return { ...readDataset(folder), report, source }
}

const refused = (name: string, bytes: Uint8Array, options: Partial<ImportArgs> = {}) =>
  failureOf(importFile({ source: work.file(name, bytes), folder: work.newFolder(), ...options }, quietJob))

const edges = ['1 2', '2 3', '3 4', '4 5']
const mtx = '%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n'
const rhs = '%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n'

describe('containers', () => {
  it.each([
    ['p.txt.bz2', bzip2, 'bzip2'],
    ['p.txt.xz', xz, 'xz'],
    ['p.txt.zst', zstdCompressSync(path5), 'zstd'],
    ['p.txt.gz.gz', gzipSync(gzipSync(path5)), 'gzip, gzip'],
    ['p.tar', tar({ 'p.txt': path5 }), 'tar'],
    ['p.tgz', gzipSync(tar({ 'p/': '', 'p/README.md': 'none', 'p/p.txt': path5 })), 'gzip, tar'],
    ['p.tar.zst', zstdCompressSync(tar({ 'p.txt.gz': gzipSync(path5) })), 'zstd, tar'],
    ['n.tar', tar({ 'p.txt.bz2': bzip2 }), 'tar, bzip2'],
    ['p.zip', zip({ 'readme.html': '<html>', 'p/p.txt': path5 }), 'zip'],
    ['long.tar', tar({ [`${'a/'.repeat(60)}p.txt`]: path5 }), 'tar'],
    // Names say nothing where a file was renamed or piped in.
    ['graph', gzipSync(tar({ 'p.txt': path5 })), 'gzip, tar'],
  ])('%s is read through', async (name, bytes, container) => {
    const read = await imported(name, bytes)
    expect(edgesOf(read)).toEqual(edges)
    expect(read.report).toMatchObject({ source: read.source, sourceBytes: bytes.length, container })
    expect(read.report.member).toEqual(/\b(?:tar|zip)\b/.test(container) ? expect.stringMatching(/p\.txt/) : undefined)
  })

  it('of SuiteSparse the matrix is read, and no right-hand side or coordinates', async () => {
    const files = { 'Group/Group.mtx': mtx, 'Group/Group_b.mtx': rhs, 'Group/Group_coord.mtx': rhs }
    for (const order of [files, Object.fromEntries(Object.entries(files).reverse())]) {
      const read = await imported('download.tar.gz', gzipSync(tar(order)))
      expect(edgesOf(read)).toEqual(['1 2', '2 3'])
      expect(read.report).toMatchObject({ format: 'matrix-market', member: 'Group/Group.mtx' })
    }
  })

  it('of KONECT the file out.NAME is read', async () => {
    const files = {
      'k/README.k': 'text',
      'k/meta.k': 'name: k',
      'k/ent.k.person': 'x\ny\n',
      'k/out.k': `% sym unweighted\n${path5}`,
    }
    expect((await imported('k.tar.gz', gzipSync(tar(files)))).report).toMatchObject({
      format: 'konect',
      member: 'k/out.k',
    })
  })

  it('where several may be the graph a person chooses, by the whole name or its end', async () => {
    const bytes = tar({ 'a/one.txt': path5, 'a/two.mtx': mtx, 'b/two.mtx': mtx })
    const failure = await refused('s.tar', bytes)
    expect(failure).toMatchObject({ code: 'input', fixes: [{ action: 'choose', option: 'member' }] })
    expect(failure.what).toContain('3 files of the archive may be the graph: a/one.txt, a/two.mtx, b/two.mtx')
    expect(edgesOf(await imported('s.tar', bytes, { member: 'one.txt' }))).toEqual(edges)
    expect(edgesOf(await imported('s.tar', bytes, { member: 'b/two.mtx' }))).toEqual(['1 2', '2 3'])
    expect((await refused('s.tar', bytes, { member: 'two.mtx' })).what).toContain('has no file "two.mtx", or several')
    expect((await refused('p.txt', Buffer.from(path5), { member: 'x' })).what).toContain('no archive')
    expect((await refused('r.tar', tar({ 'README.md': 'x' }))).what).toContain('looks like a graph: README.md')
  })

  it('a fault within is told at the line of the file in the archive', async () => {
    const source = join(work.path, 'bad.tar.gz')
    const failure = await refused('bad.tar.gz', gzipSync(tar({ 'g.mtx': mtx.replace('\n3 2\n', '\n9 2\n') })))
    expect(failure.where).toBe(`${source}/g.mtx:4`)
  })

  it('a preview shows what an import reads', async () => {
    const source = work.file('p.tar.gz', gzipSync(tar({ 'p.txt': path5 })))
    const { rows, format, reason } = await previewFiles({ source })
    expect([rows.length, format]).toEqual([4, 'edge-list'])
    expect(reason).toContain('p.tar.gz/p.txt (gzip, tar)')
  })

  it.each([
    ['bzip2', bzip2],
    ['xz', xz],
    ['zstd', zstdCompressSync(path5)],
    ['tar of gzip', gzipSync(tar({ 'p.txt': path5.repeat(2000) }))],
    ['zip', zip({ 'p.txt': path5.repeat(2000) })],
  ])('%s that is cut is refused, and leaves nothing', async (_, bytes) => {
    for (const length of [bytes.length - 5, Math.floor(bytes.length / 2)])
      expect(await refused('cut.x', bytes.subarray(0, length))).toMatchObject({ code: 'input' })
    expect(readdirSync(work.path)).toEqual(['cut.x'])
  })

  it('bombs are bounded', async () => {
    const deep = Array.from({ length: 6 }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from(path5))
    expect((await refused('deep.gz', deep)).what).toContain('more than 4 times over')
    const many = tar(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}.md`, ''])))
    expect((await refused('many.tar', many)).what).toContain('more than 10000 files')
  })

  it('archives of NumPy and plain files are no containers', async () => {
    const npz = join(import.meta.dirname, '../../../fixtures/npz/csr-packed.npz')
    for (const file of [npz, work.file('p.txt', path5), work.file('p.txt.gz', gzipSync(path5))])
      expect(await openContainer(file, { scratch: join(work.path, 'scratch') }, quietJob)).toBeNull()
    expect(existsSync(join(work.path, 'scratch'))).toBe(false)
    expect(readFileSync(npz).length).toBeGreaterThan(0)
  })
})
