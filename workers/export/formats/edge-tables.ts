import { Field, Float32, Uint64, Utf8, vectorFromArray } from 'apache-arrow'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { ExportedGraph } from './exported-graph.ts'
import { type Column, requiredColumn, idsOf, parquetFile } from './parquet-file.ts'

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
