import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { AttributeTable, VERTEX_TABLE } from '../../../../workers/graph/attribute-table.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

describe('hypergraphs', () => {
  it('are named, with the format that reads them on request', async () => {
    const source = work.file('a.hgr', '2 3\n1 2 3\n1 2\n')
    const refused = await work.refused(source)
    expect(refused).toMatchObject({ where: `${source}:1`, what: expect.stringContaining('hypergraph of hMETIS') })
    expect(refused.fixes).toEqual([{ action: 'set', option: 'format', to: 'hmetis' }])
    const read = await work.imported('a.hgr', '2 3\n1 2 3\n1 2\n', { format: 'hmetis' })
    expect(read.arcs).toEqual(['1 2', '1 3', '2 1', '2 3', '3 1', '3 2'])
    expect(read.report.warnings).toEqual(['2 hyperedges were read as all pairs of their vertices'])
    expect((await previewFiles({ source, format: 'hmetis' })).balance).toEqual(read.report.balance)
  })

  it('weights of vertices are an attribute', async () => {
    const source = work.file('v.hgr', '% c\n2 3 11\n4 1 2 3\n5 1 2\n7\n8\n9.5\n')
    const folder = work.newFolder()
    const { report } = await importGraph({ source, folder, format: 'hmetis' }, quietJob)
    expect(report.attributes?.vertices).toEqual([{ name: 'weight', kind: 'number', filled: 3 }])
    expect(report.warnings).toEqual(['2 hyperedges were read as all pairs of their vertices'])
    const table = (await AttributeTable.open(folder, VERTEX_TABLE))!
    expect([0, 1, 2].map((v) => table.row(v))).toEqual([[7], [8], [9.5]])
    await table.close()
    expect((await work.refused(work.file('w.hgr', '1 2 10\n1 2\nx\n1\n'), { format: 'hmetis' })).where).toMatch(/:3$/)
  })

  it.each([
    ['a vertex past the header', '1 3\n1 4\n', 2, /"4" is not one of 1 to 3/],
    ['too few', '3 3\n1 2\n', 2, /promises 3 hyperedges, and the file ends after 1/],
    ['too many', '1 3\n1 2\n2 3\n', 3, /here is one more line/],
    ['another header', '1 3 7\n1 2\n', 1, /the header reads "1 3 7"/],
    ['a bad weight', '1 3 1\nx 1 2\n', 2, /the weight "x" is not a number/],
    [
      'a hyperedge of too many',
      `1 20000\n${Array.from({ length: 10_001 }, (_, i) => i + 1).join(' ')}\n`,
      2,
      /at most 10000/,
    ],
  ])('%s is refused at its line', async (_name, text, line, what) => {
    const source = work.file('b.hgr', text)
    const refused = await work.refused(source, { format: 'hmetis' })
    expect(refused).toMatchObject({ where: `${source}:${line}`, what: expect.stringMatching(what) })
  })
})

describe('arrays of NumPy that are no lists of edges', () => {
  const array = (shape: string, type: string, bytes: number): Buffer => {
    const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }\n`
    const head = Buffer.from(`\x93NUMPY\x01\0\0\0${header}`, 'latin1')
    head.writeUInt16LE(header.length, 8)
    return Buffer.concat([head, Buffer.alloc(bytes, 1)])
  }

  it.each([
    ['dense.npy', array('2, 2', '|u1', 4), /2 by 2 is no list of edges/],
    ['x.npy', array('3, 3', '|u1', 9), /3 by 3 is no list of edges/],
    ['x.npy', array('4,', '|u1', 4), /4 is no list of edges/],
    ['x.npy', array('2, 3', '|b1', 6), /holds the type b1/],
    ['x.npy', array('2, 3', '<f4', 24), /no whole number from 0/],
    ['x.npy', array('2, 4', '|u1', 7), /promises 8 numbers, and holds 7 bytes/],
  ])('%s', async (name, bytes, what) => {
    expect((await work.refused(work.file(name, bytes))).what).toMatch(what)
  })
})
