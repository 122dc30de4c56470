import { Failure } from '../failure.ts'
import type { FailureValue } from '../failure.ts'

/** Bytes of one piece: small enough to be still in the processor's cache when it is copied on. */
export const PIECE_BYTES = 1 << 20
const SLOTS = 8
const WRITTEN = 0
const TAKEN = 1
const STOP = 2
const FAILED = 3
const FAILURE_BYTES = 4096
const LOOK_MS = 50

/** The memory that a reading thread and its user share. */
export interface RingMemory {
  readonly control: Int32Array
  readonly slots: Uint8Array
  /** JSON of the failure, zero-padded. */
  readonly failure: Uint8Array
}

export function ringMemory(): RingMemory {
  return {
    control: new Int32Array(new SharedArrayBuffer(16)),
    slots: new Uint8Array(new SharedArrayBuffer(SLOTS * PIECE_BYTES)),
    failure: new Uint8Array(new SharedArrayBuffer(FAILURE_BYTES)),
  }
}

/**
 * A ring of pieces between one thread that reads and one that uses what was read, in order. Counters only grow; each side waits for
 * the other's, in short looks.
 */
export class ReadAheadRing {
  readonly #memory: RingMemory

  constructor(memory: RingMemory) {
    this.#memory = memory
  }

  get isStopped(): boolean {
    return Atomics.load(this.#memory.control, STOP) !== 0
  }

  /** Reading side: room for the next piece, of `length` bytes; null when nobody wants it any more. */
  room(length: number): Uint8Array | null {
    const { control } = this.#memory
    const piece = Atomics.load(control, WRITTEN)
    for (;;) {
      if (this.isStopped) return null
      const taken = Atomics.load(control, TAKEN)
      if (((piece - taken) | 0) < SLOTS) return this.#slot(piece, length)
      Atomics.wait(control, TAKEN, taken, LOOK_MS)
    }
  }

  /** Reading side: the piece that `room` gave is filled. */
  written(): void {
    const { control } = this.#memory
    Atomics.add(control, WRITTEN, 1)
    Atomics.notify(control, WRITTEN)
  }

  /** Reading side: nothing more will come. */
  fail(failure: FailureValue): void {
    const { control, failure: bytes } = this.#memory
    bytes.set(Buffer.from(JSON.stringify(failure)).subarray(0, FAILURE_BYTES - 1))
    Atomics.store(control, FAILED, 1)
    Atomics.notify(control, WRITTEN)
  }

  /** Using side: the next piece, good until {@link taken}. @throws Failure as the reading side failed */
  next(length: number): Uint8Array {
    const { control } = this.#memory
    const piece = Atomics.load(control, TAKEN)
    for (;;) {
      const written = Atomics.load(control, WRITTEN)
      if (written !== piece) return this.#slot(piece, length)
      if (Atomics.load(control, FAILED) !== 0) throw this.#failure()
      Atomics.wait(control, WRITTEN, written, LOOK_MS)
    }
  }

  /** Using side: the slot may be filled again. */
  taken(): void {
    const { control } = this.#memory
    Atomics.add(control, TAKEN, 1)
    Atomics.notify(control, TAKEN)
  }

  /** Using side: nothing more is wanted. */
  stop(): void {
    const { control } = this.#memory
    Atomics.store(control, STOP, 1)
    Atomics.notify(control, TAKEN)
  }

  #slot(piece: number, length: number): Uint8Array {
    const at = ((piece >>> 0) % SLOTS) * PIECE_BYTES
    return this.#memory.slots.subarray(at, at + length)
  }

  #failure(): Failure {
    const { failure } = this.#memory
    const text = Buffer.from(failure.slice(0, failure.indexOf(0))).toString('utf8')
    return new Failure(JSON.parse(text) as FailureValue)
  }
}
