import type { Device, DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'
import { stateWords, VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import { Failure } from '../failure.ts'
import type { StopSignal } from '../job.ts'
import { Trace } from '../trace.ts'
import type { Exchange } from './exchange.ts'

/** What the workers of a run share: every word is in shared memory. */
export interface SharedStates {
  readonly workers: number
  /** 2 bits a vertex, by position; each worker writes the words of its own batches only. */
  readonly states: Uint32Array
  /** [0] stop, [1] arrived, [2] generation, [3 ...] undecided vertices, two words a worker (odd and even passes). */
  readonly control: Int32Array
}

const STOP = 0
const ARRIVED = 1
const GENERATION = 2
const COUNTS = 3
const LOOK_MS = 20

export function shareStates(vertices: number, workers: number): SharedStates {
  return {
    workers,
    states: new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, stateWords(vertices)))),
    control: new Int32Array(new SharedArrayBuffer(4 * (COUNTS + 2 * workers))),
  }
}

/** Makes every worker that waits, or comes to wait, give up. */
export function stopSharing({ control }: SharedStates): void {
  Atomics.store(control, STOP, 1)
  Atomics.notify(control, GENERATION)
}

/**
 * The replicated exchange: every worker holds the states of all vertices; after each pass the words of its own batches go to
 * shared memory, and what the others put there comes back. A state only gains bits, so it does no harm to take a word that
 * its owner is already writing anew.
 */
export class ReplicatedStates implements Exchange {
  readonly #device: Device
  readonly #shared: SharedStates
  readonly #worker: number
  readonly #trace: Trace
  readonly #signal: StopSignal | undefined
  #pass = 0
  #bytes = 0
  #waitMs = 0

  /** @param signal of the leading worker, whose thread hears of nothing else while it waits: it stops all of them */
  constructor(device: Device, shared: SharedStates, worker: number, trace = new Trace(false), signal?: StopSignal) {
    this.#trace = trace
    this.#signal = signal
    this.#device = device
    this.#shared = shared
    this.#worker = worker
  }

  /** Bytes of states given and taken so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Milliseconds spent on waiting for other workers. */
  get waitMs(): number {
    return this.#waitMs
  }

  ready(): Promise<void> {
    this.#waitForAll()
    return Promise.resolve()
  }

  async publish(states: DeviceBuffer, own: readonly Batch[], undecided: number): Promise<number> {
    const { control, workers } = this.#shared
    if (!this.#device.sharesMemory) await this.#trace.span('exchange', 'give', () => this.#give(states, own))
    const parity = this.#pass++ & 1
    Atomics.store(control, COUNTS + 2 * this.#worker + parity, undecided)
    const startMs = performance.now()
    this.#trace.span('wait', 'for all workers', () => this.#waitForAll())
    this.#waitMs += performance.now() - startMs
    let total = 0
    for (let worker = 0; worker < workers; worker++) total += Atomics.load(control, COUNTS + 2 * worker + parity) >>> 0
    if (!this.#device.sharesMemory) await this.#trace.span('exchange', 'take', () => this.#take(states))
    return total
  }

  async #give(states: DeviceBuffer, own: readonly Batch[]): Promise<void> {
    for (const { first, count } of own) {
      const word = first / VERTICES_PER_WORD
      const words = await this.#device.read(states, word, stateWords(count))
      this.#shared.states.set(words, word)
      this.#bytes += words.byteLength
    }
  }

  async #take(states: DeviceBuffer): Promise<void> {
    const { states: all } = this.#shared
    await this.#device.fill(states, all.length, (bytes, at) => {
      bytes.set(new Uint8Array(all.buffer, at, bytes.length))
    })
    this.#bytes += all.byteLength
  }

  /** A barrier: returns when every worker has come to it. @throws Failure (cancelled) when the run is to stop. */
  #waitForAll(): void {
    const { control, workers } = this.#shared
    const generation = Atomics.load(control, GENERATION)
    if (Atomics.add(control, ARRIVED, 1) === workers - 1) {
      Atomics.store(control, ARRIVED, 0)
      Atomics.add(control, GENERATION, 1)
      Atomics.notify(control, GENERATION)
    }
    while (Atomics.load(control, GENERATION) === generation) {
      if (this.#signal?.aborted === true) stopSharing(this.#shared)
      if (Atomics.load(control, STOP) !== 0)
        throw new Failure({ code: 'cancelled', what: 'another worker of this run stopped', remedy: 'Run it again.' })
      Atomics.wait(control, GENERATION, generation, LOOK_MS)
    }
  }
}
