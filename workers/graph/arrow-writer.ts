import {
  AsyncByteQueue,
  Field,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  type Data,
} from 'apache-arrow'

/** Keeps what is written until it is taken. */
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

/** The message with which a stream of batches of this schema begins. */
export function schemaMessage(schema: Schema): Uint8Array {
  const queue = new TakenQueue()
  new RecordBatchStreamWriter().reset(queue, schema)
  return queue.take()
}

/** An Arrow IPC file, a record batch at a time. */
export class ArrowWriter {
  readonly #fields: Field[]
  readonly #schema: Schema
  readonly #queue = new TakenQueue()
  readonly #writer = new RecordBatchFileWriter()

  constructor(fields: Field[]) {
    this.#fields = fields
    this.#schema = new Schema(fields)
    this.#writer.reset(this.#queue, this.#schema)
  }

  /** @param children a column each, of so many rows @returns bytes that follow those of the call before */
  batch(children: Data[], length: number): Uint8Array {
    const struct = makeData({ type: new Struct(this.#fields), length, nullCount: 0, children })
    this.#writer.write(new RecordBatch(this.#schema, struct))
    return this.#queue.take()
  }

  finish(): Uint8Array {
    this.#writer.finish()
    return this.#queue.take()
  }
}
