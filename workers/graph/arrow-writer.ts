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
import { bytesOf } from '../base/words.ts'

/** Keeps what is written until it is taken. */
class TakenQueue extends AsyncByteQueue {
  #bytes = new Uint8Array(1 << 16)
  #filled = 0

  override write(chunk: ArrayBuffer | ArrayBufferView): void {
    const view = ArrayBuffer.isView(chunk) ? bytesOf(chunk) : new Uint8Array(chunk)
    const end = this.#filled + view.length
    if (end > this.#bytes.length) {
      const longer = new Uint8Array(2 * end)
      longer.set(this.#bytes.subarray(0, this.#filled))
      this.#bytes = longer
    }
    this.#bytes.set(view, this.#filled)
    this.#filled = end
  }

  /** All bytes, good until more are written. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#filled)
    this.#filled = 0
    return taken
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

  /** @param children a column each, of so many rows @returns bytes that follow those of the call before, good until the next */
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
