import { Field, Float32, Uint64, Utf8, vectorFromArray } from 'apache-arrow'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { ExportedGraph } from './exported-graph.ts'
import { edgeColumns } from './parquet-file.ts'

/** Arrow IPC file: source, target and, where weighted, weight. */
export function* arrowChunks(graph: ExportedGraph): Generator<Uint8Array> {
  const idType = graph.labels.kind === 'text' ? new Utf8() : new Uint64()
  const fields = [
    new Field('source', idType, false),
    new Field('target', idType, false),
    ...(graph.weighted ? [new Field('weight', new Float32(), false)] : []),
  ]
  const writer = new ArrowWriter(fields)
  for (const columns of edgeColumns(graph)) {
    const children = columns.map((values, i) => vectorFromArray([...values], fields[i]!.type).data[0]!)
    yield writer.batch(children, columns[0]!.length)
  }
  yield writer.finish()
}
