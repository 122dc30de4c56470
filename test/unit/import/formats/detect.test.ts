import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detectFormat } from '../../../../workers/import/formats/detect.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures', name))

/** Both directions of edges written "a b" or "a b w". */
const both = (...edges: string[]) =>
  edges.flatMap((edge) => {
    const [a, b, ...weight] = edge.split(' ')
    return [[a, b, ...weight].join(' '), [b, a, ...weight].join(' ')]
  })
const sorted = (arcs: readonly string[]) => [...arcs].sort()

describe('Matrix Market', () => {
  const banner = (words: string) => `%%MatrixMarket matrix ${words}\n`

  it.each([
    [
      'general pattern',
      'coordinate pattern general',
      '3 3 3\n1 2\n2 1\n3 3\n',
      both('1 2'),
      { entries: 3, loopsRemoved: 1 },
    ],
    [
      'symmetric real',
      'coordinate real symmetric',
      '3 3 2\n2 1 0.5\n3 2 -2e0\n',
      both('1 2 0.5', '2 3 2'),
      { entries: 2 },
    ],
    ['skew-symmetric', 'coordinate integer skew-symmetric', '3 3 1\n3 1 -7\n', both('1 3 7'), { reverseArcsAdded: 1 }],
    ['hermitian', 'coordinate complex hermitian', '2 2 1\n2 1 3 -4\n', both('1 2 5'), { entries: 1 }],
    [
      'rectangular',
      'coordinate pattern general',
      '2 3 2\n1 1\n2 3\n',
      both('1 3', '2 5'),
      { vertices: 5, isolatedVertices: 1 },
    ],
    ['dense', 'array real general', '2 2\n0\n2\n-3\n0\n', both('1 2 3'), { entries: 2 }],
    [
      'dense symmetric',
      'array integer symmetric',
      '3 3\n1\n2\n0\n0\n4\n0\n',
      both('1 2 2', '2 3 4'),
      { loopsRemoved: 1 },
    ],
    ['dense skew', 'array real skew-symmetric', '3 3\n1\n0\n-6\n', both('1 2 1', '2 3 6'), { entries: 2 }],
    ['no entries', 'coordinate real general', '4 4 0\n', [], { vertices: 4, isolatedVertices: 4 }],
    [
      'upper case and comments',
      'COORDINATE Pattern General',
      '% a\n\n%b\n2 2 1\n\n 1\t2 \n',
      both('1 2'),
      { lines: 7 },
    ],
  ])('%s', async (_name, words, body, arcs, report) => {
    const found = await work.imported('m.mtx', banner(words) + body)
    expect(sorted(found.arcs)).toEqual(sorted(arcs))
    expect(found.report).toMatchObject({ format: 'matrix-market', ...report })
    expect(found.labels[0]).toBe('1')
  })

  it('goes without weights, and says so, where all values are zero; else a stored zero is no edge', async () => {
    const body = `${banner('coordinate real general')}3 3 2\n1 2 0\n2 3 `
    const pattern = await work.imported('z.mtx', `${body}0\n`)
    expect(sorted(pattern.arcs)).toEqual(both('1 2', '2 3'))
    expect(pattern.report).toMatchObject({ weights: null, entries: 2 })
    expect(pattern.report.warnings).toEqual([
      'all 2 stored values are zero: they are a pattern, and the graph has no weights',
    ])
    const { arcs, labels, report } = await work.imported('y.mtx', `${body}7\n`)
    expect([sorted(arcs), labels]).toEqual([both('2 3 7'), ['1', '2', '3']])
    expect(report.balance?.lines).toMatchObject({ total: 4, header: 2, entries: 1, dropped: 1 })
    expect(report.warnings).toEqual(['1 stored zero is no edge and not among the entries'])
  })

  it('takes the absolute value and counts it, in exponents and tiny ones too', async () => {
    const values = '1 2 -1.5e+00\n2 3 -1e-50\n3 1 2\n1 3 -0.25\n'
    const found = await work.imported('n.mtx', `${banner('coordinate real general')}3 3 4\n${values}`)
    expect(found.report.weights).toMatchObject({
      rule: 'absolute',
      made: { absolute: 3 },
      smallest: 1e-50,
      largest: 2,
    })
    expect(found.arcs).toContain('2 1 1.5')
    expect(found.arcs).toContain('1 3 2')
  })

  it.each([
    ['symmetric', 0],
    ['skew-symmetric', 1],
  ] as const)('places the values of dense %s matrices', async (symmetry, diagonal) => {
    const places: [number, number][] = []
    for (let column = 0; column < 7; column++)
      for (let row = column + diagonal; row < 7; row++) places.push([row, column])
    const values = places.map((_, k) => `${k + 1}\n`).join('')
    const found = await work.imported('d.mtx', `${banner(`array real ${symmetry}`)}7 7\n${values}`)
    const edges = places.flatMap(([row, column], k) => (row === column ? [] : [`${row + 1} ${column + 1} ${k + 1}`]))
    expect(sorted(found.arcs)).toEqual(sorted(both(...edges)))
  })
})

describe('edge lists', () => {
  it.each([
    [
      'SNAP',
      '# Nodes: 3\n# From\tTo\n10\t30\n30\t10\n20\t20\n',
      both('10 30'),
      { kind: 'integer', smallest: '10', largest: '30' },
    ],
    ['spaces, no last newline', '0 1\n 1   2 ', both('0 1', '1 2'), { kind: 'dense', smallest: '0', largest: '2' }],
    ['from 5', '5 6\n6 7\n', both('5 6', '6 7'), { kind: 'dense', smallest: '5', largest: '7' }],
    ['leading zeros and plus', '007 +8\n', both('7 8'), { kind: 'dense' }],
    [
      '64 bits',
      '18446744073709551615 4294967296\n1 4294967296\n',
      both('18446744073709551615 4294967296', '1 4294967296'),
      { kind: 'integer', largest: '18446744073709551615' },
    ],
    ['CSV with header', 'source,target,weight\n1,2,0.5\n2, 3 ,1e1\n', both('1 2 0.5', '2 3 10'), { kind: 'dense' }],
    ['semicolons', '1;2\n2;9\n', both('1 2', '2 9'), { kind: 'integer' }],
    [
      'texts',
      'alice bob\nbob carol\n',
      both('alice bob', 'bob carol'),
      { kind: 'text', smallest: 'alice', largest: 'carol' },
    ],
    ['names of columns over texts', 'from,to\nx,y\n', both('x y'), { kind: 'text', smallest: 'x' }],
    ['one text among integers', '1 2\n2 3x\n', both('1 2', '2 3x'), { kind: 'text', smallest: '1', largest: '3x' }],
    ['quoted', '"a, ""b""",c\r\n"#d",c\r\n', both('a, "b" c', '#d c'), { kind: 'text', smallest: '#d' }],
    ['quoted integers', '"1","2"\n"2","10"\n', both('1 2', '2 10'), { kind: 'integer' }],
    [
      'tabs between words with blanks',
      'New York\tLos Angeles\nLos Angeles\tNew York\n',
      both('New York Los Angeles'),
      { kind: 'text' },
    ],
    ['comments of three kinds', '// a\n% b\n#c\n1 2\n', both('1 2'), { kind: 'dense' }],
    ['a code that could be an exponent', '12e4 12e5\n', both('12e4 12e5'), { kind: 'text' }],
  ])('%s', async (name, text, arcs, labels) => {
    const found = await work.imported('edges', text)
    if (name === 'quoted' || name.startsWith('tabs')) expect(found.facts.arcs).toBe(arcs.length)
    else expect(sorted(found.arcs)).toEqual(sorted(arcs))
    expect(found.report.labels).toMatchObject(labels)
    expect(found.report.format).toBe('edge-list')
  })

  it('reads quotes within quotes', async () => {
    const found = await work.imported('q.csv', fixture('quoted.csv'))
    expect(found.labels).toEqual(
      ['#tag', 'Zürich', 'a, "b"', '-5'].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
    expect(found.facts.arcs).toBe(6)
  })

  it('orders texts by code point, not by UTF-16 unit', async () => {
    const found = await work.imported('u.txt', '\u{1F600} \uFF5E\nb a\nB a\n')
    expect(found.labels).toEqual(['B', 'a', 'b', '\uFF5E', '\u{1F600}'])
  })

  it('keeps the largest weight of duplicates and directions', async () => {
    const found = await work.imported('w.txt', '1 2 3\n1 2 7\n2 1 5\n2 3 0.1\n')
    expect(found.arcs).toEqual(['1 2 7', '2 1 7', '2 3 0.1', '3 2 0.1'])
    expect(found.report).toMatchObject({ entries: 4, duplicatesMerged: 1, reverseArcsAdded: 1 })
    expect(found.report.weights).toEqual({
      rule: 'reject',
      made: { absolute: 0, dropped: 0 },
      smallest: 0.1,
      largest: 7,
    })
  })

  it('notes columns that it ignores, a header, and comments between edges', async () => {
    const found = await work.imported('x.csv', 'u,v,w,when\n1,2,3,monday\n#c\n2,3,4,tuesday\n')
    expect(found.arcs).toHaveLength(4)
    expect(found.report.warnings.join('|')).toMatch(
      /line 1 was taken.*columns after the first 3.*1 comment line between/s,
    )
  })

  it.each([
    ['a loop', 'i i 4.5\ni b 2\n', 2],
    ['a number beside', 'i j 3\nb i 2\n', 2],
    ['a number beside, with commas', 'source,target,1e3\nb,source,2\n', 2],
    ['names', 'i j weight\nb i 2\n', 1],
    ['names of two columns', 'I,J\nb,i\n', 1],
  ])('takes words that may name columns for what they are: %s', async (_, text, entries) => {
    const found = await work.imported('x.txt', text, { format: 'edge-list' })
    expect(found.report.entries).toBe(entries)
  })

  it('keeps a vertex that has only a loop', async () => {
    const found = await work.imported('l.txt', '1 1\n2 3\n')
    expect(found.labels).toEqual(['1', '2', '3'])
    expect(found.report).toMatchObject({ isolatedVertices: 1, loopsRemoved: 1, entries: 2, arcs: 2 })
  })

  it.each([
    ['absolute', '1 2 -3\n2 3 4\n', ['1 2 3', '2 1 3', '2 3 4', '3 2 4'], { absolute: 1, dropped: 0 }],
    ['drop', '1 2 -3\n2 3 4\n3 1 0\n', ['2 3 4', '3 2 4'], { absolute: 0, dropped: 2 }],
  ] as const)('weight rule %s', async (weightRule, text, arcs, made) => {
    const found = await work.imported('w', text, { weightRule })
    expect(found.arcs).toEqual(arcs)
    expect(found.report.weights?.made).toEqual(made)
  })

  it('leaves weights out when asked to, whatever they are', async () => {
    const found = await work.imported('i', '1 2 -3\n2 3\n', { ignoreWeights: true })
    expect(found.facts).toMatchObject({ weighted: false, arcs: 4 })
  })
})

describe('edge lists that were put together', () => {
  it('have their byte order marks and names of columns in them', async () => {
    const found = await work.imported('a.csv', '\ufeffsource,target\n1,2\n\ufeffsource,target\r\n2,3\n\ufeff3,4\n')
    expect(sorted(found.arcs)).toEqual(sorted(both('1 2', '2 3', '3 4')))
    expect(found.report.warnings.join()).toContain(
      '1 line that repeats the names of the columns was skipped, the first at line 3',
    )
    const texts = await work.imported('a.csv', 'source,target\na,b\nsource,target\nb,c\n')
    expect(sorted(texts.arcs)).toEqual(sorted(both('a b', 'b c')))
  })
})

describe('KONECT', () => {
  it.each(['1 2\n0 3\n', '0 3\n1 2\n'])('ids without sizes are as they occur, in any order: %j', async (lines) => {
    const found = await work.imported('out.k', `% sym unweighted\n${lines}`)
    expect(sorted(found.arcs)).toEqual(sorted(both('0 3', '1 2')))
  })

  it('weights that only later edges have are refused, not left out', async () => {
    const failure = await work.refused(work.file('out.k', '% sym positive\n1 2\n2 3 5\n'))
    expect(failure).toMatchObject({ what: '3 columns, where the first edge had 2' })
  })
})

describe('METIS', () => {
  it.each([
    ['plain', '4 3\n2\n1 3\n2 4\n3\n', both('1 2', '2 3', '3 4'), {}],
    ['isolated vertices and comments', '% c\n4 1\n\n3\n% d\n2\n\n', both('2 3'), { isolatedVertices: 2 }],
    ['edge weights', '3 2 1\n2 5\n1 5 3 7\n2 7\n', both('1 2 5', '2 3 7'), { entries: 4 }],
    ['vertex weights and sizes', '3 2 110 2\n9 8 7 2\n9 8 7 1 3\n9 8 7 2\n', both('1 2', '2 3'), {}],
    ['vertex and edge weights', '2 1 11\n4 2 6\n4 1 6\n', both('1 2 6'), {}],
    ['a blank last line without newline', '3 1\n2\n1\n', both('1 2'), { isolatedVertices: 1, lines: 3 }],
  ])('%s', async (_name, text, arcs, report) => {
    const found = await work.imported('g.graph', text)
    expect(sorted(found.arcs)).toEqual(sorted(arcs))
    expect(found.report).toMatchObject({ format: 'metis', ...report })
  })

  it('adds what stands in one direction only, and says so', async () => {
    const found = await work.imported('one.graph', '3 1\n2 3\n\n\n')
    expect(found.report).toMatchObject({ arcs: 4, reverseArcsAdded: 2 })
    expect(found.report.warnings.join()).toMatch(/2 edges were in the line of one/)
  })
})

describe('detection', () => {
  const detect = (text: string, path = 'file.txt') => detectFormat(Buffer.from(text), true, path).format

  it.each([
    ['%%matrixmarket matrix coordinate pattern general\n1 1 0\n', 'matrix-market'],
    ['4 4\n2 4\n1 3\n2 4\n1 3\n', 'metis'],
    ['3 2\n2\n1 3\n2\n', 'metis'],
    ['1 2\n2 3\n3 4\n', 'edge-list'],
    ['10 20 1\n20 30 1\n', 'edge-list'],
    ['a b\nb c\n', 'edge-list'],
  ])('%j is %s under any name', (text, format) => {
    for (const path of ['x.txt', 'x.csv', 'x.gz', 'x']) expect(detect(text, path)).toBe(format)
  })

  it('asks the name only when the text leaves it open', () => {
    for (const [path, format] of [
      ['x.graph', 'metis'],
      ['x.mtx', 'matrix-market'],
      ['x.col', 'dimacs'],
      ['x.gr.gz', 'dimacs9'],
      ['x.adj', 'pbbs'],
      ['out.x', 'konect'],
    ])
      expect(detect('1 2\n2 3\n', path)).toBe(format)
    expect(detect('p edge 2 1\ne 1 2\n', 'x.mtx')).toBe('dimacs')
    expect(detect('1 2\n2 3\n', 'x.txt')).toBe('edge-list')
  })

  it('finds the properties beside a WebGraph that is compressed', async () => {
    work.file('cnr.properties', fixture('webgraph/paper.properties'))
    const plain = await work.imported('cnr.graph', fixture('webgraph/paper.graph'))
    const packed = await work.imported('cnr.graph.gz', gzipSync(fixture('webgraph/paper.graph')))
    expect(packed.report).toMatchObject({ format: 'webgraph', compression: 'gzip' })
    expect(packed.arcs).toEqual(plain.arcs)
  })

  it('tells gzip by its first bytes, several members too', async () => {
    const found = await work.imported('plain.txt', Buffer.concat([gzipSync('1 2\n2 '), gzipSync('3\n3 4\n')]))
    expect(found.report).toMatchObject({ compression: 'gzip', entries: 3, lines: 3 })
    expect(found.arcs).toHaveLength(6)
  })
})
