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
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { ExportedGraph } from './exported-graph.ts'
import { idColumn, idValues } from './parquet-set.ts'

type Chunks = Generator<Uint8Array>

/** Rows of the next batch: every edge once, in the user's ids. */
interface EdgeRows {
  readonly source: string[] | BigUint64Array
  readonly target: string[] | BigUint64Array
  readonly weight: Float32Array | null
}

function* edgeRows(graph: ExportedGraph): Generator<EdgeRows> {
  const idsOf = (vertices: readonly number[]) => idValues(vertices, graph.labels)
  for (const { sources, targets, weights } of graph.pieces()) {
    const kept = [...targets.keys()].filter((i) => sources[i]! < targets[i]!)
    yield {
      source: idsOf(kept.map((i) => sources[i]!)),
      target: idsOf(kept.map((i) => targets[i]!)),
      weight: weights === null ? null : Float32Array.from(kept, (i) => weights[i]!),
    }
  }
}

/** Parquet: columns source, target and, where weighted, weight; a row group a piece of the graph. */
export function* parquetChunks(graph: ExportedGraph): Chunks {
  const bytes = new ByteWriter(1 << 20)
  const writer = new ParquetWriter({ writer: bytes, schema: parquetSchema(graph), createdBy: 'anticlique' })
  const taken = (): Uint8Array => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  for (const { source, target, weight } of edgeRows(graph)) {
    if (source.length === 0) continue
    const columnData = [
      { name: 'source', data: source },
      { name: 'target', data: target },
      ...(weight === null ? [] : [{ name: 'weight', data: weight }]),
    ]
    void writer.write({ columnData, rowGroupSize: source.length })
    yield taken()
  }
  void writer.finish()
  yield taken()
}

function parquetSchema(graph: ExportedGraph): SchemaElement[] {
  const weight: SchemaElement = { name: 'weight', type: 'FLOAT', repetition_type: 'REQUIRED' }
  const columns = [
    idColumn('source', graph.labels),
    idColumn('target', graph.labels),
    ...(graph.weighted ? [weight] : []),
  ]
  return [{ name: 'root', num_children: columns.length }, ...columns]
}

/** A queue that keeps what is written to it until it is taken. */
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

/** Arrow IPC file: the same columns, a record batch a piece of the graph. */
export function* arrowChunks(graph: ExportedGraph): Chunks {
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
  for (const { source, target, weight } of edgeRows(graph)) {
    const columns = [
      vectorFromArray([...source], idType),
      vectorFromArray([...target], idType),
      ...(weight === null ? [] : [vectorFromArray([...weight], new Float32())]),
    ]
    const children = columns.map((column) => column.data[0]!)
    const struct = makeData({ type: new Struct(fields), length: source.length, nullCount: 0, children })
    writer.write(new RecordBatch(schema, struct))
    yield queue.take()
  }
  writer.finish()
  yield queue.take()
}
