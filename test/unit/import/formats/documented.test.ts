/**
 * Small files after the published description of each format, with what its text says of them: vertices, edges, weights, attributes. The
 * graphs are those of the manuals where these print one.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { edgesOf, failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

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

describe('files after the description of their format', () => {
  it('are many', () => expect(rows.length).toBeGreaterThan(40))

  it.each(rows)('$name', async ({ name, text, n, edges, weights, attributes = [], options }) => {
    const folder = work.newFolder()
    const { report, vertices, arcs } = await importFile({ source: work.file(name, text), folder, ...options }, quietJob)
    const read = readDataset(folder)
    expect([vertices, arcs / 2]).toEqual([n, typeof edges === 'number' ? edges : edges.length])
    if (typeof edges !== 'number') expect([...edgesOf(read)].sort()).toEqual(edges)
    expect(report.weights === null ? undefined : [report.weights.smallest, report.weights.largest]).toEqual(weights)
    expect((report.attributes?.vertices ?? []).map((column) => column.name)).toEqual(attributes)
  })

  it.each([
    ['one count alone', 'n.txt', lines('5', '1 2', '2 3'), /^1 column where an edge needs two ids/],
    ['counts of other edges', 'nm.txt', lines('5', '9', '0 1', '1 2'), /^1 column where an edge needs two ids/],
    ['incremental sparse6', 'i.s6', ':An\n;\n', /0x3b/],
    ['hitting sets of PACE', 'hs.gr', lines('p hs 3 2', '1 2 3', '2 3'), /p hs 3 2/],
  ])('%s is refused', async (_, name, text, what) => {
    expect(
      (await failureOf(importFile({ source: work.file(name, text), folder: work.newFolder() }, quietJob))).what,
    ).toMatch(what)
  })
})
