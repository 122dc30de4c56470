/**
 * Graphs as files of other programs, a generator of bytes for each format: edge lists, tables, Matrix Market, METIS, DIMACS, PBBS, Galois, ECL,
 * GAPBS, Vite, Parquet, Arrow. Each streams the canonical lists once or twice and keeps one read of them. What a format cannot say (weights that
 * are not whole, too many vertices, blanks in bare labels) is refused before a byte is written. import/formats reads most of them back.
 */

import { Field, Float32, Float64, Uint64, Utf8, vectorFromArray } from 'apache-arrow'
import { type Failure, OTHER_FORMAT, usageFailure } from '../../base/failure.ts'
import type { GraphExportArgs, GraphExportFormat } from '../../contract/jobs.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { type NumberKind, numberBytes } from '../../graph/graph-file.ts'
import type { Labels } from '../../graph/labels.ts'
import { arcPieces } from '../../graph/scan-lists.ts'
import { rangesOf } from '../../base/ranges.ts'
import type { DescribedFormat } from './described-graph.ts'
import { type Column, idsOf, inert, parquetFile, quoted, requiredColumn, textChunks } from '../exported-file.ts'

const CHUNK_CHARACTERS = 1 << 18
const ENDS_EACH = 1 << 16

type Lines = Generator<string>

function* arcLines(graph: GaloisGr, once: boolean, line: (u: number, v: number, w: number | null) => string): Lines {
  for (const { sources, targets, weights } of arcPieces(graph))
    for (let i = 0; i < targets.length; i++)
      if (!once || sources[i]! < targets[i]!)
        yield line(sources[i]!, targets[i]!, weights === null ? null : weights[i]!)
}

/** The lower triangle of a symmetric matrix. */
function* matrixMarketLines(graph: GaloisGr): Lines {
  yield `%%MatrixMarket matrix coordinate ${graph.weighted ? 'real' : 'pattern'} symmetric\n`
  yield `${graph.vertices} ${graph.vertices} ${graph.arcs / 2}\n`
  yield* arcLines(graph, true, (u, v, w) => `${v + 1} ${u + 1}${w === null ? '' : ` ${w}`}\n`)
}

/**
 * In the user's ids; texts in quotes, so that they are never taken for numbers.
 * @param bare for programs that know neither comments nor quotes
 * @throws Failure (usage) for a text that cannot be written bare
 */
function* edgeListLines(graph: GaloisGr, labels: Labels, bare = false): Lines {
  if (!bare) yield `# Undirected graph: each edge once. Vertices: ${graph.vertices} Edges: ${graph.arcs / 2}\n`
  const id = bare ? bareLabel(labels) : labelWriter(labels)
  yield* arcLines(graph, true, (u, v, w) => `${id(u)}\t${id(v)}${w === null ? '' : `\t${w}`}\n`)
}

/** RFC 4180 with a header; texts in quotes. */
function* csvLines(graph: GaloisGr, labels: Labels, spreadsheetSafe = false): Lines {
  yield `source,target${graph.weighted ? ',weight' : ''}\n`
  const id = labelWriter(labels, spreadsheetSafe)
  yield* arcLines(graph, true, (u, v, w) => `${id(u)},${id(v)}${w === null ? '' : `,${w}`}\n`)
}

function labelWriter(labels: Labels, spreadsheetSafe = false): (v: number) => string {
  return labels.kind === 'text'
    ? (v) => quoted(spreadsheetSafe ? inert(labels.of(v)) : labels.of(v))
    : (v) => labels.of(v)
}

function bareLabel(labels: Labels): (v: number) => string {
  return (v) => {
    const label = labels.of(v)
    if (label !== '' && !/[\s"#%]/.test(label)) return label
    const what = 'an id with blanks, quotes or signs of comments cannot be written bare'
    throw usageFailure(JSON.stringify(label), what, 'Leave it out, or write CSV.')
  }
}

/** The weights of the vertices, in their order; null for one without. */
export type VertexWeights = Iterator<number | null>

/** Weights that are not whole are written as decimals. @param own weights of the vertices, which all have one */
function* metisLines(graph: GaloisGr, own: VertexWeights | null): Lines {
  const fmt = own === null ? (graph.weighted ? ' 001' : '') : graph.weighted ? ' 011' : ' 010'
  yield `${graph.vertices} ${graph.arcs / 2}${fmt}\n`
  const first = (): string => (own === null ? '' : String(own.next().value))
  let line = 0
  let text = first()
  for (const { sources, targets, weights } of arcPieces(graph)) {
    for (let i = 0; i < targets.length; i++) {
      for (; line < sources[i]!; line++) {
        yield `${text}\n`
        text = first()
      }
      text += `${text === '' ? '' : ' '}${targets[i]! + 1}${weights === null ? '' : ` ${weights[i]!}`}`
      if (text.length < CHUNK_CHARACTERS) continue
      yield `${text} `
      text = ''
    }
  }
  for (; line < graph.vertices; line++) {
    yield `${text}\n`
    if (line + 1 < graph.vertices) text = first()
  }
}

/** Weights of vertices are lines `n`. */
function* dimacsLines(graph: GaloisGr, own: VertexWeights | null): Lines {
  yield `p edge ${graph.vertices} ${graph.arcs / 2}\n`
  for (let v = 1; own !== null && v <= graph.vertices; v++) {
    const { value } = own.next() as IteratorResult<number | null, null>
    if (value !== null) yield `n ${v} ${value}\n`
  }
  yield* arcLines(graph, true, (u, v) => `e ${u + 1} ${v + 1}\n`)
}

/** DIMACS-9 .gr: both arcs of every edge, weight 1 where there is none. */
function* dimacs9Lines(graph: GaloisGr): Lines {
  yield `p sp ${graph.vertices} ${graph.arcs}\n`
  yield* arcLines(graph, false, (u, v, w) => `a ${u + 1} ${v + 1} ${w ?? 1}\n`)
}

function* pbbsLines(graph: GaloisGr): Lines {
  yield `${graph.weighted ? 'Weighted' : ''}AdjacencyGraph\n${graph.vertices}\n${graph.arcs}\n`
  let start = 0
  for (const ends of endsOf(graph)) {
    for (const end of ends) {
      yield `${start}\n`
      start = end
    }
  }
  yield* arcLines(graph, false, (_, v) => `${v}\n`)
  if (graph.weighted) yield* arcLines(graph, false, (_, __, w) => `${w ?? 1}\n`)
}

type Chunks = Generator<Uint8Array>
type Fill = (view: DataView, at: number, value: number) => void

const fills: Readonly<Record<NumberKind, Fill>> = {
  i32: (view, at, value) => view.setInt32(at, value, true),
  u32: (view, at, value) => view.setUint32(at, value, true),
  f32: (view, at, value) => view.setFloat32(at, value, true),
  f64: (view, at, value) => view.setFloat64(at, value, true),
  i64: (view, at, value) => view.setBigInt64(at, BigInt(value), true),
  u64: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
}

function packed(kind: NumberKind, values: ArrayLike<number>): Uint8Array {
  const width = numberBytes[kind]
  const view = new DataView(new ArrayBuffer(width * values.length))
  for (let i = 0; i < values.length; i++) fills[kind](view, i * width, values[i]!)
  return new Uint8Array(view.buffer)
}

/** The ends of all lists. */
function* endsOf(graph: GaloisGr): Generator<Float64Array> {
  for (const { first, end } of rangesOf(graph.vertices, ENDS_EACH)) yield graph.readOffsets(first, end).subarray(1)
}

function hasWholeWeights(graph: GaloisGr): boolean {
  for (const { weights } of arcPieces(graph))
    if (weights?.some((weight) => !Number.isInteger(weight) || weight >= 2 ** 23)) return false
  return graph.weighted
}

function* offsets(graph: GaloisGr, kind: NumberKind, leading: boolean): Chunks {
  if (leading) yield packed(kind, [0])
  for (const ends of endsOf(graph)) yield packed(kind, ends)
}

function* targets(graph: GaloisGr, kind: NumberKind): Chunks {
  for (const piece of arcPieces(graph)) yield packed(kind, piece.targets)
}

function* weights(graph: GaloisGr, kind: NumberKind): Chunks {
  for (const piece of arcPieces(graph)) if (piece.weights !== null) yield packed(kind, piece.weights)
}

/** Galois version 1 or 2 with edge data of f32, or f64 where these do not hold the weights; only version 1 is padded. */
function* galoisChunks(graph: GaloisGr, version: 1 | 2): Chunks {
  const width = graph.hasValues ? 8 : 4
  yield packed('u64', [version, graph.weighted ? width : 0, graph.vertices, graph.arcs])
  yield* offsets(graph, 'u64', false)
  yield* targets(graph, version === 1 ? 'u32' : 'u64')
  if (version === 1 && graph.arcs % 2 === 1) yield new Uint8Array(4)
  yield* weights(graph, width === 8 ? 'f64' : 'f32')
}

/** ECL: whole weights as integers, others as floats of the same width. */
function* eclChunks(graph: GaloisGr, width: 32 | 64): Chunks {
  const kind = width === 32 ? 'i32' : 'i64'
  if (width === 32 && (graph.arcs >= 2 ** 31 || graph.vertices >= 2 ** 31))
    throw tooLarge('egr', `${graph.vertices} vertices and ${graph.arcs} arcs`)
  yield packed(kind, [graph.vertices, graph.arcs])
  yield* offsets(graph, kind, true)
  yield* targets(graph, kind)
  if (graph.weighted) yield* weights(graph, hasWholeWeights(graph) ? kind : width === 32 ? 'f32' : 'f64')
}

/** GAPBS: .sg without weights, .wsg with whole ones, 1 where there are none. */
function* gapbsChunks(graph: GaloisGr, weighted: boolean): Chunks {
  if (graph.vertices >= 2 ** 31) throw tooLarge(weighted ? 'wsg' : 'sg', `${graph.vertices} vertices`)
  if (weighted && graph.weighted && !hasWholeWeights(graph)) throw tooLarge('wsg', 'weights that are not whole numbers')
  yield new Uint8Array(1)
  yield packed('i64', [graph.arcs, graph.vertices])
  yield* offsets(graph, 'i64', true)
  if (weighted) yield* pairs(graph, 'i32', 'i32')
  else yield* targets(graph, 'i32')
}

/** Vite and sumac: weight 1 where there is none. */
function* viteChunks(graph: GaloisGr): Chunks {
  yield packed('i64', [graph.vertices, graph.arcs])
  yield* offsets(graph, 'i64', true)
  yield* pairs(graph, 'i64', 'f64')
}

function* pairs(graph: GaloisGr, target: NumberKind, weight: NumberKind): Chunks {
  const stride = numberBytes[target] + numberBytes[weight]
  for (const piece of arcPieces(graph)) {
    const view = new DataView(new ArrayBuffer(stride * piece.targets.length))
    for (let i = 0; i < piece.targets.length; i++) {
      fills[target](view, i * stride, piece.targets[i]!)
      fills[weight](view, i * stride + numberBytes[target], piece.weights === null ? 1 : piece.weights[i]!)
    }
    yield new Uint8Array(view.buffer)
  }
}

/** Source, target and, where weighted, weight of each edge. */
function* edgeColumns(graph: GaloisGr, labels: Labels): Generator<Column[]> {
  for (const { sources, targets, weights } of arcPieces(graph)) {
    const kept = [...targets.keys()].filter((i) => sources[i]! < targets[i]!)
    const ids = [sources, targets].map((vertices) =>
      idsOf(
        kept.map((i) => vertices[i]!),
        labels,
      ),
    )
    if (kept.length === 0) continue
    const weighed = Float64Array.from(kept, (i) => weights?.[i] ?? 1)
    yield weights === null ? ids : [...ids, graph.hasValues ? weighed : new Float32Array(weighed)]
  }
}

function parquetChunks(graph: GaloisGr, labels: Labels): Iterable<Uint8Array> {
  const columns = ['source', 'target'].map((name) => requiredColumn(name, labels.kind === 'text'))
  const type = graph.hasValues ? 'DOUBLE' : 'FLOAT'
  if (graph.weighted) columns.push({ name: 'weight', type, repetition_type: 'REQUIRED' })
  return parquetFile(columns, edgeColumns(graph, labels))
}

/** Arrow IPC file. */
function* arrowChunks(graph: GaloisGr, labels: Labels): Generator<Uint8Array> {
  const idType = labels.kind === 'text' ? new Utf8() : new Uint64()
  const fields = ['source', 'target'].map((name) => new Field(name, idType as Utf8 | Uint64 | Float32 | Float64, false))
  if (graph.weighted) fields.push(new Field('weight', graph.hasValues ? new Float64() : new Float32(), false))
  const writer = new ArrowWriter(fields)
  for (const columns of edgeColumns(graph, labels)) {
    const children = columns.map((values, i) => vectorFromArray([...values], fields[i]!.type).data[0]!)
    yield writer.batch(children, columns[0]!.length).slice()
  }
  yield writer.finish()
}

function tooLarge(format: string, what: string): Failure {
  return usageFailure(undefined, `${what} do not fit in ${format}`, '', [OTHER_FORMAT])
}

export interface GraphWriter {
  readonly chunks: (
    graph: GaloisGr,
    labels: Labels,
    options: GraphExportArgs,
    own: VertexWeights | null,
  ) => Iterable<Uint8Array>
  /** Whether weights of vertices have room: of all of them, or of some. */
  readonly ownWeights?: 'all' | 'some'
  readonly ids: 'labels' | 0 | 1
  readonly leavesOutWeights?: true
  /** Weights are 32-bit floats. */
  readonly roundsWeights?: true
}

const text = (lines: (graph: GaloisGr) => Iterable<string>) => (graph: GaloisGr) => textChunks(lines(graph))

/** Formats of edges; described-graph.ts has those of vertices. */
export const graphWriters: Readonly<Record<Exclude<GraphExportFormat, DescribedFormat>, GraphWriter>> = {
  'matrix-market': { chunks: text(matrixMarketLines), ids: 1 },
  'edge-list': { chunks: (graph, labels, { bare }) => textChunks(edgeListLines(graph, labels, bare)), ids: 'labels' },
  csv: {
    chunks: (graph, labels, { spreadsheetSafe }) => textChunks(csvLines(graph, labels, spreadsheetSafe)),
    ids: 'labels',
  },
  metis: { chunks: (graph, _labels, _options, own) => textChunks(metisLines(graph, own)), ids: 1, ownWeights: 'all' },
  dimacs: {
    chunks: (graph, _labels, _options, own) => textChunks(dimacsLines(graph, own)),
    ids: 1,
    leavesOutWeights: true,
    ownWeights: 'some',
  },
  dimacs9: { chunks: text(dimacs9Lines), ids: 1 },
  pbbs: { chunks: text(pbbsLines), ids: 0 },
  galois: { chunks: (graph) => galoisChunks(graph, 1), ids: 0 },
  galois2: { chunks: (graph) => galoisChunks(graph, 2), ids: 0 },
  egr: { chunks: (graph) => eclChunks(graph, 32), ids: 0, roundsWeights: true },
  egr64: { chunks: (graph) => eclChunks(graph, 64), ids: 0 },
  sg: { chunks: (graph) => gapbsChunks(graph, false), ids: 0, leavesOutWeights: true },
  wsg: { chunks: (graph) => gapbsChunks(graph, true), ids: 0 },
  vite: { chunks: viteChunks, ids: 0 },
  parquet: { chunks: parquetChunks, ids: 'labels' },
  arrow: { chunks: arrowChunks, ids: 'labels' },
}
