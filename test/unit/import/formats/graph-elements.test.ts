import { describe, expect, it } from 'vitest'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { edgesOf, expectConserved, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const json = (value: unknown): string => JSON.stringify(value)

describe('files of nodes and edges', () => {
  const nodes = [{ id: 7 }, { id: 3 }, { id: 9 }]
  const gml =
    'graph [ node [ id 7 ] node [ id 3 ] node [ id 9 ] edge [ source 7 target 3 weight 2 ] edge [ source 3 target 3 weight 9 ] ]'
  const links = [
    { source: 7, target: 3, weight: 2 },
    { source: 3, target: 3, weight: 9 },
  ]

  it.each([
    ['g.gml', gml],
    ['g.json', json({ nodes, links })],
    ['late.json', json({ edges: links, directed: false, nodes })],
  ])('%s: nodes are vertices, loops of edges alone are counted', async (name, text) => {
    for (const options of [{}, { invertWeights: true }, { weightRule: 'shift' as const }, { memoryBytes: 1 << 20 }]) {
      const read = await work.imported(name, text, options)
      expect(read.labels).toEqual(['3', '7', '9'])
      // The weight of the loop is in the range that is inverted.
      expect(edgesOf(read)).toEqual([options.invertWeights === true ? '3 7 9' : '3 7 2'])
      expect(read.report).toMatchObject({ entries: 2, loopsRemoved: 1, isolatedVertices: 1, vertices: 3 })
      expectConserved(read.report)
    }
  })

  it('a text among the ids makes all of them texts', async () => {
    const text = json({ nodes: [{ id: 1 }, { id: 'a' }], links: [{ source: 1, target: 'a' }] })
    expect(edgesOf(await work.imported('t.json', text))).toEqual(['1 a'])
  })

  it('a number and a text that look the same are one vertex, which the report says', async () => {
    const text = '{"nodes":[{"id":1},{"id":"1"},{"id":"b"}],"links":[{"source":1,"target":"b"}]}'
    const { labels, report } = await work.imported('g.json', text)
    expect(labels).toEqual(['1', 'b'])
    expect(report.warnings).toEqual(['ids of nodes are numbers and texts: a number and the text of it are one vertex'])
    expect((await work.imported('t.json', text.replaceAll('1', '"1"').replaceAll('""', '"'))).report.warnings).toEqual(
      [],
    )
  })

  it('numbers are the places of nodes where all ids are texts, and ids where one is a number', async () => {
    const links = [
      { source: 2, target: 3, kind: 'q' },
      { source: 3, target: 1, kind: 'r' },
    ]
    const idsOf = (ids: readonly (string | number)[]) => json({ nodes: ids.map((id) => ({ id })), links })
    expect(edgesOf(await work.imported('m.json', idsOf(['x', 2, 3, 1])))).toEqual(['1 3', '2 3'])
    expect(edgesOf(await work.imported('p.json', idsOf(['x', '2', '3', '1'])))).toEqual(['1 2', '1 3'])
  })

  it.each([-1, 0.5])('a place that is %s is told as what it is', async (source) => {
    const text = json({ nodes: [{ id: 'a' }, { id: 'b' }], links: [{ source, target: 0 }] })
    expect((await work.refused(work.file('p.json', text))).what).toContain(`the id "${source}" is no whole number`)
  })

  it('a node that is skipped keeps its place', async () => {
    const nodes = ['a', 'b\u0001', 'c', 'a', 'd'].map((id) => ({ id }))
    const links = [0, 1, 3, 4].map((target) => ({ source: 2, target }))
    const text = json({ nodes, links })
    expect((await work.refused(work.file('p.json', text))).where).toContain('node 2')
    const read = await work.imported('p.json', text, { table: { badRows: 'skip' } })
    expect(edgesOf(read)).toEqual(['a c', 'c d'])
    expect(read.report.skipped).toBe(4)
  })

  it('ids that numbers cannot hold are refused, never rounded', async () => {
    const text = '{"nodes":[{"id":9007199254740993},{"id":"a"}],"links":[{"source":9007199254740993,"target":"a"}]}'
    expect((await work.refused(work.file('l.json', text))).what).toMatch(/past 2\^53/)
    const exact = 'graph [ node [ id 9007199254740993 ] node [ id 1 ] edge [ source 9007199254740993 target 1 ] ]'
    expect((await work.imported('l.gml', exact)).labels).toContain('9007199254740993')
  })

  it.each([
    ['missing.json', json({ nodes, links: [{ source: 7 }] }), 'an edge has no target', 'badRows'],
    ['place.json', json({ nodes: [{}, {}], links: [{ source: 0, target: 2 }] }), 'names the node 2', 'badRows'],
    ['id.gml', 'graph [ node [ id 1 ] edge [ source -1 target 1 ] ]', 'no whole number', 'badRows'],
    [
      'weight.json',
      json({ nodes, links: [links[0], { source: 3, target: 9 }] }),
      'an edge has no "weight", where others have one',
      'missingWeight',
    ],
  ])('%s is refused with a rule that mends it', async (name, text, what, option) => {
    const source = work.file(name, text)
    const failure = await work.refused(source)
    expect(failure.what).toContain(what)
    expect(failure.where).toContain(name)
    expect(failure.fixes?.[0]).toMatchObject({ action: 'set', option })
    const table = { [option]: 'skip' }
    const { report } = await work.imported(name, text, { table })
    expect(report.skipped).toBe(1)
  })

  it.each([
    ['cut.json', '{"nodes":[{"id":1},{"id":2}],"links":[{"source":1,', 'the JSON is broken after 2 nodes and 0 edges'],
    ['none.json', '{"nodes":[{"id":1}],"links":[]}', 'there are no edges'],
    ['cut.gml', 'graph [ node [ id 1 ] edge [ source 1 target 1', 'does not end'],
    ['text.gml', 'graph [ node [ id 1 label "a ] ]', 'a text does not end'],
    ['word.gml', 'graph [ node [ id one ] ]', 'is no number'],
    ['records.json', '[{"source":1,"target":2}]', 'JSON, but without the lists of nodes and links'],
    ['cytoscape.json', '{"elements":{"nodes":[],"edges":[]}}', 'JSON of Cytoscape.js'],
    ['adjacency.json', '{"nodes":[{"id":0}],"adjacency":[[]]}', 'adjacency lists'],
  ])('%s is refused, never an edge list', async (name, text, what) => {
    expect((await work.refused(work.file(name, text))).what).toContain(what)
  })

  it('a preview shows the edges with the weight that is taken', async () => {
    const text = json({ nodes, links: [{ kind: 'road', target: 3, source: 7, value: 0.5 }] })
    const { table, columns, rows } = await previewFiles({ source: work.file('p.json', text) })
    expect(columns?.map(({ name }) => name)).toEqual(['source', 'target', 'value', 'kind'])
    expect(rows).toEqual([['7', '3', '0.5', 'road']])
    expect(table).toMatchObject({ source: 0, target: 1, weight: 2, asks: null, delimiter: null })
  })

  it('entities in GML that have no meaning stay as they are', async () => {
    const ids = ['a&amp;b', 'c&valueOf;', 'd&none;']
    const text = `graph [ ${ids.map((id) => `node [ id "${id}" ]`).join(' ')} edge [ source "a&amp;b" target "d&none;" ] ]`
    expect((await work.imported('e.gml', text)).labels).toEqual(['a&b', 'c&valueOf;', 'd&none;'])
  })

  it('texts in GML may hold brackets, signs of comments, quotes as entities, and cross any border of chunks', async () => {
    const label = 'a ] # &quot;b&quot; '
    const rows = Array.from({ length: 9000 }, (_, i) => `node [ id ${i} label "${label.repeat(2)}" ]\n# no node [\n`)
    const text = `# first\ngraph [\n${rows.join('')}edge [ source 0 target 8999 ]\n]`
    expect(text.length).toBeGreaterThan(1 << 19)
    const read = await work.imported('b.gml', text)
    expect(read.labels).toHaveLength(9000)
    expect(edgesOf(read)).toEqual(['0 8999'])
  })

  it.each([
    ['json', '{"nodes":[{"id":"\\udc80"},{"id":"\\udc81"},{"id":"x"}],"links":[{"source":"\\udc80","target":"x"}]}'],
    ['json', '{"nodes":[{"id":"a","n":"\\ud800"},{"id":"x"}],"links":[{"source":"a","target":"x"}]}'],
  ])('half of a surrogate pair is refused: %s %s', async (_, text) => {
    expect((await work.refused(work.file('s.json', text))).what).toContain('half of a surrogate pair')
  })

  it('a U+FEFF in front of an id is part of it in every format', async () => {
    const mark = '\ufeff'
    const texts = {
      'b.json': json({
        nodes: [`${mark}a`, 'a', 'b'].map((id) => ({ id })),
        links: [`${mark}a`, 'a'].map((source) => ({ source, target: 'b' })),
      }),
      'b.gml': `graph [ node [ id "${mark}a" ] node [ id "a" ] node [ id "b" ] edge [ source "${mark}a" target "b" ] edge [ source "a" target "b" ] ]`,
      'b.lgf': `@nodes\nlabel\n${mark}a\na\nb\n@edges\n\t-\n${mark}a b\na b\n`,
    }
    for (const [name, text] of Object.entries(texts))
      expect(edgesOf(await work.imported(name, text)), name).toEqual(['a b', `b ${mark}a`])
  })

  it.each([
    ['m.json', '{"nodes":[{"id":1}],"links":[{"source":1,"target":5},{"source":1,"target":6}]}'],
    ['t.json', '{"links":[{"source":"1","target":"5"},{"source":"1","target":"x"}],"nodes":[{"id":"1"}]}'],
    ['m.gml', 'graph [ node [ id 1 ] edge [ source 1 target 5 ] edge [ source 1 target 6 ] ]'],
    ['m.lgf', '@nodes\nlabel\n1\n@arcs\n-\n1 5\n1 6\n'],
    [
      'm.graphml',
      '<graphml><graph><node id="1"/><edge source="1" target="5"/><edge source="1" target="6"/></graph></graphml>',
    ],
  ])('%s: vertices that edges alone name are told', async (name, text) => {
    const { report } = await work.imported(name, text)
    expect(report.vertices).toBe(3)
    expect(report.warnings).toContain('2 vertices are named by edges only; they have no node of their own')
  })

  it.each([
    ['d.json', `{"nodes":[{"id":1,"a":${'['.repeat(1e6)}`, 'nested 100 deep'],
    ['d.gml', `graph [ node [ id 1 ${'a [ '.repeat(1e5)}`, 'nested 100 deep'],
    ['d.graphml', `<graphml><graph>${'<node id="a">'.repeat(1e4)}`, 'nodes are nested 32 deep'],
    [
      'w.json',
      `{"nodes":[{"id":1${Array.from({ length: 10_001 }, (_, i) => `,"k${i}":0`).join('')}}]}`,
      '10000 attributes',
    ],
    [
      'w.gml',
      `graph [ node [ id 1 ${Array.from({ length: 10_001 }, (_, i) => `k${i} 0`).join(' ')} ] ]`,
      '10000 attributes',
    ],
    ['w.lgf', `@nodes\nlabel ${Array.from({ length: 10_001 }, (_, i) => `k${i}`).join(' ')}\n`, '10000 columns'],
    [
      'w.graphml',
      `<graphml><graph><node id="a" ${Array.from({ length: 10_001 }, (_, i) => `k${i}=""`).join(' ')}/>`,
      '10000 attributes',
    ],
    [
      'k.graphml',
      `<graphml>${Array.from({ length: 10_001 }, (_, i) => `<key id="k${i}" for="node"/>`).join('')}`,
      'attributes are declared',
    ],
    [
      'f.graphml',
      `<graphml>${Array.from({ length: 257 }, (_, i) => `<key id="k${i}" for="node"><default>1</default></key>`).join('')}`,
      'have a default',
    ],
    [
      'l.gml',
      `graph [ node [ id 1 ${Array.from({ length: 9 }, (_, i) => `k${i} "${'x'.repeat(1 << 19)}"`).join(' ')} ] ]`,
      'attributes of more than 4 MiB',
    ],
  ])('%s: depth, names and counts are bounded', async (name, text, what) => {
    expect((await work.refused(work.file(name, text))).what).toContain(what)
  })
})
