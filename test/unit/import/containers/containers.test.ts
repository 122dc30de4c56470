import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { AttributeTable, VERTEX_TABLE } from '../../../../workers/graph/attribute-table.ts'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { listGraphs } from '../../../../workers/import/containers/list-graphs.ts'
import { openContainer } from '../../../../workers/import/containers/open-container.ts'
import { planWork } from '../../../../workers/jobs/plan.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { edgesOf, failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const planArgs = {
  algorithm: 'ecl-mis',
  device: 'cpu:0',
  priority: 'degree',
  seed: 0,
  importOnly: true,
  folder: work.path,
} as const
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

function zip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
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
  return { ...readDataset(folder), report, source, folder }
}

const refused = (name: string, bytes: Uint8Array, options: Partial<ImportArgs> = {}) =>
  failureOf(importFile({ source: work.file(name, bytes), folder: work.newFolder(), ...options }, quietJob))

const edges = ['1 2', '2 3', '3 4', '4 5']
const mtx = '%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n'
const rhs = '%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n'

describe('the graphs of a file', () => {
  const g6 = 'A_\nBw\n\nC~\n'
  const listed = async (name: string, bytes: Uint8Array | string) => {
    const { container, graphs } = await listGraphs({ source: work.file(name, bytes) }, quietJob)
    return [container, ...graphs.map(({ member, name: called }) => `${member} ${called}`)]
  }

  it('are one, or several by number, or the members of an archive with names of their own', async () => {
    expect(await listed('p.txt', path5)).toEqual([null, 'null p'])
    expect(await listed('p.txt.gz', gzipSync(path5))).toEqual([null, 'null p'])
    expect(await listed('three.g6', g6)).toEqual([null, '1 three-1', '2 three-2', '3 three-3'])
    expect(await listed('three.g6.gz', gzipSync(g6))).toEqual([null, '1 three-1', '2 three-2', '3 three-3'])
    expect(await listed('one.s6', '>>sparse6<<:Fa@x^\n')).toEqual([null, 'null one'])
    const members = { 'a/two.mtx': mtx, 'b/two.mtx': mtx, 'few.g6': g6, 'README.md': 'x', 'out.k': path5.slice(0, 0) }
    for (const [bytes, container] of [
      [tar(members), 'tar'],
      [zip(members), 'zip'],
    ] as const)
      expect(await listed('s.x', bytes)).toEqual([
        container,
        'a/two.mtx a-two',
        'b/two.mtx b-two',
        'few.g6#1 few-1',
        'few.g6#2 few-2',
        'few.g6#3 few-3',
      ])
    const failure = await failureOf(listed('many.g6', 'A_\n'.repeat(1001)))
    expect(failure).toMatchObject({ code: 'input', fixes: [{ action: 'choose', option: 'member' }] })
    expect((await failureOf(listed('cut.tar.gz', gzipSync(tar(members)).subarray(0, 90)))).code).toBe('input')
  })

  it('become datasets one by one, by what they are called', async () => {
    const bytes = gzipSync(tar({ 'x/few.g6': g6, 'p.txt': path5, 'odd#3': path5 }))
    const sizes = []
    for (const member of ['few.g6#1', 'x/few.g6#2', 'few.g6#3', 'p.txt', 'odd#3'])
      sizes.push((await imported('s.tgz', bytes, { member })).report)
    expect(sizes.map(({ vertices, arcs }) => [vertices, arcs])).toEqual([
      [2, 2],
      [3, 6],
      [4, 12],
      [5, 8],
      [5, 8],
    ])
    expect(sizes.map(({ member }) => member)).toEqual(['x/few.g6#1', 'x/few.g6#2', 'x/few.g6#3', 'p.txt', 'odd#3'])
    expect((await imported('few.g6.zst', zstdCompressSync(g6), { member: '2' })).report).toMatchObject({
      vertices: 3,
      member: '2',
    })
    expect((await imported('few.g6', Buffer.from(g6), { member: '2' })).report).toMatchObject({
      vertices: 3,
      member: '2',
    })
    expect((await refused('s.tgz', bytes, { member: 'few.g6#4' })).what).toContain('there are 3 graphs')
    expect((await refused('s.tgz', bytes, { member: 'p.txt#1' })).what).toContain('no archive')
  })

  it('of an archive that was unpacked are taken from there, unless it was written since', async () => {
    const bytes = gzipSync(tar({ 'x/few.g6': g6, 'p.txt': path5, 'README.md': 'x' }))
    const source = work.file('s.tgz', bytes)
    const unpack = work.newFolder()
    expect(await listGraphs({ source, unpack }, quietJob)).toEqual(await listGraphs({ source }, quietJob))
    const made = async (member: string, unpacked?: string) => {
      const folder = work.newFolder()
      const { elapsedMs: _, ...report } = (await importFile({ source, folder, member, unpacked }, quietJob)).report
      return { ...report, edges: edgesOf(readDataset(folder)) }
    }
    const expected = [await made('few.g6#3'), await made('p.txt')]
    const { mtimeNs } = statSync(source, { bigint: true })
    // As long and as old, so that only one who reads it knows.
    writeFileSync(source, Buffer.alloc(bytes.length))
    const seconds = Number(mtimeNs) / 1e9
    utimesSync(source, seconds, seconds)
    const index = join(unpack, 'members.json')
    const { mtimeNs: now } = statSync(source, { bigint: true })
    writeFileSync(index, readFileSync(index, 'utf8').replace(String(mtimeNs), String(now)))
    expect([await made('few.g6#3', unpack), await made('p.txt', unpack)]).toEqual(expected)
    writeFileSync(source, gzipSync(tar({ 'p.txt': '7 8\n', 'other.txt': path5 })))
    expect((await made('p.txt', unpack)).edges).toEqual(['7 8'])
  })

  it('are planned as they are imported', async () => {
    const files = { 'G/G.mtx': mtx, 'G/G_b.mtx': rhs }
    const source = work.file('g.tar.gz', gzipSync(tar(files)))
    const args = { ...planArgs, target: { kind: 'file', source } } as const
    expect(await planWork(args, quietJob)).toMatchObject({ vertices: 3, arcs: 4, exact: true, refusal: null })
    const several = work.file('s.tar', tar({ 'a.mtx': mtx, 'b.mtx': mtx }))
    const asked = await failureOf(planWork({ ...args, target: { kind: 'file', source: several } }, quietJob))
    expect(asked.fixes).toEqual([{ action: 'choose', option: 'member' }])
    const chosen = await planWork({ ...args, target: { kind: 'file', source: several, member: 'b.mtx' } }, quietJob)
    expect(chosen.vertices).toBe(3)
  })
})

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

  it('of SuiteSparse places and names are attributes of the vertices', async () => {
    const places = '%%MatrixMarket matrix array real general\n3 2\n0.5\n1\n2\n-1\n-2\n-3e2\n'
    const files = { 'G/G.mtx': mtx, 'G/G_coord.mtx': places, 'G/G_nodename.txt': 'Bern\nNew "York"\nKöln, Rhein\n' }
    const { report, folder } = await imported('g.tar.gz', gzipSync(tar(files)))
    expect(report.attributes?.vertices.map(({ name, filled }) => [name, filled])).toEqual([
      ['label', 3],
      ['x', 3],
      ['y', 3],
    ])
    const table = (await AttributeTable.open(folder, VERTEX_TABLE))!
    expect([...Array(3).keys()].map((v) => table.row(v))).toEqual([
      ['Bern', 0.5, -1],
      ['New "York"', 1, -2],
      ['Köln, Rhein', 2, -300],
    ])
    await table.close()
    expect(report.balance?.vertices).toMatchObject({
      rows: 3,
      matched: 3,
      source: expect.stringMatching(/G_coord\.mtx$/),
    })
    // What is no such matrix is left out, and the graph is read.
    const odd = { 'G/G.mtx': mtx, 'G/G_coord.mtx': places.replace('3 2', '4 2') }
    const left = await imported('g.tar', tar(odd))
    expect(left.report.attributes).toBeUndefined()
    expect(left.report.warnings.join()).toContain('G_coord.mtx is left out: it is no dense matrix')
  })

  it('of OGB edge.csv is read, with as many vertices as it counts', async () => {
    const raw = (count: string) => ({
      'x/RELEASE_v1.txt': '',
      'x/raw/edge.csv.gz': gzipSync('0,1\n1,2\n'),
      'x/raw/num-node-list.csv.gz': gzipSync(count),
      'x/raw/num-edge-list.csv.gz': gzipSync('2\n'),
      'x/raw/node-feat.csv.gz': gzipSync('0.5,1\n0.5,2\n0.5,3\n'),
      'x/split/time/train.csv.gz': gzipSync('0\n'),
      'x/mapping/nodeidx2paperid.csv.gz': gzipSync('node idx,paper id\n0,7\n'),
    })
    const { report } = await imported('x.tar', tar(raw('5\n')))
    expect(report).toMatchObject({
      vertices: 5,
      arcs: 4,
      isolatedVertices: 2,
      member: 'x/raw/edge.csv.gz',
      warnings: [],
    })
    const many = await imported('x.tar', tar(raw('300000000\n')), { memoryBytes: 1 << 30 })
    expect(many.report.vertices).toBe(3)
    expect(many.report.warnings.join()).toContain('300000000 vertices need more memory than the import may take')
  })

  describe('of OGB with many graphs', () => {
    const raw = {
      'hiv/raw/edge-feat.csv.gz': gzipSync('5,0\n6,1\n7,1\n8,0\n9,1\n'),
      'hiv/raw/edge.csv.gz': gzipSync('0,1\n1,2\n0,1\n2,3\n1,0\n'),
      'hiv/raw/graph-label.csv.gz': gzipSync('1\n0\n0\n1\n'),
      'hiv/raw/node-feat.csv.gz': gzipSync('0.5\n1\n1.5\n2\n2.5\n3\n3.5\n4\n4.5\n5\n'),
      'hiv/raw/node_depth.csv.gz': gzipSync('0\n1\n2\n0\n0\n1\n1\n0\n1\n2\n'),
      'hiv/raw/num-edge-list.csv.gz': gzipSync('2\n0\n2\n1\n'),
      'hiv/raw/num-node-list.csv.gz': gzipSync('3\n1\n4\n2\n'),
      'hiv/split/scaffold/train.csv.gz': gzipSync('0\n'),
      'hiv/mapping/mol.csv.gz': gzipSync('smiles\nC\n'),
    }
    const reversed = Object.fromEntries(Object.entries(raw).reverse())
    const edgesBy = [['0 1', '1 2'], [], ['0 1', '2 3'], ['0 1']]
    const featuresBy = [[0.5, 1, 1.5], [2], [2.5, 3, 3.5, 4], [4.5, 5]]

    it.each([
      ['tar', tar(raw)],
      ['tar.gz', gzipSync(tar(reversed))],
      ['zip', zip(raw)],
    ])('each has its own edges and features, in a %s', async (end, bytes) => {
      const { graphs } = await listGraphs({ source: work.file(`hiv.${end}`, bytes) }, quietJob)
      expect(graphs.map(({ member, name }) => [member, name])).toEqual(
        [1, 2, 3, 4].map((i) => [`hiv/raw/edge.csv.gz#${i}`, `hiv-${i}`]),
      )
      for (const [i, edgesOfOne] of edgesBy.entries()) {
        const options = { member: graphs[i]!.member!, table: { attributes: 'all', header: 'no' } } as const
        const read = await imported(`hiv.${end}`, bytes, options)
        expect(edgesOf(read)).toEqual(edgesOfOne)
        expect(read.report).toMatchObject({
          ...{
            format: 'edge-list',
            member: options.member,
            weights: null,
            warnings: [],
            vertices: featuresBy[i]!.length,
          },
          attributes: {
            vertices: [{ name: 'feat' }, { name: 'depth' }],
            edges: edgesOfOne.length === 0 ? [] : [{ name: 'feat1' }, { name: 'feat2' }],
          },
        })
        const table = (await AttributeTable.open(read.folder, VERTEX_TABLE))!
        expect(featuresBy[i]!.map((_, v) => table.row(v)[0])).toEqual(featuresBy[i])
        await table.close()
      }
    })

    it('is chosen by its number, is previewed and planned alike, and without attributes keeps its vertices', async () => {
      const bytes = zip(raw)
      const source = work.file('hiv.zip', bytes)
      for (const asked of [
        refused('hiv.zip', bytes),
        failureOf(previewFiles({ source })),
        failureOf(planWork({ ...planArgs, target: { kind: 'file', source } }, quietJob)),
      ])
        expect(await asked).toMatchObject({
          what: 'there are 4 graphs in this file',
          where: expect.stringMatching(/hiv\.zip\/hiv\/raw\/edge\.csv\.gz$/),
          fixes: [{ action: 'choose', option: 'member' }],
        })
      const third = { member: '3' }
      const bare = await imported('hiv.zip', bytes, { ...third, table: { attributes: 'none' } })
      expect([bare.report.vertices, bare.report.arcs, bare.report.attributes]).toEqual([4, 4, undefined])
      const seen = await previewFiles({ source, ...third })
      expect(seen.columns?.map(({ name }) => name)).toEqual(['source', 'target', 'feat1', 'feat2'])
      const planned = await planWork({ ...planArgs, target: { kind: 'file', source, ...third } }, quietJob)
      expect(planned.vertices).toBe(4)
      const weighed = await imported('hiv.zip', bytes, { ...third, table: { weightColumn: 'feat1' } })
      expect(weighed.report.weights).toMatchObject({ smallest: 7, largest: 8 })
      const unpack = work.newFolder()
      await listGraphs({ source, unpack }, quietJob)
      const again = await imported('hiv.zip', bytes, { member: 'hiv/raw/edge.csv.gz#3', unpacked: unpack })
      expect([edgesOf(again), again.report.attributes?.vertices.length]).toEqual([['0 1', '2 3'], 2])
      for (const [member, what] of [
        ['5', 'there are 4 graphs in this file'],
        ['edge.csv.gz#0', 'is no number from 1'],
        ['zz', 'has no file "zz"'],
      ] as const)
        expect((await refused('hiv.zip', bytes, { member })).what).toContain(what)
    })

    it.each([
      ['edge.csv.gz', '0,1\n1,2\n0,1\n2,4\n', /edge\.csv\.gz:4$/, 'leaves its graph'],
      ['edge.csv.gz', '0,1\n1,2\n0,1\n2;3\n', /edge\.csv\.gz:4$/, 'is no edge'],
      ['edge.csv.gz', '0,1\n1,2\n0,1\n', /edge\.csv\.gz$/, 'it has 3 lines'],
      ['edge-feat.csv.gz', '5,0\n', /edge-feat\.csv\.gz$/, 'it has 1 lines'],
      ['node-feat.csv.gz', '1\n', /node-feat\.csv\.gz$/, 'it has 1 lines'],
      ['num-edge-list.csv.gz', '2\n0\n2\n', /num-edge-list\.csv\.gz$/, 'it counts 3 graphs'],
      ['num-node-list.csv.gz', '3\nx\n', /num-node-list\.csv\.gz:2$/, 'is no number'],
      ['num-node-list.csv.gz', '3\n1\n900000000\n1\n', /num-node-list\.csv\.gz$/, 'more memory'],
    ])('is refused where %s does not fit', async (name, text, where, what) => {
      const failure = await refused('hiv.zip', zip({ ...raw, [`hiv/raw/${name}`]: gzipSync(text) }), {
        ...{ member: '3', memoryBytes: 1 << 30 },
      })
      expect(failure).toMatchObject({ code: 'input', what: expect.stringContaining(what) })
      expect(failure.where).toMatch(where)
      expect(JSON.stringify(failure)).not.toContain('partial')
    })
  })

  it('of KONECT what vertices are called and have are attributes, of one kind of vertices', async () => {
    const out = { 'n/out.n': '% sym unweighted\n1 2\n2 3\n', 'n/meta.n': 'name: n\n', 'n/README.n': 'n\n' }
    const of = { 'n/ent.n.person.name': 'Ada\n"Bo", the first\nCy\n', 'n/ent.n.person.sex': '1\n0\n1\n' }
    const { report, folder } = await imported('n.tar', tar({ ...of, ...out }))
    expect([report.format, report.member]).toEqual(['konect', 'n/out.n'])
    const table = (await AttributeTable.open(folder, VERTEX_TABLE))!
    expect(table.columns.map(({ name }) => name)).toEqual(['name', 'sex'])
    expect([...Array(3).keys()].map((v) => table.row(v))).toEqual([
      ['Ada', 1],
      ['"Bo", the first', 0],
      ['Cy', 1],
    ])
    table.close()
    const two = await imported('two.tar', tar({ ...out, ...of, 'n/ent.n.crime.name': 'theft\n' }))
    expect(two.report.warnings.join()).toContain('they tell of vertices of several kinds')
    expect(two.report.attributes).toBeUndefined()
  })

  it.each([
    ['tar', tar],
    ['zip', zip],
  ])('a table of vertices in a %s comes along, whatever its place', async (_, pack) => {
    const files = { 'edges.csv': 'from,to\na,b\nb,c\n', 'x/nodes.csv': 'id,group\na,1\nb,2\nc,2\nd,3\n' }
    for (const order of [files, Object.fromEntries(Object.entries(files).reverse())] as (typeof files)[]) {
      const { report } = await imported('net.x', pack(order))
      expect([report.vertices, report.member]).toEqual([4, 'edges.csv'])
      expect(report.attributes?.vertices).toEqual([{ name: 'group', kind: 'number', filled: 4 }])
      expect(report.balance?.vertices?.source).toMatch(/net\.x\/x\/nodes\.csv$/)
      const without = await imported('net.x', pack(order), { table: { attributes: 'none' } })
      expect([without.report.vertices, without.report.attributes]).toEqual([3, undefined])
    }
    const seen = await previewFiles({ source: work.file('net.x', pack(files)) })
    expect(seen.vertices).toMatchObject({ columns: ['id', 'group'], id: 0 })
    expect(seen.balance?.vertices?.source).toMatch(/net\.x\/x\/nodes\.csv$/)
    expect((await imported('only.x', pack({ 'nodes.csv': files['edges.csv'] }))).report.vertices).toBe(3)
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
    expect(reason).toMatch(/; it is p\.tar\.gz\/p\.txt \(gzip, tar\)$/)
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
