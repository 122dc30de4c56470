/**
 * Small files after the published description of each format, with what its text says of them: vertices, edges, weights, attributes. The
 * graphs are those of the manuals where these print one.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { edgesOf, expectConserved, failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

interface Row {
  readonly name: string
  readonly text: string | Uint8Array
  /** Edges by the file's own ids with their weights, the smaller id first; or their number. */
  readonly edges: readonly string[] | number
  readonly n: number
  readonly weights?: readonly [smallest: number, largest: number]
  readonly attributes?: readonly string[]
  readonly options?: Partial<ImportArgs>
  /** What is merged or removed: loops, entries of the same direction, and of both; unsaid where it is not of interest. */
  readonly merged?: readonly [loops: number, sameDirection: number, bothDirections: number]
  /** Words of every warning, in their order. */
  readonly warns?: readonly RegExp[]
}

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('')
const metisEdges = ['1 2', '1 3', '1 5', '2 3', '2 4', '3 4', '3 5', '4 6', '4 7', '5 6', '6 7']
const metisWeighted = metisEdges.map((edge, i) => `${edge} ${[1, 2, 1, 2, 1, 2, 3, 2, 5, 2, 6][i]}`)
const hyperEdges = 12
/** An array of NumPy: int64, by rows. */
function npy(shape: string, numbers: readonly number[]): Buffer {
  const header = `{'descr': '<i8', 'fortran_order': False, 'shape': (${shape}), }\n`
  const head = Buffer.from(`\x93NUMPY\x01\0\0\0${header}`, 'latin1')
  head.writeUInt16LE(header.length, 8)
  return Buffer.concat([head, Buffer.from(BigInt64Array.from(numbers, BigInt).buffer)])
}

/** Bits in printable bytes, six each, as graph6 and digraph6 have them; n in one byte or in four. */
function printable(n: number, bits: readonly boolean[]): string {
  const sextet = (value: number): string => String.fromCharCode(63 + value)
  const size = n < 63 ? sextet(n) : `~${[12, 6, 0].map((shift) => sextet((n >> shift) & 63)).join('')}`
  const sextets = Array.from({ length: Math.ceil(bits.length / 6) }, (_, i) =>
    sextet([0, 1, 2, 3, 4, 5].reduce((sum, bit) => 2 * sum + (bits[6 * i + bit] === true ? 1 : 0), 0)),
  )
  return size + sextets.join('')
}

/** The upper triangle by columns. */
function graph6(n: number, edges: readonly (readonly [number, number])[]): string {
  const bits = Array.from({ length: n }, (_, v) => Array.from({ length: v }, (_, u) => isIn(edges, u, v))).flat()
  return printable(n, bits)
}

/** The whole matrix by rows. */
function digraph6(n: number, arcs: readonly (readonly [number, number])[]): string {
  const bits = Array.from({ length: n * n }, (_, i) => isIn(arcs, Math.floor(i / n), i % n))
  return `&${printable(n, bits)}`
}

/** A path along 0, 7, 14, ..., an arc each. */
function matrixOfArcs(n: number): string {
  const cell = (row: number, column: number): number => (column === (row + 7) % n ? 1 + row / 8 : 0)
  const row = (_: unknown, at: number): string =>
    Array.from({ length: n }, (_, column) => cell(at, column).toExponential(18).replace('e+0', 'e+00')).join(' ')
  return lines(...Array.from({ length: n }, row))
}

const isIn = (pairs: readonly (readonly [number, number])[], u: number, v: number): boolean =>
  pairs.some(([a, b]) => a === u && b === v)
const path = (n: number) => Array.from({ length: n - 1 }, (_, v) => [v, v + 1] as const)

const rows: readonly Row[] = [
  // B. D. McKay, formats.txt of nauty: its three examples, with and without header, and the sizes past 62.
  { name: 'nauty.g6', text: 'DQc\n', n: 5, edges: ['0 2', '0 4', '1 3', '3 4'] },
  { name: 'nauty-header.g6', text: '>>graph6<<DQc\n', n: 5, edges: ['0 2', '0 4', '1 3', '3 4'] },
  { name: 'nauty.s6', text: ':Fa@x^\n', n: 7, edges: ['0 1', '0 2', '1 2', '5 6'] },
  { name: 'nauty-header.s6', text: '>>sparse6<<:Fa@x^\n', n: 7, edges: ['0 1', '0 2', '1 2', '5 6'] },
  { name: 'nauty.d6', text: '&DI?AO?\n', n: 5, edges: ['0 2', '0 4', '1 3', '3 4'] },
  { name: 'empty63.g6', text: `~??~${'?'.repeat(Math.ceil((63 * 62) / 12))}\n`, n: 63, edges: [] },
  { name: 'none.g6', text: '?\n', n: 0, edges: [] },
  // House of Graphs: the complete graph of four as it downloads it, without a line end; the second of a list.
  { name: 'graph_74.g6', text: 'C~', n: 4, edges: 6 },
  { name: 'hog.g6', text: 'C~\nDUW\n', n: 5, edges: 5, options: { member: '2' } },
  // G. Karypis, manual of METIS 5.1.0, figure 3.
  {
    name: 'a.graph',
    text: lines('7 11', '5 3 2', '1 3 4', '5 4 2 1', '2 3 6 7', '1 3 6', '5 4 7', '6 4'),
    n: 7,
    edges: metisEdges,
  },
  {
    name: 'b.graph',
    text: lines(
      '7 11 001',
      '5 1 3 2 2 1',
      '1 1 3 2 4 1',
      '5 3 4 2 2 2 1 2',
      '2 1 3 2 6 2 7 5',
      '1 1 3 3 6 2',
      '5 2 4 2 7 6',
      '6 6 4 5',
    ),
    n: 7,
    edges: metisWeighted,
    weights: [1, 6],
  },
  {
    name: 'c.graph',
    text: lines(
      '7 11 011',
      '4 5 1 3 2 2 1',
      '2 1 1 3 2 4 1',
      '5 5 3 4 2 2 2 1 2',
      '3 2 1 3 2 6 2 7 5',
      '1 1 1 3 3 6 2',
      '6 5 2 4 2 7 6',
      '2 6 6 4 5',
    ),
    n: 7,
    edges: metisWeighted,
    weights: [1, 6],
    attributes: ['weight'],
  },
  {
    name: 'd.graph',
    text: lines(
      '7 11 010 3',
      '1 2 0 5 3 2',
      '0 2 2 1 3 4',
      '4 1 1 5 4 2 1',
      '2 2 3 2 3 6 7',
      '1 1 1 1 3 6',
      '2 2 1 5 4 7',
      '1 2 1 6 4',
    ),
    n: 7,
    edges: metisEdges,
    attributes: ['weight', 'weight2', 'weight3'],
  },
  // G. Karypis, V. Kumar, manual of hMETIS 1.5.3, figure 4: as all pairs of each hyperedge.
  {
    name: 'a.hgr',
    text: lines('4 7', '1 2', '1 7 5 6', '5 6 4', '2 3 4'),
    n: 7,
    edges: hyperEdges,
    options: { format: 'hmetis' },
  },
  {
    name: 'b.hgr',
    text: lines('4 7 11', '2 1 2', '3 1 7 5 6', '8 5 6 4', '7 2 3 4', '5', '1', '8', '7', '3', '9', '3'),
    n: 7,
    edges: hyperEdges,
    weights: [2, 8],
    attributes: ['weight'],
    options: { format: 'hmetis' },
  },
  // NIST, the Matrix Market exchange formats: the example of a general matrix; then its other symmetries and layouts.
  {
    name: 'nist.mtx',
    text: lines(
      '%%MatrixMarket matrix coordinate real general',
      '% a comment',
      '5 5 8',
      '1 1 1.000e+00',
      '2 2 1.050e+01',
      '3 3 1.500e-02',
      '1 4 6.000e+00',
      '4 2 2.505e+02',
      '4 4 -2.800e+02',
      '4 5 3.332e+01',
      '5 5 1.200e+01',
    ),
    n: 5,
    edges: ['1 4 6', '2 4 250.5', '4 5 33.32'],
    weights: [6, 250.5],
  },
  {
    name: 'hermitian.mtx',
    text: lines(
      '%%MatrixMarket matrix coordinate complex hermitian',
      '3 3 3',
      '1 1 1.0 0',
      '2 1 3.0 4.0',
      '3 2 0 -2.5',
    ),
    n: 3,
    edges: ['1 2 5', '2 3 2.5'],
    weights: [2.5, 5],
  },
  {
    name: 'array.mtx',
    text: lines('%%MatrixMarket matrix array integer symmetric', '3 3', '0', '1', '0', '0', '2', '0'),
    n: 3,
    edges: ['1 2 1', '2 3 2'],
    weights: [1, 2],
  },
  // SuiteSparse: the banner behind which its head of comments follows; a rectangular pattern.
  {
    name: 'jgl009.mtx',
    text: lines(
      '%%MatrixMarket matrix coordinate pattern symmetric',
      '%' + '-'.repeat(30),
      '% UF Sparse Matrix Collection, Tim Davis',
      '% name: JGD_Groups/x',
      '%' + '-'.repeat(30),
      '4 4 3',
      '2 1',
      '3 2',
      '4 4',
    ),
    n: 4,
    edges: ['1 2', '2 3'],
  },
  {
    name: 'rect.mtx',
    text: lines('%%MatrixMarket matrix coordinate pattern general', '2 3 3', '1 1', '2 2', '2 3'),
    n: 5,
    edges: 3,
  },
  // Pajek, reference manual of 5.x, "Networks": arcs and edges with values, lists, matrices, two modes, several relations.
  {
    name: 'manual.net',
    text: lines(
      '*Vertices 5',
      '1 "a" 0.1 0.2 0.5',
      '2 "b c" 0.3 0.4 0.5',
      '3 "d" 0.5 0.1 0.5',
      '4 "e" 0.9 0.8 0.5',
      '5 "f" 0.2 0.2 0.5',
      '*Arcs',
      '1 2 3 c Blue',
      '2 3 5',
      '*Edges',
      '1 3 4',
    ),
    n: 5,
    edges: ['1 2 3', '1 3 4', '2 3 5'],
    weights: [3, 5],
    attributes: ['label', 'x', 'y', 'z'],
  },
  {
    name: 'lists.net',
    text: lines('*Vertices 5', '*Arcslist', '1 2 4', '2 3', '*Edgeslist', '5 1 3'),
    n: 5,
    edges: ['1 2', '1 4', '1 5', '2 3', '3 5'],
  },
  {
    name: 'matrix.net',
    text: lines('*Vertices 3', '1 "x"', '2 "y"', '3 "z"', '*Matrix', '0 1 0', '0 0 2', '0 0 0'),
    n: 3,
    edges: ['1 2 1', '2 3 2'],
    weights: [1, 2],
    attributes: ['label'],
  },
  {
    name: 'two.net',
    text: lines('*Vertices 5 2', '1 "A"', '2 "B"', '3 "p"', '4 "q"', '5 "r"', '*Edges', '1 3', '2 5'),
    n: 5,
    edges: ['1 3', '2 5'],
    attributes: ['label'],
  },
  {
    name: 'relations.net',
    text: lines(
      '*Network two relations',
      '*Vertices 3',
      '*Arcs :1 "likes"',
      '1: 1 2 1',
      '*Arcs :2 "knows"',
      '2: 2 3 1',
    ).replaceAll(/^\d: /gm, ''),
    n: 3,
    edges: ['1 2 1', '2 3 1'],
    weights: [1, 1],
  },
  // KONECT, handbook: out.* with and without sizes, weights and times; two sides.
  {
    name: 'out.moreno',
    text: lines('% asym posweighted', '% 3 4 4', '1 2 2', '2 3 1', '4 1 5'),
    n: 4,
    edges: ['1 2 2', '1 4 5', '2 3 1'],
    weights: [1, 5],
  },
  {
    name: 'out.contact',
    text: lines('% sym unweighted', '1 2 1 1082008561', '2 3 1 1082407331'),
    n: 3,
    edges: ['1 2', '2 3'],
  },
  { name: 'out.actor', text: lines('% bip unweighted', '% 3 2 3', '1 1', '1 2', '2 3'), n: 5, edges: 3 },
  // Network Repository: .edges with a head of comments, commas, and times behind the weights.
  { name: 'soc-x.edges', text: lines('% asym unweighted', '1 2', '2 3', '1 3'), n: 3, edges: 3 },
  { name: 'ia-x.edges', text: lines('1,2,1', '2,3,4'), n: 3, edges: ['1 2 1', '2 3 4'], weights: [1, 4] },
  {
    name: 'bio-x.mtx',
    text: lines('%MatrixMarket matrix coordinate pattern symmetric', '3 3 2', '2 1', '3 1'),
    n: 3,
    edges: ['1 2', '1 3'],
  },
  // PACE: tracks of treewidth, vertex cover, dominating set and cluster editing.
  { name: 'star.gr', text: lines('c a star', 'p tw 4 3', '1 2', '1 3', '1 4'), n: 4, edges: ['1 2', '1 3', '1 4'] },
  {
    name: 'cover.gr',
    text: lines('p td 6 4', '2 3', 'c within', '2 4', '3 5', '4 5'),
    n: 6,
    edges: ['2 3', '2 4', '3 5', '4 5'],
  },
  { name: 'ds.gr', text: lines('p ds 5 4', '1 2', '2 3', '3 4', '4 5'), n: 5, edges: 4 },
  { name: 'edit.gr', text: lines('p cep 3 2', '1 2', '2 3'), n: 3, edges: 2 },
  // OGB: edge.csv.gz without names, and edge_index of two rows as PyTorch Geometric keeps it.
  { name: 'edge.csv.gz', text: gzipSync(lines('0,1', '0,3', '2,1')), n: 4, edges: ['0 1', '0 3', '1 2'] },
  { name: 'edge_index.npy', text: npy('2, 3', [0, 0, 2, 1, 3, 1]), n: 4, edges: ['0 1', '0 3', '1 2'] },
  // DIMACS: the second challenge's cliques and colours, with weights of vertices; the ninth's shortest paths.
  {
    name: 'myciel.col',
    text: lines('c FILE: myciel', 'p edge 5 5', 'e 1 2', 'e 1 4', 'e 2 3', 'e 3 5', 'e 4 5'),
    n: 5,
    edges: ['1 2', '1 4', '2 3', '3 5', '4 5'],
  },
  {
    name: 'w.clq',
    text: lines('p col 3 2', 'n 1 5', 'n 2 7', 'n 3 9', 'e 1 2', 'e 2 3'),
    n: 3,
    edges: 2,
    attributes: ['weight'],
  },
  {
    name: 'USA-road.gr',
    text: lines('c 9th DIMACS', 'p sp 3 4', 'a 1 2 803', 'a 2 1 803', 'a 2 3 158', 'a 3 2 158'),
    n: 3,
    edges: ['1 2 803', '2 3 158'],
    weights: [158, 803],
  },
  // SNAP: its head; R. Sedgewick, K. Wayne, "Algorithms", 4th edition: the counts in two lines.
  {
    name: 'snap.txt',
    text: lines(
      '# Directed graph (each unordered pair of nodes is saved once): x.txt',
      '# Nodes: 3 Edges: 2',
      '# FromNodeId\tToNodeId',
      '30\t1412',
      '30\t3352',
    ),
    n: 3,
    edges: ['30 1412', '30 3352'],
  },
  {
    name: 'tinyEWD.txt',
    text: lines('4', '3', '0 1 0.35', '1 2 0.28', '2 0 0.40'),
    n: 4,
    edges: ['0 1 0.35', '0 2 0.4', '1 2 0.28'],
    weights: [0.28, 0.4],
  },
  { name: 'tinyCG.txt', text: lines('6', '4', '0 5', '2 4', '2 3', '1 2'), n: 6, edges: ['0 5', '1 2', '2 3', '2 4'] },
]

/** What collections give besides, with what is merged and what is said. */
const more: readonly Row[] = [
  // House of Graphs and nauty: sizes in four bytes, one vertex, line ends of Windows, headers above several graphs, arcs in both directions, loops.
  { name: 'path70.g6', text: graph6(70, path(70)), n: 70, edges: 69 },
  { name: 'path62.g6', text: `${graph6(62, path(62))}\n`, n: 62, edges: 61 },
  { name: 'one.g6', text: '@\n', n: 1, edges: [] },
  {
    name: 'star.g6',
    text: `${graph6(
      6,
      [1, 2, 3, 4, 5].map((v) => [0, v] as const),
    )}\r\n`,
    n: 6,
    edges: ['0 1', '0 2', '0 3', '0 4', '0 5'],
  },
  {
    name: 'list.g6',
    text: lines(`>>graph6<<${graph6(3, path(3))}`, graph6(4, [[0, 3]]), graph6(2, [])),
    n: 4,
    edges: ['0 3'],
    options: { member: '2' },
  },
  { name: 'packed.g6.gz', text: gzipSync(lines(graph6(5, path(5)))), n: 5, edges: ['0 1', '1 2', '2 3', '3 4'] },
  {
    name: 'arcs.d6',
    text: lines(
      digraph6(4, [
        [0, 1],
        [1, 0],
        [3, 2],
      ]),
    ),
    n: 4,
    edges: ['0 1', '2 3'],
    merged: [0, 0, 1],
  },
  {
    name: 'loop.d6',
    text: lines(
      `>>digraph6<<${digraph6(3, [
        [1, 1],
        [2, 0],
      ])}`,
    ),
    n: 3,
    edges: ['0 2'],
    merged: [1, 0, 0],
  },
  { name: 'twoends.s6', text: '>>sparse6<<:Fa@x^\r\n', n: 7, edges: ['0 1', '0 2', '1 2', '5 6'] },
  // Pajek, reference manual: any case, comments, shapes, times, two modes as a matrix, relations with names, projects.
  {
    name: 'case.net',
    text: '\ufeff*vertices 3\r\n1 "a" ellipse x_fact 2\r\n2 "b" box\r\n3 c\r\n*edges\r\n1 2\r\n2 3\r\n',
    n: 3,
    edges: ['1 2', '2 3'],
    attributes: ['label'],
  },
  {
    name: 'remarks.net',
    text: lines('% by hand', '*Vertices      4', '*Arcs', '1 2 1', '% between', '2 1 3', '4 4 2'),
    n: 4,
    edges: ['1 2 3'],
    weights: [3, 3],
    merged: [1, 0, 1],
  },
  {
    name: 'times.net',
    text: lines(
      '*Vertices 3',
      '1 "a" [5-10,12-14]',
      '2 "b" [1-3]',
      '3 "e" [4-*]',
      '*Edges',
      '1 2 1 [7]',
      '1 3 1 [6-8]',
    ),
    n: 3,
    edges: ['1 2 1', '1 3 1'],
    weights: [1, 1],
    attributes: ['label'],
    warns: [/^5 times were left out/],
  },
  {
    name: 'modes.net',
    text: lines('*Vertices 5 2', '*Matrix', '1 0 3', '0 1 0'),
    n: 5,
    edges: ['1 3 1', '1 5 3', '2 4 1'],
    weights: [1, 3],
    warns: [],
  },
  {
    name: 'signs.net',
    text: lines('*Vertices 3', '*Edges', '1 2 -4', '2 3 1'),
    n: 3,
    edges: ['1 2 4', '2 3 1'],
    weights: [1, 4],
    options: { weightRule: 'absolute' },
  },
  {
    name: 'whole.paj',
    text: lines(
      '*Network whole.net',
      '*Vertices 3',
      '1 "x" 0.1 0.2',
      '2 "y" 0.3 0.4',
      '3 "z" 0.5 0.6',
      '*Edges',
      '1 2',
      '2 3',
      '*Partition p.clu',
      '*Vertices 3',
      '1',
      '2',
      '1',
      '*Vector v.vec',
      '*Vertices 3',
      '0.1',
      '0.2',
      '0.3',
    ),
    n: 3,
    edges: ['1 2', '2 3'],
    attributes: ['label', 'x', 'y'],
    warns: [/^2 partitions, vectors and the like/],
  },
  {
    name: 'named.net',
    text: lines(
      '*Vertices 3',
      '*Arcs :1 "a"',
      '1 2 1 l "first" c Red',
      '*Arcs :2 "b"',
      '2 1 4 w 3 p Dots',
      '*Edges :3',
      '1 3 2',
    ),
    n: 3,
    edges: ['1 2 4', '1 3 2'],
    weights: [2, 4],
    merged: [0, 0, 1],
  },
  {
    name: 'stars.net',
    text: lines('*Vertices 6', '*Edgeslist', '1 2 3', '4 5', '*Arcslist', '2 1', '6 6'),
    n: 6,
    edges: ['1 2', '1 3', '4 5'],
    merged: [1, 0, 1],
  },
  // SuiteSparse: its three fields, both triangles, exponents of Fortran, blank lines and tabs, rows and columns, Rutherford-Boeing.
  {
    name: 'bcsstk.mtx',
    text: lines(
      '%%MatrixMarket matrix coordinate real symmetric',
      '%-----',
      '% name: HB/x',
      '%-----',
      '3 3 4',
      '1 1 4.0',
      '2 1 -1.0',
      '3 1 -2e-3',
      '3 3 1',
    ),
    n: 3,
    edges: ['1 2 1', '1 3 0.002'],
    weights: [0.002, 1],
    merged: [2, 0, 0],
  },
  {
    name: 'both.mtx',
    text: lines('%%MatrixMarket matrix coordinate integer general', '2 2 2', '1 2 3', '2 1 -4'),
    n: 2,
    edges: ['1 2 4'],
    weights: [4, 4],
    merged: [0, 0, 1],
  },
  {
    name: 'mhd.mtx',
    text: lines('%%MatrixMarket matrix coordinate complex general', '2 2 1', '1 2 3.0 -4.0'),
    n: 2,
    edges: ['1 2 5'],
    weights: [5, 5],
  },
  {
    name: 'skew.mtx',
    text: lines('%%MatrixMarket matrix coordinate real skew-symmetric', '3 3 2', '2 1 1.5', '3 2 -2'),
    n: 3,
    edges: ['1 2 1.5', '2 3 2'],
    weights: [1.5, 2],
  },
  {
    name: 'blanks.mtx',
    text: lines(
      '%%MatrixMarket\tmatrix\tcoordinate\treal\tgeneral',
      '',
      '  3\t3   2 ',
      '',
      ' 1\t2 1.5D1 ',
      '3 2\t.5d0',
    ),
    n: 3,
    edges: ['1 2 15', '2 3 0.5'],
    weights: [0.5, 15],
  },
  {
    name: 'lp.mtx',
    text: lines('%%MatrixMarket matrix coordinate integer general', '2 3 3', '1 1 7', '2 2 -1', '2 3 2'),
    n: 5,
    edges: ['1 3 7', '2 4 1', '2 5 2'],
    weights: [1, 7],
    warns: [/^bipartite/],
  },
  {
    name: 'lap.rsa',
    text: lines(
      `${'a Laplacian'.padEnd(72)}lap     `,
      '             3             1             1             1',
      'rsa                        3             3             4             0',
      '(4I5)           (4I5)           (4E20.12)',
      '    1    3    4    5',
      '    1    2    3    3',
      '  0.200000000000E+01 -0.100000000000E+01 -0.300000000000E+01  0.100000000000E+01',
    ),
    n: 3,
    edges: ['1 2 1', '2 3 3'],
    weights: [1, 3],
    merged: [2, 0, 0],
  },
  // KONECT, handbook: kinds of weights, times behind them, several edges of a pair, networks that change.
  {
    name: 'out.ties',
    text: lines('% sym positive', '1\t2\t3', '2\t3\t1'),
    n: 3,
    edges: ['1 2 3', '2 3 1'],
    weights: [1, 3],
  },
  {
    name: 'out.trust',
    text: lines('% asym signed', '% 3 3 3', '1 2 1', '2 3 -1', '3 1 1'),
    n: 3,
    edges: ['1 2 1', '1 3 1', '2 3 1'],
    weights: [1, 1],
    options: { weightRule: 'absolute' },
  },
  {
    name: 'out.ratings',
    text: lines('% bip weighted', '% 3 2 3', '1 1 4.5 874965758', '1 2 3 874965759', '2 3 1 874965760'),
    n: 5,
    edges: ['1 3 4.5', '1 4 3', '2 5 1'],
    weights: [1, 4.5],
    warns: [/\(times\) were ignored/, /^bipartite/],
  },
  {
    name: 'out.mails',
    text: lines('% asym positive', '% 4 3 3', '1 2 1 1', '1 2 1 2', '2 1 1 3', '2 3 1 4'),
    n: 3,
    edges: ['1 2 3', '2 3 1'],
    weights: [1, 3],
    merged: [0, 1, 1],
    options: { merge: 'total' },
  },
  {
    name: 'out.votes',
    text: lines('% asym multisigned', '1 2 1', '1 2 2', '2 3 1'),
    n: 3,
    edges: ['1 2 2', '2 3 1'],
    weights: [1, 2],
    merged: [0, 1, 0],
  },
  {
    name: 'out.links',
    text: lines('% asym dynamic', '1 2 1 10', '2 3 1 11', '1 2 -1 12'),
    n: 3,
    edges: ['1 2', '2 3'],
    merged: [0, 1, 0],
    warns: [/^the network is dynamic/, /\(times\) were ignored/],
  },
  { name: 'out.remarks', text: lines('% sym unweighted', '% 2 3 3', '% more', '1 2', '2 3'), n: 3, edges: 2 },
  // Network Repository: sizes alone, times, counts of events, commas below a banner of KONECT, loops.
  { name: 'sizes.mtx', text: lines('3 3 2', '2 1', '3 2'), n: 3, edges: ['1 2', '2 3'], warns: [/no banner/] },
  {
    name: 'ca-times.edges',
    text: lines('1 2 1 980000000', '2 3 1 980000001'),
    n: 3,
    edges: ['1 2 1', '2 3 1'],
    weights: [1, 1],
    warns: [/^columns after the first 3/],
  },
  {
    name: 'events.edges',
    text: lines('1 2 5', '2 1 7', '2 3 9'),
    n: 3,
    edges: ['1 2 2', '2 3 1'],
    weights: [1, 2],
    merged: [0, 0, 1],
    options: { merge: 'count' },
    warns: [/^columns after the first 2/],
  },
  { name: 'web.edges', text: lines('% sym unweighted', '1,2', '2,3', '3,3'), n: 3, edges: 2, merged: [1, 0, 0] },
  { name: 'zero.edges', text: lines('%', '0 1', '1 2'), n: 3, edges: ['0 1', '1 2'] },
  // PACE: twin-width, tree depth, crossings of two sides, remarks anywhere, no edges.
  { name: 'tww.gr', text: lines('p tww 4 3', '1 2', '2 3', '3 4'), n: 4, edges: ['1 2', '2 3', '3 4'] },
  { name: 'depth.gr', text: lines('c x', 'p tdp 4 2', '1 4', 'c y', '2 3'), n: 4, edges: ['1 4', '2 3'] },
  { name: 'crossings.gr', text: lines('p ocr 2 3 3', '1 3', '1 4', '2 5'), n: 5, edges: ['1 3', '1 4', '2 5'] },
  { name: 'blank.gr', text: lines('p td 3 2', '', '1 2', '', '2 3'), n: 3, edges: 2 },
  { name: 'alone.gr', text: lines('p tw 3 0'), n: 3, edges: [] },
  // PACE 2022: arcs of directed graphs, in files without an end of their name; METIS has twice as many neighbours below the same header.
  {
    name: 'e_001',
    text: lines('4 5 0', '2 3', '3', '', '1 4'),
    n: 4,
    edges: ['1 2', '1 3', '1 4', '2 3'],
    merged: [1, 0, 0],
    warns: [/5 arcs of a directed graph \(PACE 2022\)/, /^4 edges were in the line of one of their ends only/],
  },
  {
    name: 'h_001',
    text: lines('3 4 0', '2 3', '1 3', ''),
    n: 3,
    edges: ['1 2', '1 3', '2 3'],
    merged: [0, 0, 1],
    warns: [/4 arcs of a directed graph/, /^2 edges were/],
  },
  {
    name: 'complete',
    text: lines('3 6 0', '2 3', '1 3', '1 2'),
    n: 3,
    edges: ['1 2', '1 3', '2 3'],
    merged: [0, 0, 3],
    warns: [/6 arcs of a directed graph/],
  },
  {
    name: 'm_001',
    text: lines('3 3 0', '2 3', '1 3', '1 2'),
    n: 3,
    edges: ['1 2', '1 3', '2 3'],
    merged: [0, 0, 3],
    warns: [],
  },
  // OGB and PyTorch Geometric: lines of Windows, numbers of 32 bits, pairs by rows, arrays by columns of Fortran.
  { name: 'edge.csv', text: '0,1\r\n1,2\r\n1,0\r\n', n: 3, edges: ['0 1', '1 2'], merged: [0, 0, 1] },
  { name: 'edges.npy', text: npy('3, 2', [0, 1, 0, 2, 2, 1]), n: 3, edges: ['0 1', '0 2', '1 2'] },
  { name: 'edge_index.npy', text: npy('2, 2', [4, 0, 1, 2]), n: 4, edges: ['0 2', '1 4'] },
  // A line has as many digits as there are lines, and yet this is no matrix.
  { name: 'bits.txt', text: lines('0 10', '0 11', '1 10'), n: 4, edges: ['0 10', '0 11', '1 10'] },
]

describe('files after the description of their format', () => {
  it('are many', () => expect([rows.length > 40, more.length > 40]).toEqual([true, true]))

  it.each([...rows, ...more.map((row) => ({ merged: [0, 0, 0] as const, ...row }))])('$name', async (row) => {
    const { name, text, n, edges, weights, attributes = [], options, merged, warns } = row
    const folder = work.newFolder()
    const { report, vertices, arcs } = await importFile({ source: work.file(name, text), folder, ...options }, quietJob)
    const read = readDataset(folder)
    expect([vertices, arcs / 2]).toEqual([n, typeof edges === 'number' ? edges : edges.length])
    if (typeof edges !== 'number') expect([...edgesOf(read)].sort()).toEqual(edges)
    expect(report.weights === null ? undefined : [report.weights.smallest, report.weights.largest]).toEqual(weights)
    expect((report.attributes?.vertices ?? []).map((column) => column.name)).toEqual(attributes)
    expectConserved(report)
    const { loops, sameDirection, bothDirections } = report.balance!.entries
    if (merged !== undefined) expect([loops, sameDirection, bothDirections]).toEqual(merged)
    if (warns !== undefined)
      expect(report.warnings).toEqual(warns.map((words) => expect.stringMatching(words) as string))
  })

  it.each([
    ['one count alone', 'n.txt', lines('5', '1 2', '2 3'), /^1 column where an edge needs two ids/],
    ['counts of other edges', 'nm.txt', lines('5', '9', '0 1', '1 2'), /^1 column where an edge needs two ids/],
    ['incremental sparse6', 'i.s6', ':An\n;\n', /0x3b/],
    ['hitting sets of PACE', 'hs.gr', lines('p hs 3 2', '1 2 3', '2 3'), /p hs 3 2/],
    ['a list of neighbours of House of Graphs', 'g.lst', lines('1: 2 3', '2: 1', '3: 1'), /list of neighbours/],
    ['a matrix of House of Graphs', 'g.mat', lines('0110', '1001', '1001', '0110'), /adjacency matrix/],
    ['the same with blanks', 'h.mat', lines('0 1 1', '1 0 1', '1 1 0'), /adjacency matrix/],
    ['the same with commas at the ends', 'c.mat', lines('0,1,1,', '1,0,1,', '1,1,0,'), /adjacency matrix/],
    ['a matrix of weights', 'w.txt', lines('0 2 0 1', '2 0 3 0', '0 3 0 0', '1 0 0 0'), /adjacency matrix/],
    ['one with loops', 'l.csv', lines('1.5,2,0,1', '2,1,3,0', '0,3,0,0', '1,0,0,0.5'), /adjacency matrix/],
    ['one of arcs, as NumPy writes it', 'd.txt', matrixOfArcs(150), /adjacency matrix/],
    ['planar code', 'p.pl', '>>planar_code<<\x03\x02', /planar code/],
    ['a Steiner tree of PACE', 's.gr', lines('SECTION Graph', 'Nodes 2', 'Edges 1', 'E 1 2 4', 'END'), /Steiner tree/],
    ['METIS of which an edge stands once', 'f.graph', lines('3 3', '2 3', '3', ''), /promises 3 edges/],
    ['neither all arcs of PACE nor METIS', 'f.graph', lines('3 4 0', '2 3', '3', ''), /promises 4 edges/],
    ['arcs of PACE to no vertex', 'f', lines('3 3 0', '2 3', '4', ''), /neighbour 4 is past the header's 3 vertices/],
  ])('%s is refused', async (_, name, text, what) => {
    expect(
      (await failureOf(importFile({ source: work.file(name, text), folder: work.newFolder() }, quietJob))).what,
    ).toMatch(what)
  })
})
