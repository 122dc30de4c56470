import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { writeGraphFile } from '../../../../workers/export/formats/write-graph-file.ts'
import { AttributeTable, VERTEX_TABLE } from '../../../../workers/graph/attribute-table.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

async function weighed(source: string, options: Partial<ImportArgs> = {}) {
  const folder = work.newFolder()
  const { checksum, report } = await importGraph({ source, folder, ...options }, quietJob)
  const table = await AttributeTable.open(folder, VERTEX_TABLE)
  const names = table?.columns.map(({ name, kind }) => `${name}: ${kind}`) ?? []
  const rows = table === null ? [] : Array.from({ length: table.rows }, (_, v) => table.row(v))
  table?.close()
  return { folder, checksum, report, names, rows }
}

describe('weights of vertices', () => {
  it('of METIS are attributes, and are written back', async () => {
    const text = '3 2 111 2\n9 1 2 2 5\n8 4 5.5 1 5 3 7\n7 7 8 2 7\n'
    const { folder, checksum, names, rows, report } = await weighed(work.file('a.graph', text))
    expect(names).toEqual(['size: number', 'weight: number', 'weight2: number'])
    expect(rows).toEqual([
      [9, 1, 2],
      [8, 4, 5.5],
      [7, 7, 8],
    ])
    expect(report.warnings).toEqual([])
    const output = `${folder}.graph`
    await writeGraphFile({ folder, checksum, format: 'metis', output }, quietJob)
    expect(readFileSync(output, 'utf8')).toBe('3 2 011\n1 2 5\n4 1 5 3 7\n7 2 7\n')
    const again = await weighed(output)
    expect([again.checksum, again.names, again.rows]).toEqual([checksum, ['weight: number'], [[1], [4], [7]]])
    const without = await weighed(work.file('a.graph', text), { table: { attributes: 'none' } })
    expect([without.names, without.report.warnings]).toEqual([
      [],
      ['3 numbers a vertex (sizes and vertex weights) were ignored'],
    ])
  })

  it('of DIMACS are those of lines n, where there are some; METIS has no room for some', async () => {
    const text = 'p edge 4 2\nn 1 10\nn 4 0.25\nv 3 7\ne 1 2\ne 3 4\n'
    const { folder, checksum, names, rows, report } = await weighed(work.file('a.col', text))
    expect([names, rows]).toEqual([['weight: number'], [[10], [null], [null], [0.25]]])
    expect(report.warnings).toEqual(['1 line about vertices was ignored'])
    const output = `${folder}.col`
    await writeGraphFile({ folder, checksum, format: 'dimacs', output }, quietJob)
    expect(readFileSync(output, 'utf8')).toBe('p edge 4 2\nn 1 10\nn 4 0.25\ne 1 2\ne 3 4\n')
    const again = await weighed(output)
    expect([again.checksum, again.rows]).toEqual([checksum, rows])
    const metis = await writeGraphFile({ folder, checksum, format: 'metis', output: `${folder}.graph` }, quietJob)
    expect(metis.notes).toEqual(['some vertices have no weight of their own: the attribute weight was left out'])
    expect(readFileSync(`${folder}.graph`, 'utf8')).toBe('4 2\n2\n1\n4\n3\n')
  })

  it('are read where isolated vertices and comments stand between, and of gzip', async () => {
    const { rows, checksum } = await weighed(work.file('b.graph', '% c\n4 1 10\n5 3\n% d\n6\n7 1\n8\n'))
    expect(rows).toEqual([[5], [6], [7], [8]])
    expect(checksum).toBe((await weighed(work.file('c.graph', '4 1\n3\n\n1\n\n'))).checksum)
  })

  it.each([
    ['gexf', 'weight="3"', '', [[3], [null]]],
    ['gexf', 'weight="3"', '<attvalues><attvalue for="w" value="5"/></attvalues>', [[5], [null]]],
    ['gexf', '', '<attvalues><attvalue for="w" value="5"/></attvalues>', [[5], [null]]],
    ['graphml', '', '<data key="w">5</data>', [[5], [null]]],
  ])('of %s are one attribute of numbers, and weights of edges none', async (format, own, inside, expected) => {
    const ends = 'source="1" target="2"'
    const text =
      format === 'gexf'
        ? `<gexf><graph><attributes class="node"><attribute id="w" title="Weight" type="float"/></attributes><nodes><node id="1" ${own}>${inside}</node><node id="2"/></nodes><edges><edge ${ends} weight="2"/></edges></graph></gexf>`
        : `<graphml><key id="w" for="all" attr.name="Weight" attr.type="double"/><graph><node id="1">${inside}</node><node id="2"/><edge ${ends}><data key="w">2</data></edge></graph></graphml>`
    const { names, rows, report } = await weighed(work.file(`a.${format}`, text))
    const name = own === '' ? 'Weight' : 'weight'
    expect([names, rows]).toEqual([[`${name}: number`], expected])
    expect([report.weights?.largest, report.attributes?.edges]).toEqual([2, []])
  })
})
