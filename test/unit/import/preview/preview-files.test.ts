import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { PreviewArgs } from '../../../../workers/contract/jobs.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { edgesOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

async function refusalsOf(args: PreviewArgs): Promise<string[]> {
  const { refusals } = await previewFiles(args)
  return refusals.map(({ failure }) => failure.what)
}

describe('a later file of one graph', () => {
  it('has no line of names where the first has none, as in the import', async () => {
    const joins = work.file('a.txt', 'x,y\ny,z\nx,z\n')
    const source = work.file('b.txt', 'source,target\ny,q\n')
    expect((await previewFiles({ source })).table?.header).toBe(true)
    const { table, rows } = await previewFiles({ source, joins })
    expect(table?.header).toBe(false)
    expect(rows[0]).toEqual(['source', 'target'])
    const folder = work.newFolder()
    await importGraph({ source: joins, sources: [source], folder }, quietJob)
    expect(edgesOf(readDataset(folder))).toContain('source target')
  })

  it.each([
    ['weights where the first has none', '1 2\n2 3\n', '3 4 0.5\n', 'this file has weights'],
    ['no weights where the first has some', '1 2 1\n2 3 1\n', '3 4\n', 'this file has no weights'],
    [
      'of another format',
      '1 2\n2 3\n',
      '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n',
      'of the format',
    ],
    ['XML', '1 2\n2 3\n', '<graphml><graph><edge source="1" target="2"/></graph></graphml>', 'a whole graph each'],
    ['another format', '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n', '3 4\n', 'a whole graph each'],
  ])('is refused as the import refuses it: %s', async (_, first, second, what) => {
    const joins = work.file('first.txt', first)
    const source = work.file('second.txt', second)
    const refused = await work.refused(joins, { sources: [source] })
    expect(refused.what).toContain(what)
    const said = await refusalsOf({ source, joins }).catch((error: Error) => [error.message])
    expect(said.join()).toContain(what)
  })
})

describe('a table of vertices', () => {
  const edges = 'source,target\nb,a\nc,b\n'

  it('shows its columns, which one has the ids, and its rows', async () => {
    const source = work.file('edges.csv', edges)
    const vertices = work.file('nodes.csv', 'group,node,size\nA,a,1\nB,b,\n')
    const shown = (await previewFiles({ source, vertices })).vertices
    expect(shown).toEqual({
      columns: ['group', 'node', 'size'],
      id: 1,
      rows: [
        ['A', 'a', '1'],
        ['B', 'b', ''],
      ],
    })
    const other = await previewFiles({ source, vertices, table: { vertexColumn: 'size' } })
    expect(other.vertices?.id).toBe(2)
  })

  it('names the rows that match no edge, and those of no vertex', async () => {
    const warningsOf = async (name: string, text: string, vertices: string) => {
      const preview = await previewFiles({
        source: work.file(name, text),
        vertices: work.file('nodes.csv', `id\n${vertices}\n`),
      })
      return [preview.balance?.vertices, preview.warnings.filter((said) => said.includes('table of vertices'))]
    }
    expect(await warningsOf('edges.csv', edges, 'a\nz\nz\nc')).toMatchObject([
      { rows: 4, matched: 2, added: 1, repeated: 1, unknown: 0, withoutRow: 1 },
      ['One row of the table of vertices matches no edge and adds a vertex without one: "z".'],
    ])
    expect((await warningsOf('edges.csv', edges, 'z1\nz2\nz3\nz4\nz5\nz6'))[1]).toEqual([
      '6 rows of the table of vertices match no edge and add vertices without one, such as "z1", "z2", "z3", "z4", "z5".',
    ])
    const counted = '%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n'
    expect(await warningsOf('m.mtx', counted, '1\n3\n9\nx')).toMatchObject([
      { matched: 1, added: 1, unknown: 2 },
      [
        'One row of the table of vertices matches no edge and adds a vertex without one: "3".',
        '2 rows of the table of vertices are of no vertex and are left out: "9", "x".',
      ],
    ])
    expect((await warningsOf('edges.csv', edges, 'a\nb'))[1]).toEqual([])
  })

  it('is refused beside the edges, which stay shown', async () => {
    const source = work.file('edges.csv', edges)
    const vertices = work.file('nodes.csv', 'id,group\na,A\n,B\nb,C,D\n')
    const preview = await previewFiles({ source, vertices })
    expect(preview.rows).toHaveLength(2)
    expect(preview.refusals.map(({ count, failure }) => [count, failure.what])).toEqual([
      [1, 'a vertex has no id'],
      [1, '3 columns under 2 names'],
    ])
    expect((await work.refused(source, { vertices })).what).toBe('a vertex has no id')
    expect(await refusalsOf({ source, vertices, table: { badRows: 'skip' } })).toEqual([])
    const unnamed = work.file('unnamed.csv', '1,2\n3,4\n')
    expect(await refusalsOf({ source, vertices: unnamed })).toEqual([
      (await work.refused(source, { vertices: unnamed })).what,
    ])
  })
})
