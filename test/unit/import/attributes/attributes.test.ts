import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, ImportArgs } from '../../../../workers/contract/jobs.ts'
import { AttributeTable, EDGE_TABLE, VERTEX_TABLE } from '../../../../workers/graph/attribute-table.ts'
import { openLabels } from '../../../../workers/graph/labels.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { fixturePath } from '../../../support/fixtures.ts'
import { readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
type Row = Record<string, AttributeValue>

async function imported(source: string, options: Partial<ImportArgs> = {}) {
  const folder = work.newFolder()
  const { report } = await importGraph({ source, folder, ...options }, quietJob)
  const labels = openLabels(folder, report.vertices)
  const vertices = await AttributeTable.open(folder, VERTEX_TABLE)
  const edges = await AttributeTable.open(folder, EDGE_TABLE)
  const rowsOf = (table: AttributeTable | null, key: (row: number) => string): Record<string, Row> =>
    Object.fromEntries(
      Array.from({ length: table?.rows ?? 0 }, (_, row) => [
        key(row),
        Object.fromEntries(table!.columns.map(({ name }, i) => [name, table!.row(row)[i]!])),
      ]),
    )
  const all = { folder, report, labels, vertices, edges, read: readDataset(folder) }
  return { ...all, byLabel: rowsOf(vertices, (v) => labels.of(v)), rows: rowsOf(edges, String) }
}

describe('attributes of formats of nodes and edges', () => {
  it.each(['gml/networkx.gml', 'node-link/networkx.json'])(
    '%s: kinds and values as they were written',
    async (name) => {
      const { report, byLabel, edges, rows, labels } = await imported(fixturePath(name))
      const isGml = name.endsWith('gml')
      const label = (text: string, place: string) => (isGml ? place : text)
      const base = { Köln: ['0', 1.5, null], Bonn: ['1', 2, isGml ? 1 : true], Kiel: ['2', null, null] } as const
      for (const [city, [place, size, capital]] of Object.entries(base))
        expect(byLabel[label(city, place)]).toMatchObject({ size, capital, group: city === 'Bonn' ? 'B' : 'A' })
      expect(report.attributes?.vertices.filter(({ name: column }) => column === 'group')).toEqual([
        { name: 'group', kind: 'text', filled: 4 },
      ])
      expect(report.attributes?.edges).toEqual([{ name: 'kind', kind: 'text', filled: 2 }])
      const [bonn, kiel] = [labels.find(label('Bonn', '1')), labels.find(label('Kiel', '2'))]
      expect(rows[edges!.rowOfEdge(kiel, bonn)]).toEqual({ kind: 'road' })
      expect(edges!.rowOfEdge(labels.find(label('Köln', '0')), kiel)).toBe(-1)
    },
  )

  it('the weight of D3, its value, is no attribute too; what is within an object has its path', async () => {
    const { report, byLabel } = await imported(fixturePath('node-link/d3.json'))
    expect(report.attributes?.edges ?? []).toEqual([])
    expect(byLabel['Myriel']).toEqual({ group: 1, pos: '[1,2]', 'style.fill': 'red' })
  })

  it('Pajek: names and coordinates of vertices', async () => {
    const { byLabel, report } = await imported(fixturePath('pajek/lists.net'))
    expect(report.attributes?.vertices.map(({ name }) => name)).toEqual(['label', 'x', 'y', 'z'])
    expect(byLabel['1']).toEqual({ label: 'a ä', x: 0.1, y: 0.2, z: 0.5 })
    expect(byLabel['2']).toEqual({ label: 'b', x: 0.3, y: 0.4, z: null })
    expect(byLabel['6']).toEqual({ label: null, x: null, y: null, z: null })
  })

  it('edges that name places have their own attributes, also where ids look like places', async () => {
    const nodes = ['10', '0', '1'].map((id) => ({ id }))
    const links = [
      { source: 0, target: 1, kind: 'q' },
      { source: 1, target: 2, kind: 'r' },
    ]
    const { edges, rows, labels } = await imported(work.file('p.json', JSON.stringify({ nodes, links })))
    const rowOf = (a: string, b: string) => rows[edges!.rowOfEdge(labels.find(a), labels.find(b))]
    expect([rowOf('10', '0'), rowOf('0', '1')]).toEqual([{ kind: 'q' }, { kind: 'r' }])
  })

  it.each(['gml', 'json'])(
    '%s: of names that each node has alone the table keeps as many as it has room for, and says so',
    async (kind) => {
      const count = 4200
      const nodes = Array.from({ length: count }, (_, i) => ({ id: i, kind: 'x', [`k${i}`]: i }))
      const node = (values: object): string =>
        `node [ ${Object.entries(values)
          .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
          .join(' ')} ]`
      const text =
        kind === 'json'
          ? JSON.stringify({ nodes, links: [{ source: 0, target: 1 }] })
          : `graph [ ${nodes.map(node).join('\n')} edge [ source 0 target 1 ] ]`
      const { report } = await imported(work.file(`k.${kind}`, text), { memoryBytes: 64 << 20 })
      const columns = report.attributes!.vertices
      expect(columns[0]).toEqual({ name: 'kind', kind: 'text', filled: count })
      expect(columns.length).toBe(64)
      expect(report.warnings.filter((warning) => warning.includes('are left out'))).toHaveLength(2)
      // Names that are chosen stay, however empty they are.
      const chosen = await imported(work.file(`c.${kind}`, text), { table: { attributes: 'k7,k4199' } })
      expect(chosen.report.attributes!.vertices.map(({ filled }) => filled)).toEqual([1, 1])
      expect(chosen.byLabel['4199']).toEqual({ k7: null, k4199: 4199 })
    },
  )

  it('texts of another encoding are refused, never made of signs in place of letters', async () => {
    const table = (text: string) => work.file('t.csv', Buffer.from(text, 'latin1'))
    const vertices = table('id,name\n1,caf\xe9\n2,x\n')
    const failure = await work.refused(work.file('g.txt', '1 2\n'), { vertices })
    expect(failure).toMatchObject({ where: `${vertices}:2`, fixes: [{ to: 'windows-1252' }, { option: 'encoding' }] })
    const edges = table('source,target,kind\n1,2,caf\xe9\n2,3,x\n')
    expect((await work.refused(edges, { table: { attributes: 'kind' } })).where).toBe(`${edges}:2`)
  })

  it('GraphML: declared kinds and defaults; GEXF: labels and values', async () => {
    const graphml = await imported(
      work.file(
        'a.graphml',
        `<graphml><key id="c" for="node" attr.name="colour" attr.type="string"><default>yellow</default></key>
        <key id="n" for="node" attr.name="level" attr.type="int"/><key id="b" for="node" attr.name="open" attr.type="boolean"/>
        <key id="w" for="edge" attr.name="weight" attr.type="double"/><key id="k" for="edge" attr.name="kind" attr.type="string"/>
        <graph edgedefault="undirected"><node id="x"><data key="c">green</data><data key="n">7</data></node>
        <node id="y"><data key="b">true</data></node>
        <edge source="x" target="y"><data key="w">2</data><data key="k">a &amp; b</data></edge></graph></graphml>`,
      ),
    )
    expect(graphml.byLabel).toEqual({
      x: { colour: 'green', level: 7, open: null },
      y: { colour: 'yellow', level: null, open: true },
    })
    expect(graphml.rows).toEqual({ 0: { kind: 'a & b' } })
    const gexf = await imported(
      work.file(
        'a.gexf',
        `<gexf><graph><attributes class="node"><attribute id="0" title="size" type="float"/></attributes><nodes>
        <node id="1" label="One"><attvalues><attvalue for="0" value="1.5"/></attvalues></node><node id="2" label="Two"/></nodes>
        <edges><edge id="e" source="1" target="2" weight="3" label="rail"/></edges></graph></gexf>`,
      ),
    )
    expect(gexf.byLabel).toEqual({ 1: { label: 'One', size: 1.5 }, 2: { label: 'Two', size: null } })
    expect(gexf.rows).toEqual({ 0: { label: 'rail' } })
  })
})

describe('columns of tables of edges', () => {
  const csv = 'from;to;weight;Sorte;since\nb;a;2;"Straße; neu";2001\nc;b;1,5;;1999\nb;a;3;again;7\na;a;1;loop;1\n'

  it('all others, or some by name; the first row of an edge stays, whatever its direction', async () => {
    const source = work.file('e.csv', csv)
    const { rows, edges, report, labels } = await imported(source, { table: { attributes: 'all' } })
    expect(report.attributes?.edges).toEqual([
      { name: 'Sorte', kind: 'text', filled: 1 },
      { name: 'since', kind: 'number', filled: 2 },
    ])
    const [a, b, c] = ['a', 'b', 'c'].map((label) => labels.find(label)) as [number, number, number]
    expect(rows[edges!.rowOfEdge(a, b)]).toEqual({ Sorte: 'Straße; neu', since: 2001 })
    expect(rows[edges!.rowOfEdge(c, b)]).toEqual({ Sorte: null, since: 1999 })
    expect(report.warnings.join()).not.toContain('ignored')
    expect(report.warnings.join()).toContain('1 time attributes of one edge')
    const one = await imported(source, { table: { attributes: 'since' } })
    expect(one.report.attributes?.edges.map(({ name }) => name)).toEqual(['since'])
    expect(one.read.arcs).toEqual((await imported(source)).read.arcs)
  })

  it('of the rows that a condition on words keeps, in several files, whole numbers in any writing', async () => {
    const [first, second] = [
      work.file('1.txt', '007 8 x 1\n8 9 y 2\n'),
      work.file('2.txt', '+9 10 y 3\n10 7 z 4\n'),
    ] as const
    const table = {
      header: 'no',
      sourceColumn: '1',
      targetColumn: '2',
      where: `"3" in ('x', 'y')`,
      attributes: '4',
    } as const
    const { report, rows, edges, labels } = await imported(first, { sources: [second], table })
    expect(report).toMatchObject({
      vertices: 4,
      entries: 3,
      filtered: 1,
      attributes: { edges: [{ name: '4', filled: 3 }] },
    })
    expect(rows[edges!.rowOfEdge(labels.find('9'), labels.find('10'))]).toEqual({ 4: 3 })
    expect(rows[edges!.rowOfEdge(labels.find('7'), labels.find('8'))]).toEqual({ 4: 1 })
  })

  it.each(['parquet/int64-snappy.parquet', 'arrow/int64.arrow'])('%s: weights that are left out', async (name) => {
    const options = { ignoreWeights: true, table: { attributes: 'weight' } }
    const { report, rows, edges, labels } = await imported(fixturePath(name), options)
    expect(report.attributes?.edges).toEqual([{ name: 'weight', kind: 'number', filled: 3 }])
    expect(rows[edges!.rowOfEdge(labels.find('2'), labels.find('3'))]).toEqual({ weight: 1.5 })
    expect(rows[edges!.rowOfEdge(labels.find('1099511627776'), labels.find('1'))]).toEqual({ weight: 2.5 })
  })

  it.each([
    ['e.csv', csv, { attributes: 'colour' }, 'no column "colour"'],
    ['d.csv', 'from,to,k,k\n1,2,x,y\n', { attributes: 'all', header: 'yes' as const }, 'two columns of attributes'],
    [
      'e.mtx',
      '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n',
      { attributes: 'colour' },
      'has no columns',
    ],
  ])('%s with %j is refused', async (name, text, table, what) => {
    expect((await work.refused(work.file(name, text), { table })).what).toContain(what)
  })
})

describe('a table of vertices', () => {
  const edges = '10 20\n20 30\n'
  const nodes = 'name;Id;zip;size;share;note\nZoë;20;01234;3;0,5;\n"a;b";10;50667;NA;1,25;x\nlone;40;7;4;2,5;\n'

  it('has a row for each vertex; ids that no edge names are vertices; codes stay texts', async () => {
    const { byLabel, report, read } = await imported(work.file('e.txt', edges), { vertices: work.file('n.csv', nodes) })
    expect(read.labels).toEqual(['10', '20', '30', '40'])
    expect(report).toMatchObject({ entries: 2, loopsRemoved: 0, isolatedVertices: 1 })
    expect(byLabel).toEqual({
      10: { name: 'a;b', zip: '50667', size: null, share: 1.25, note: 'x' },
      20: { name: 'Zoë', zip: '01234', size: 3, share: 0.5, note: null },
      30: { name: null, zip: null, size: null, share: null, note: null },
      40: { name: 'lone', zip: '7', size: 4, share: 2.5, note: null },
    })
    expect(report.attributes?.vertices.map(({ name, kind, filled }) => [name, kind, filled])).toEqual([
      ['name', 'text', 3],
      ['zip', 'text', 3],
      ['size', 'number', 2],
      ['share', 'number', 3],
      ['note', 'text', 1],
    ])
  })

  it('is the same through every way of importing', async () => {
    const source = work.file('e.txt', edges)
    const vertices = work.file('n.csv', Buffer.from(`\ufeff${nodes}`, 'utf16le'))
    const first = await imported(source, { vertices })
    for (const options of [{ memoryBytes: 1 << 20 }, { threads: 1 }])
      expect((await imported(source, { vertices, ...options })).byLabel).toEqual(first.byLabel)
  })

  it('a text among its ids makes all ids texts', async () => {
    const { read } = await imported(work.file('e.txt', edges), { vertices: work.file('n.csv', 'id,a\n20,1\nx,2\n') })
    expect(read.labels).toEqual(['10', '20', '30', 'x'])
  })

  it('the first of two rows stays, and the others are counted', async () => {
    const { byLabel, report } = await imported(work.file('e.txt', edges), {
      vertices: work.file('n.csv', 'id,a\n20,first\n20,second\n'),
    })
    expect(byLabel['20']).toEqual({ a: 'first' })
    expect(report.warnings.join()).toContain('1 time attributes of one vertex are given again')
  })

  it('a row that memory has no room for is refused by its vertex, and a line by its number, whatever is before', async () => {
    const source = work.file('e.txt', edges)
    const refused = (rows: string[], memoryBytes: number) =>
      work.refused(source, { vertices: work.file('n.csv', `id,a\n${rows.join('\n')}\n`), memoryBytes })
    const large = `20,${'x'.repeat(600_000)}`
    for (const rows of [[large], ['10,y', large, '30,z'], [`10,${'y'.repeat(260_000)}`, large]])
      expect(await refused(rows, 2 << 20)).toMatchObject({
        code: 'usage',
        where: join(work.path, 'n.csv'),
        what: 'the attributes of the vertex "20" take more than the 0.5 MiB that an import with 2 MiB keeps of such at once',
        fixes: [
          { action: 'choose', option: 'attributes' },
          { action: 'raise', option: 'memoryBytes' },
        ],
      })
    expect(await refused(['10,y', `20,${'x'.repeat(1 << 25)}`], 1 << 20)).toMatchObject({
      where: `${join(work.path, 'n.csv')}:3`,
      what: expect.stringContaining('this line is longer than the 4 MiB') as string,
    })
  })

  it.each([
    ['n.csv', '10,1\n20,2\n', 'does not name its columns'],
    ['n.csv', 'id,a\n10,1,2\n', '3 columns under 2 names'],
    ['n.csv', 'id,a\n,1\n', 'a vertex has no id'],
    ['n.csv', 'id,a\n77,1\n', 'is in an edge'],
    ['n.csv', 'id,a\n', 'has no rows'],
    ['n.csv', 'id,a\n"10,1\n', 'a quoted field does not end'],
  ])('%s %j is refused', async (name, text, what) => {
    const source = work.file('e.txt', edges)
    const vertices = work.file(name, text)
    expect((await work.refused(source, { vertices })).what).toContain(what)
  })

  it('a column of ids is chosen by its name', async () => {
    const vertices = work.file('n.csv', 'id,code\na,20\nb,10\n')
    const source = work.file('e.txt', edges)
    const { byLabel } = await imported(source, { vertices, table: { vertexColumn: 'code' } })
    expect(byLabel['20']).toEqual({ id: 'a' })
    expect((await work.refused(source, { vertices, table: { vertexColumn: 'none' } })).what).toContain(
      'no column "none"',
    )
  })

  it('damage is found where the table is read', async () => {
    const { folder } = await imported(work.file('e.txt', edges), { vertices: work.file('n.csv', nodes) })
    const path = join(folder, VERTEX_TABLE)
    const { readFileSync, writeFileSync } = await import('node:fs')
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(path, bytes)
    await expect(AttributeTable.open(folder, VERTEX_TABLE)).rejects.toThrow(/table of attributes is damaged/)
  })
})
