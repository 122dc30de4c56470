import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ViewHeader } from '../graph/view-file.ts'
import type { TraceSpan } from '../trace.ts'
import type { RingMemory } from './read-ahead-ring.ts'
import { PIECE_BYTES, ReadAheadRing, ringMemory } from './read-ahead-ring.ts'

/** A stretch of one section of a view. */
export interface ViewRange {
  readonly section: keyof Pick<ViewHeader, 'heads' | 'tails'>
  /** Bytes from the start of the section. */
  readonly at: number
  readonly bytes: number
  /** For the trace. */
  readonly name: string
}

export interface ReadAheadData {
  readonly memory: RingMemory
  readonly path: string
  readonly traced: boolean
}

export type ReadAheadRequest = 'close' | readonly ViewRange[]

/** What the reading thread did, told when it ends. */
export interface ReadAheadReply {
  readonly bytesRead: number
  readonly spans: readonly TraceSpan[]
}

/**
 * A thread that reads a view while the caller copies and computes. It is told beforehand what will be wanted, in which order; the
 * caller then takes just that. Up to eight pieces of 1 MiB wait for it.
 */
export class ReadAhead {
  readonly #worker: Worker
  readonly #ring: ReadAheadRing

  private constructor(worker: Worker, memory: RingMemory) {
    this.#worker = worker
    this.#ring = new ReadAheadRing(memory)
  }

  /** Starts the thread; settles when it is ready. @throws Error when it cannot start */
  static async open(path: string, traced: boolean): Promise<ReadAhead> {
    const memory = ringMemory()
    const data: ReadAheadData = { memory, path, traced }
    const worker = new Worker(entry(), { workerData: data, name: 'read-ahead' })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve()).once('error', reject)
    })
    worker.on('error', (error) =>
      new ReadAheadRing(memory).fail({ code: 'engine', what: error.message, remedy: 'Run it again.' }),
    )
    return new ReadAhead(worker, memory)
  }

  /** Tells what will be taken next, in order. All that was told before must have been taken. */
  expect(ranges: readonly ViewRange[]): void {
    if (ranges.length > 0) this.#worker.postMessage(ranges satisfies ReadAheadRequest)
  }

  /**
   * Takes the next range of those expected. `into` gets its pieces one after another, each good until it returns.
   * @throws Failure (input) for a view that is damaged, (storage)
   */
  take(bytes: number, into: (piece: Uint8Array, at: number) => void): void {
    for (let done = 0; done < bytes; done += PIECE_BYTES) {
      into(this.#ring.next(Math.min(PIECE_BYTES, bytes - done)), done)
      this.#ring.taken()
    }
  }

  /** Ends the thread, whatever it does, and says what it did. */
  async close(): Promise<ReadAheadReply> {
    this.#ring.stop()
    const reply = new Promise<ReadAheadReply>((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.once('exit', () => resolve({ bytesRead: 0, spans: [] }))
    })
    this.#worker.postMessage('close' satisfies ReadAheadRequest)
    return reply
  }
}

/** read-ahead-worker.js beside the running bundle or one folder up from a chunk of it; else the source. */
function entry(): string {
  const here = import.meta.dirname
  const places = [join(here, 'read-ahead-worker.js'), join(here, '..', 'read-ahead-worker.js')]
  return places.find((path) => existsSync(path)) ?? join(here, 'read-ahead-worker.ts')
}
