import { Field, Float32, Uint64, Utf8, vectorFromArray } from 'apache-arrow'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import { type NumberKind, numberBytes } from '../../graph/graph-file.ts'
import { type Column, idsOf, parquetFile, requiredColumn } from './column-files.ts'
import { type ExportedGraph, tooLarge } from './exported-graph.ts'

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

function* offsets(graph: ExportedGraph, kind: NumberKind, leading: boolean): Chunks {
  if (leading) yield packed(kind, [0])
  for (const ends of graph.ends()) yield packed(kind, ends)
}

function* targets(graph: ExportedGraph, kind: NumberKind): Chunks {
  for (const piece of graph.pieces()) yield packed(kind, piece.targets)
}

function* weights(graph: ExportedGraph, kind: NumberKind): Chunks {
  for (const piece of graph.pieces()) if (piece.weights !== null) yield packed(kind, piece.weights)
}

/** Galois version 1 or 2 with f32 edge data; only version 1 is padded. */
export function* galoisChunks(graph: ExportedGraph, version: 1 | 2): Chunks {
  yield packed('u64', [version, graph.weighted ? 4 : 0, graph.vertices, graph.arcs])
  yield* offsets(graph, 'u64', false)
  yield* targets(graph, version === 1 ? 'u32' : 'u64')
  if (version === 1 && graph.arcs % 2 === 1) yield new Uint8Array(4)
  yield* weights(graph, 'f32')
}

/** ECL: whole weights as integers, others as floats of the same width. */
export function* eclChunks(graph: ExportedGraph, width: 32 | 64): Chunks {
  const kind = width === 32 ? 'i32' : 'i64'
  if (width === 32 && (graph.arcs >= 2 ** 31 || graph.vertices >= 2 ** 31))
    throw tooLarge('egr', `${graph.vertices} vertices and ${graph.arcs} arcs`)
  yield packed(kind, [graph.vertices, graph.arcs])
  yield* offsets(graph, kind, true)
  yield* targets(graph, kind)
  if (graph.weighted) yield* weights(graph, graph.hasWholeWeights() ? kind : width === 32 ? 'f32' : 'f64')
}

/** GAPBS: .sg without weights, .wsg with whole ones, 1 where there are none. */
export function* gapbsChunks(graph: ExportedGraph, weighted: boolean): Chunks {
  if (graph.vertices >= 2 ** 31) throw tooLarge(weighted ? 'wsg' : 'sg', `${graph.vertices} vertices`)
  if (weighted && graph.weighted && !graph.hasWholeWeights())
    throw tooLarge('wsg', 'weights that are not whole numbers')
  yield new Uint8Array(1)
  yield packed('i64', [graph.arcs, graph.vertices])
  yield* offsets(graph, 'i64', true)
  if (weighted) yield* pairs(graph, 'i32', 'i32')
  else yield* targets(graph, 'i32')
}

/** Vite and sumac: weight 1 where there is none. */
export function* viteChunks(graph: ExportedGraph): Chunks {
  yield packed('i64', [graph.vertices, graph.arcs])
  yield* offsets(graph, 'i64', true)
  yield* pairs(graph, 'i64', 'f64')
}

function* pairs(graph: ExportedGraph, target: NumberKind, weight: NumberKind): Chunks {
  const stride = numberBytes[target] + numberBytes[weight]
  for (const piece of graph.pieces()) {
    const view = new DataView(new ArrayBuffer(stride * piece.targets.length))
    for (let i = 0; i < piece.targets.length; i++) {
      fills[target](view, i * stride, piece.targets[i]!)
      fills[weight](view, i * stride + numberBytes[target], piece.weights === null ? 1 : piece.weights[i]!)
    }
    yield new Uint8Array(view.buffer)
  }
}

/** Source, target and, where weighted, weight of each edge. */
function* edgeColumns(graph: ExportedGraph): Generator<Column[]> {
  for (const { sources, targets, weights } of graph.pieces()) {
    const kept = [...targets.keys()].filter((i) => sources[i]! < targets[i]!)
    const ids = [sources, targets].map((vertices) =>
      idsOf(
        kept.map((i) => vertices[i]!),
        graph.labels,
      ),
    )
    if (kept.length > 0) yield weights === null ? ids : [...ids, Float32Array.from(kept, (i) => weights[i]!)]
  }
}

export function parquetChunks(graph: ExportedGraph): Iterable<Uint8Array> {
  const columns = ['source', 'target'].map((name) => requiredColumn(name, graph.labels.kind === 'text'))
  if (graph.weighted) columns.push({ name: 'weight', type: 'FLOAT', repetition_type: 'REQUIRED' })
  return parquetFile(columns, edgeColumns(graph))
}

/** Arrow IPC file. */
export function* arrowChunks(graph: ExportedGraph): Generator<Uint8Array> {
  const idType = graph.labels.kind === 'text' ? new Utf8() : new Uint64()
  const fields = ['source', 'target'].map((name) => new Field(name, idType as Utf8 | Uint64 | Float32, false))
  if (graph.weighted) fields.push(new Field('weight', new Float32(), false))
  const writer = new ArrowWriter(fields)
  for (const columns of edgeColumns(graph)) {
    const children = columns.map((values, i) => vectorFromArray([...values], fields[i]!.type).data[0]!)
    yield writer.batch(children, columns[0]!.length)
  }
  yield writer.finish()
}
