import {
  AsyncByteQueue,
  Field,
  Float32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import type { ExportedGraph } from './exported-graph.ts'
import { edgeColumns } from './parquet-file.ts'

class TakenQueue extends AsyncByteQueue {
  #chunks: Uint8Array[] = []

  override write(chunk: ArrayBuffer | ArrayBufferView): void {
    const view = ArrayBuffer.isView(chunk)
      ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      : new Uint8Array(chunk)
    if (view.length > 0) this.#chunks.push(view.slice())
  }

  take(): Uint8Array {
    const chunks = this.#chunks
    this.#chunks = []
    return Buffer.concat(chunks)
  }
}

/** Arrow IPC file: source, target and, where weighted, weight. */
export function* arrowChunks(graph: ExportedGraph): Generator<Uint8Array> {
  const idType = graph.labels.kind === 'text' ? new Utf8() : new Uint64()
  const fields = [
    new Field('source', idType, false),
    new Field('target', idType, false),
    ...(graph.weighted ? [new Field('weight', new Float32(), false)] : []),
  ]
  const schema = new Schema(fields)
  const queue = new TakenQueue()
  const writer = new RecordBatchFileWriter()
  writer.reset(queue, schema)
  for (const columns of edgeColumns(graph)) {
    const children = columns.map((values, i) => vectorFromArray([...values], fields[i]!.type).data[0]!)
    const struct = makeData({ type: new Struct(fields), length: columns[0]!.length, nullCount: 0, children })
    writer.write(new RecordBatch(schema, struct))
    yield queue.take()
  }
  writer.finish()
  yield queue.take()
}
