import { misMerge } from '../../kernels/mis-merge.ts'
import type { Device, DeviceBuffer } from '../device/device.ts'
import { stateWords } from '../graph/vertex-states.ts'
import { Trace } from '../trace.ts'
import type { Barrier } from './barrier.ts'
import type { Exchange } from './exchange.ts'
import { StateMail } from './state-mail.ts'
import type { SharedStates } from './shared-states.ts'
import { CONTROL_HEAD, WHOLE } from './shared-states.ts'

/** Changes that a device takes as a list: no more than this, and no longer than an eighth of all states; else it takes all anew. */
const MOST_CHANGES = 1 << 16
const CHANGES_SHARE = 1 / 16

const changesRoom = (words: number): number => Math.max(1, Math.min(MOST_CHANGES, Math.floor(CHANGES_SHARE * words)))

/** Bytes on the device for changes of other workers. */
export function changesBytes(vertices: number, workers: number): number {
  return workers === 1 ? 0 : 8 * changesRoom(stateWords(vertices))
}

/** What one exchange moved, for the counters of a run. */
export interface ExchangeCounts {
  /** Bytes taken from other workers after each pass. */
  readonly bytesTaken: readonly number[]
  /** Of them as lists of changes, and as all words of a worker. */
  readonly listBytes: number
  readonly wholeBytes: number
}

/**
 * The replicated exchange: every worker holds the states of all vertices, writes those of its own batches, and takes those of the
 * others from here and nowhere else, once a pass. What it sees of them does not depend on timing, and so, on a device that
 * computes in order, neither does what it decides in which pass.
 */
export class ReplicatedStates implements Exchange {
  readonly #device: Device
  readonly #shared: SharedStates
  readonly #worker: number
  readonly #barrier: Barrier
  readonly #trace: Trace
  readonly #mail: StateMail
  /** The states of all vertices as of the last exchange. */
  readonly #known: Uint32Array
  readonly #bytesTaken: number[] = []
  #changes: DeviceBuffer | undefined
  #collected: Uint32Array | undefined
  #listBytes = 0
  #wholeBytes = 0
  #waitMs = 0

  constructor(device: Device, shared: SharedStates, worker: number, barrier: Barrier, trace = new Trace(false)) {
    this.#device = device
    this.#shared = shared
    this.#worker = worker
    this.#barrier = barrier
    this.#trace = trace
    this.#mail = new StateMail(shared, worker)
    this.#known = new Uint32Array(Math.max(1, shared.words))
    if (shared.initial !== undefined) this.#known.set(shared.initial)
  }

  get counts(): ExchangeCounts {
    return { bytesTaken: this.#bytesTaken, listBytes: this.#listBytes, wholeBytes: this.#wholeBytes }
  }

  /** Milliseconds spent on waiting for other workers. */
  get waitMs(): number {
    return this.#waitMs
  }

  async ready(): Promise<void> {
    await this.#device.prepare([misMerge])
    this.#changes = await this.#device.allocate('changes', 2 * changesRoom(this.#shared.words))
    await this.#barrier.arrive()
  }

  async collect(states: DeviceBuffer): Promise<void> {
    const { from, to } = this.#extent()
    this.#collected = await this.#trace.span('exchange', 'read states', () =>
      this.#device.read(states, from, to - from),
    )
  }

  async publish(states: DeviceBuffer, undecided: number): Promise<number> {
    const { control, workers } = this.#shared
    const parity = this.#bytesTaken.length & 1
    const place = (worker: number): number => CONTROL_HEAD + 2 * (parity * workers + worker)
    this.#trace.span('exchange', 'give', () => {
      const told = this.#mail.write(this.#collected!, this.#extent().from, this.#known, parity)
      Atomics.store(control, place(this.#worker), undecided)
      Atomics.store(control, place(this.#worker) + 1, told)
    })
    const startMs = performance.now()
    await this.#trace.span('wait', 'for all workers', () => this.#barrier.arrive())
    this.#waitMs += performance.now() - startMs
    let total = 0
    const told: number[] = []
    for (let worker = 0; worker < workers; worker++) {
      total += Atomics.load(control, place(worker)) >>> 0
      told.push(Atomics.load(control, place(worker) + 1))
    }
    await this.#trace.span('exchange', 'take', () => this.#take(states, told, parity))
    return total
  }

  learn(states: Uint32Array): void {
    for (let word = 0; word < states.length; word++) states[word]! |= this.#known[word]!
  }

  release(): void {
    if (this.#changes !== undefined) this.#device.release(this.#changes)
    this.#changes = undefined
  }

  async #take(states: DeviceBuffer, told: readonly number[], parity: number): Promise<void> {
    let bytes = 0
    let changes = 0
    for (const [worker, count] of told.entries()) {
      if (worker === this.#worker) continue
      const taken = this.#mail.take(worker, parity, count, this.#known)
      if (count === WHOLE) this.#wholeBytes += taken
      else this.#listBytes += taken
      changes = count === WHOLE ? Infinity : changes + count
      bytes += taken
    }
    this.#bytesTaken.push(bytes)
    if (changes === 0) return
    if (2 * changes > this.#changes!.words) await this.#fillAll(states)
    else await this.#merge(states, told, parity, changes)
  }

  async #merge(states: DeviceBuffer, told: readonly number[], parity: number, count: number): Promise<void> {
    const all = new Uint32Array(2 * count)
    let end = 0
    for (const [worker, changes] of told.entries()) {
      if (worker === this.#worker) continue
      all.set(this.#mail.changes(worker, parity, changes), end)
      end += 2 * changes
    }
    const list = this.#changes!
    await this.#device.fill(list, all.length, (bytes, at) => bytes.set(new Uint8Array(all.buffer, at, bytes.length)))
    this.#device.launch(misMerge, count, { count }, { states, changes: list })
  }

  #fillAll(states: DeviceBuffer): Promise<void> {
    const known = this.#known
    return this.#device.fill(states, known.length, (bytes, at) =>
      bytes.set(new Uint8Array(known.buffer, at, bytes.length)),
    )
  }

  /** From the first word that this worker owns to the last: one read is faster than one for each batch. */
  #extent(): { from: number; to: number } {
    const owned = this.#shared.owned[this.#worker]!
    const [first, last] = [owned[0], owned.at(-1)]
    if (first === undefined || last === undefined) return { from: 0, to: 0 }
    return { from: first.first, to: last.first + last.words }
  }
}
