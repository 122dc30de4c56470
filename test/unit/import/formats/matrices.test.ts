import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { deflateRawSync, crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fixturePath } from '../../../support/fixtures.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { listGraphs } from '../../../../workers/import/containers/list-graphs.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { edgesOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

/** An array as numpy.save writes it. */
function npy(type: string, bytes: Uint8Array, shape: string): Buffer {
  const dict = `{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }\n`
  const head = Buffer.from(`\x93NUMPY\x01\x00..${dict}`, 'latin1')
  head.writeUInt16LE(dict.length, 8)
  return Buffer.concat([head, bytes])
}

const f64 = (...numbers: number[]): Buffer =>
  npy('<f8', new Uint8Array(Float64Array.from(numbers).buffer), `(${numbers.length},)`)
const i32 = (...numbers: number[]): Buffer =>
  npy('<i4', new Uint8Array(Int32Array.from(numbers).buffer), `(${numbers.length},)`)
const text = (word: string): Buffer => npy(`|S${word.length}`, Buffer.from(word), '()')

/** A zip archive of members, as an archiver writes it. */
function zip(
  members: Readonly<Record<string, Buffer>>,
  spoil: (name: string, packed: Buffer) => Buffer = (_, packed) => packed,
): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(members)) {
    const packed = spoil(name, deflateRawSync(content))
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    files.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length / 4, 4)
  end.writeUInt16LE(directory.length / 4, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...files, listed, Buffer.from('PK\x05\x06', 'latin1'), end])
}

const matrix = {
  'indices.npy': i32(1, 2),
  'indptr.npy': i32(0, 1, 2, 2),
  'format.npy': text('csr'),
  'shape.npy': i32(3, 3),
  'data.npy': f64(2, 4),
}

describe('archives of scipy.sparse', () => {
  it('are read as they are written', async () => {
    expect(edgesOf(await work.imported('m.npz', zip(matrix)))).toEqual(['0 1 2', '1 2 4'])
    expect(edgesOf(await work.imported('m.npz', zip(matrix), { ignoreWeights: true }))).toEqual(['0 1', '1 2'])
  })

  it.each([
    ['a list that descends', { 'indptr.npy': i32(0, 2, 1, 2) }, 'indptr descends'],
    ['pointers that end elsewhere', { 'indptr.npy': i32(0, 1, 2, 3) }, 'from 0 to 3, not from 0 to 2'],
    ['too few pointers', { 'indptr.npy': i32(0, 2) }, '2 numbers, not 4'],
    ['too few values', { 'data.npy': f64(2) }, 'data has 1 numbers'],
    ['a column outside', { 'indices.npy': i32(1, 3) }, 'row 1, column 3 of a matrix of 3 by 3'],
    ['a negative column', { 'indices.npy': i32(1, -1) }, 'column -1'],
    ['another layout', { 'format.npy': text('bsr') }, 'of the layout "bsr"'],
    ['values that are objects', { 'data.npy': npy('|O8', new Uint8Array(16), '(2,)') }, 'type O8'],
    ['values that are texts', { 'data.npy': npy('|S3', Buffer.from('1.52.0'), '(2,)') }, 'type S3'],
    ['columns that are no whole numbers', { 'indices.npy': f64(1.5, 2) }, 'places are whole numbers'],
    ['a size that is none', { 'shape.npy': f64(3, 3) }, 'places are whole numbers'],
    ['three dimensions', { 'shape.npy': i32(3, 3, 3) }, '3 dimensions'],
    ['a size past all ids', { 'shape.npy': i32(-1, 3) }, '-1 by 3'],
    ['an array that is shorter than it says', { 'data.npy': npy('<f8', new Uint8Array(8), '(2,)') }, 'holds 8 bytes'],
  ])('%s is refused', async (_, changed, what) => {
    expect(await work.refused(work.file('m.npz', zip({ ...matrix, ...changed })))).toMatchObject({
      code: 'input',
      what: expect.stringContaining(what) as string,
    })
  })

  it('of OGB with many graphs give each by its number, in rows and in pairs', async () => {
    const [from, to] = [
      [0, 1, 0, 2, 1],
      [1, 2, 1, 3, 0],
    ]
    const pairs = from!.flatMap((u, i) => [u, to![i]!])
    const shaped = (shape: string, numbers: readonly number[]): Buffer =>
      npy('<i4', new Uint8Array(Int32Array.from(numbers).buffer), shape)
    const counts = { 'num_nodes_list.npy': i32(3, 1, 4, 2), 'num_edges_list.npy': i32(2, 0, 2, 1) }
    for (const list of [
      { 'edge_index.npy': shaped('(2, 5)', [...from!, ...to!]) },
      { 'edges.npy': shaped('(5, 2)', pairs) },
    ]) {
      const many = zip({ ...list, ...counts })
      const found = []
      for (const member of ['1', '2', '3', '4']) {
        const read = await work.imported('many.npz', many, { member })
        found.push([read.report.vertices, ...edgesOf(read)])
      }
      expect(found).toEqual([[3, '0 1', '1 2'], [1], [4, '0 1', '2 3'], [2, '0 1']])
      const source = work.file('many.npz', many)
      expect((await listGraphs({ source }, quietJob)).graphs.map(({ member }) => member)).toEqual(['1', '2', '3', '4'])
      expect(await work.refused(source)).toMatchObject({ fixes: [{ action: 'choose', option: 'member' }] })
      expect((await work.refused(source, { member: '5' })).what).toContain('there are 4 graphs')
      for (const [spoiled, what] of [
        [{ 'num_nodes_list.npy': i32(3, 1, 3, 2) }, 'the id 3 leaves its graph'],
        [{ 'num_edges_list.npy': i32(2, 0, 2, 2) }, 'its graphs have 6 edges, and it has 5'],
        [{ 'num_edges_list.npy': i32(2, 0, 3) }, 'it counts vertices of 4 graphs, and edges of 3'],
      ] as const) {
        const file = work.file('spoiled.npz', zip({ ...list, ...counts, ...spoiled }))
        expect((await work.refused(file, { member: '3' })).what).toContain(what)
      }
    }
  })

  it('a flipped bit is noticed by the sum of its member', async () => {
    for (const member of Object.keys(matrix)) {
      const flipped = zip(matrix, (name, packed) => {
        if (name === member) packed[packed.length >> 1]! ^= 4
        return packed
      })
      expect((await work.refused(work.file('m.npz', flipped))).code).toBe('input')
    }
  })

  it.runIf(process.platform === 'linux')('an import that is cancelled while it reads leaves no file open', async () => {
    const edges = 2 ** 21
    const ends = Int32Array.from({ length: 2 * edges }, (_, i) => i % 1000)
    const source = work.file(
      'e.npz',
      zip({ 'edge_index.npy': npy('<i4', new Uint8Array(ends.buffer), `(2, ${edges})`) }),
    )
    let isRead = false
    const job = {
      ...quietJob,
      signal: {
        get aborted() {
          return isRead
        },
      },
      progress: ({ phase }: { readonly phase: string }) => void (isRead ||= phase === 'read'),
    }
    await expect(importGraph({ source, folder: `${work.path}/cancelled` }, job)).rejects.toMatchObject({
      code: 'cancelled',
    })
    const isOpen = (file: string): boolean => {
      try {
        return readlinkSync(`/proc/self/fd/${file}`) === source
      } catch {
        return false
      }
    }
    await expect.poll(() => readdirSync('/proc/self/fd').filter(isOpen)).toEqual([])
  })

  it('other archives of NumPy, and other zip files, are told from them', async () => {
    expect((await work.refused(work.file('a.npz', zip({ 'arr_0.npy': i32(1, 2) })))).what).toContain(
      'no matrix of scipy.sparse',
    )
    expect((await work.refused(work.file('a.npz', zip({ 'readme.txt': i32(1) })))).what).toContain('zip archive')
  })
})

describe('Rutherford-Boeing', () => {
  const lines = readFileSync(fixturePath('rutherford-boeing/rsa.rb'), 'latin1').split('\n')
  const changed = (line: number, from: string, to: string): string =>
    lines.map((each, i) => (i + 1 === line ? each.replace(from, to) : each)).join('\n')

  it('numbers side by side, without blanks, are told apart by their columns', async () => {
    const head = ['tight', '3 1 1 1', 'rua 3 3 2 0', '(4I1) (2I1) (2D8.1)']
    const read = await work.imported('t.rua', [...head, '1233', '12', '-1.5D+001.50-101', ''].join('\n'))
    expect(edgesOf(read)).toEqual([])
    expect(read.report).toMatchObject({ entries: 2, loopsRemoved: 2 })
    const apart = await work.imported('t.rua', [...head, '1233', '23', '-1.5D+002.50E+02', ''].join('\n'))
    expect(edgesOf(apart)).toEqual(['1 2 1.5', '2 3 250'])
  })

  it.each([
    [3, '6', '7', ':5', 'the header promises 7'],
    [3, 'rsa', 'rse', ':3', 'of finite elements'],
    [3, 'rsa', 'qsa', ':3', 'in another file'],
    [3, '5', 'x', ':3', 'no number of rows'],
    [4, '(40I2)', '(40Z2)', ':4', 'none of columns of numbers'],
    [4, '(40I2)', '(40I0)', ':4', 'none of columns of numbers'],
    [5, '3 5', '5 3', ':5', 'column 2 ends at 2'],
    [6, '1', '9', ':6', 'the row 9 is none of 1 to 5'],
    [6, '5 5', '5 5 5', ':6', 'more numbers'],
    [7, '4.00E+00', '4.00F+00', ':7', 'is no number'],
    [6, '3', '0x3', ':6', 'is no number'],
    [7, '-5.00E+00', '', ':8', 'ends before its numbers do'],
  ])('line %i with %s as %s is refused at %s', async (line, from, to, where, what) => {
    const failure = await work.refused(work.file('r.rb', changed(line, from, to)))
    expect(failure.what).toContain(what)
    expect(failure.where).toContain(`r.rb${where}`)
  })
})

describe('LEMON', () => {
  it.each([
    ['@nodes\nlabel\n1\n2\n@arcs\n- \n1\n', ':7', 'there are 1 columns, and the section has 2'],
    ['@nodes\nlabel\n1\n@faces\n', ':4', 'the section "@faces" is not known'],
    ['@nodes\nlabel\n1\n@constructor\n', ':4', 'the section "@constructor" is not known'],
    ['@nodes\nlabel name\n1 "a\n', ':3', 'the quotes'],
    ['@nodes\nlabel\n1\n2\n', 'g.lgf', 'there are no edges'],
  ])('%j is refused at its line', async (content, where, what) => {
    const failure = await work.refused(work.file('g.lgf', content))
    expect(failure.what).toContain(what)
    expect(failure.where).toContain(where)
  })

  it('a section of arcs may have no columns, and texts stay texts', async () => {
    const read = await work.imported('g.lgf', '@arcs\n-\n007 b\nb 1e3\n@nodes\nlabel\nb\nz\n')
    expect(read.labels).toEqual(['007', '1e3', 'b', 'z'])
    expect(edgesOf(read)).toEqual(['007 b', '1e3 b'])
  })
})
