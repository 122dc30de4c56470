import { misMerge } from '../../kernels/mis-merge.ts'
import type { Device, DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'
import { stateWords } from '../graph/vertex-states.ts'
import { Trace } from '../trace.ts'
import type { Barrier } from './barrier.ts'
import type { Exchange } from './exchange.ts'
import { StateMail } from './state-mail.ts'
import type { SharedStates, Stretch } from './shared-states.ts'
import { Figures, WHOLE } from './shared-states.ts'

/** Changes that a device takes as a list: no more than this, and no longer than an eighth of all states; else it takes whole batches. */
const MOST_CHANGES = 1 << 16
const CHANGES_SHARE = 1 / 16
/** A word of 16 vertices that are in. */
const ALL_IN = 0x55555555

const changesRoom = (words: number): number => Math.max(1, Math.min(MOST_CHANGES, Math.floor(CHANGES_SHARE * words)))

/** Bytes on the device for changes of other workers. */
export function changesBytes(vertices: number, workers: number): number {
  return workers === 1 ? 0 : 8 * changesRoom(stateWords(vertices))
}

/** What one exchange moved, for the counters of a run. */
export interface ExchangeCounts {
  /** Bytes taken from other workers after each pass. */
  readonly bytesTaken: readonly number[]
  /** Of them as lists of changes, and as all words of a batch. */
  readonly listBytes: number
  readonly wholeBytes: number
}

/**
 * The replicated exchange: every worker holds the states of all vertices, writes those of its own batches, and takes those of the
 * others from here and nowhere else. It gives each batch away while it computes the next, and takes those of the others at the end
 * of a pass or in step with them. What it sees of them does not depend on timing, and so, on a device that computes in order,
 * neither does what it decides in which pass.
 */
export class ReplicatedStates implements Exchange {
  readonly #device: Device
  readonly #shared: SharedStates
  readonly #figures: Figures
  readonly #worker: number
  readonly #barrier: Barrier
  readonly #trace: Trace
  readonly #mail: StateMail
  /** The states of all vertices, of others as of what was taken, and own ones as of what was given. */
  readonly #known: Uint32Array
  /** Where the device's states of a batch are read to, at the place of the batch. */
  readonly #given: Uint32Array
  readonly #bytesTaken: number[] = []
  #changes: DeviceBuffer | undefined
  /** Batches of this pass that are given or on their way. */
  #giving = new Map<number, Promise<void>>()
  /** Batches before this one were taken in this pass, and so many bytes of them. */
  #next = 0
  #bytes = 0
  /** Own batches before this one were told of in this pass, or are on their way. */
  #nextOwn: number
  #listBytes = 0
  #wholeBytes = 0
  #waitMs = 0

  constructor(device: Device, shared: SharedStates, worker: number, barrier: Barrier, trace = new Trace(false)) {
    this.#device = device
    this.#shared = shared
    this.#figures = new Figures(shared)
    this.#worker = worker
    this.#nextOwn = worker
    this.#barrier = barrier
    this.#trace = trace
    this.#mail = new StateMail(shared)
    this.#known = new Uint32Array(Math.max(1, shared.words))
    this.#given = new Uint32Array(this.#known.length)
    if (shared.initial !== undefined) this.#known.set(shared.initial)
  }

  get counts(): ExchangeCounts {
    return { bytesTaken: this.#bytesTaken, listBytes: this.#listBytes, wholeBytes: this.#wholeBytes }
  }

  /** Milliseconds spent on waiting for other workers. */
  get waitMs(): number {
    return this.#waitMs
  }

  /** Everything is done once that takes long the first time: memory touched, and buffers made through which the host reads. */
  async ready(states: DeviceBuffer): Promise<void> {
    await this.#device.prepare([misMerge])
    this.#changes = await this.#device.allocate('changes', 2 * changesRoom(this.#shared.words))
    if (this.#shared.initial === undefined) this.#known.fill(0)
    this.#known.fill(ALL_IN, 0, this.#shared.knownWords)
    this.#given.fill(0)
    this.#mail.touch(this.#worker)
    const { stretches, workers } = this.#shared
    const own = stretches.filter((_, batch) => batch % workers === this.#worker)
    const reads = this.#shared.inStep ? own.slice(0, 2) : own
    // One more than batches: the counters of a pass are read beside them.
    const warmed = [...reads, { first: 0, words: 1 }]
    await Promise.all(warmed.map(({ first, words }) => this.#device.read(states, first, words)))
    await this.#barrier.arrive()
  }

  async begin(states: DeviceBuffer): Promise<void> {
    await this.#fill(states, { first: 0, words: this.#shared.knownWords })
  }

  async catchUp(states: DeviceBuffer, { index }: Batch): Promise<void> {
    const { inStep, workers } = this.#shared
    if (!inStep) return
    this.#skipUpTo(index)
    const step = workers * Math.floor(index / workers)
    for (const told of await this.#takeUpTo(step - workers))
      await this.#bring(states, [told], this.#shared.stretches[told.batch]!)
  }

  give(states: DeviceBuffer, { index }: Batch): void {
    const { first, words } = this.#shared.stretches[index]!
    // In the first pass nearly all words change: they go whole, and straight to where others take them from.
    const isFirst = this.#bytesTaken.length === 0
    const room = isFirst ? this.#mail.whole(index, 0) : this.#room(first, words)
    const reading = words === 0 ? Promise.resolve(room) : this.#device.read(states, first, words, room)
    const giving = this.#trace
      .span('exchange', `read states ${index}`, () => reading)
      .then((read) => this.#tell(index, isFirst && words > 0 ? undefined : read))
    // Whoever waits for it at the end of the pass hears of an error; in between nobody does.
    giving.catch(() => {})
    this.#giving.set(index, giving)
  }

  async publish(states: DeviceBuffer, undecided: number): Promise<number> {
    const { workers, stretches } = this.#shared
    const pass = this.#bytesTaken.length
    await Promise.all(this.#giving.values())
    this.#skipUpTo(stretches.length)
    this.#figures.tellUndecided(this.#worker, pass, undecided)
    this.#barrier.tell()
    const told = await this.#takeUpTo(stretches.length)
    // Own words that lie between are known as they stand on the device: all was given.
    await this.#bring(states, told, spanOf(told.map(({ batch }) => stretches[batch]!)))
    const all = Array.from({ length: workers }, (_, worker) => worker)
    await this.#wait(() => all.every((worker) => this.#figures.hasEnded(worker, pass)))
    this.#bytesTaken.push(this.#bytes)
    this.#giving = new Map()
    this.#next = 0
    this.#nextOwn = this.#worker
    this.#bytes = 0
    return all.reduce((sum, worker) => sum + this.#figures.undecided(worker, pass), 0)
  }

  known(): Uint32Array {
    return this.#known
  }

  release(): void {
    if (this.#changes !== undefined) this.#device.release(this.#changes)
    this.#changes = undefined
  }

  #room(first: number, words: number): Uint32Array {
    return this.#given.subarray(first, first + words)
  }

  /** Tells of own batches before `end` that were not worked on that nothing changed in them. */
  #skipUpTo(end: number): void {
    const { workers } = this.#shared
    for (; this.#nextOwn < end; this.#nextOwn += workers)
      if (!this.#giving.has(this.#nextOwn)) this.#figures.tellChanges(this.#nextOwn, this.#bytesTaken.length, 0)
    this.#barrier.tell()
  }

  /** @param states of the batch; undefined where all of it lies in the mail already */
  #tell(batch: number, states: Uint32Array | undefined): void {
    const pass = this.#bytesTaken.length
    this.#trace.span('exchange', `give ${batch}`, () => {
      const changes =
        states === undefined
          ? this.#mail.know(batch, this.#known, pass & 1)
          : this.#mail.write(states, batch, this.#known, pass & 1)
      this.#figures.tellChanges(batch, pass, changes)
      this.#barrier.tell()
    })
  }

  async #wait(isSo: () => boolean): Promise<void> {
    if (isSo()) return
    const startMs = performance.now()
    await this.#trace.span('wait', 'for other workers', () => this.#barrier.until(isSo))
    this.#waitMs += performance.now() - startMs
  }

  /** Brings what is known up to the batches before `end`, which it waits for. @returns those that changed */
  async #takeUpTo(end: number): Promise<Told[]> {
    const pass = this.#bytesTaken.length
    const changed: Told[] = []
    for (; this.#next < end; this.#next++) {
      const batch = this.#next
      if (batch % this.#shared.workers === this.#worker) continue
      await this.#wait(() => this.#figures.isTold(batch, pass))
      const count = this.#figures.changes(batch, pass)
      if (count === 0) continue
      this.#trace.span('exchange', `take ${batch}`, () => {
        const bytes = this.#mail.take(batch, pass & 1, count, this.#known)
        if (count === WHOLE) this.#wholeBytes += bytes
        else this.#listBytes += bytes
        this.#bytes += bytes
      })
      changed.push({ batch, count })
    }
    return changed
  }

  /** Brings the device's states up to what is known of these batches: by a list of changes, or with all words of a stretch. */
  async #bring(states: DeviceBuffer, told: readonly Told[], stretch: Stretch): Promise<void> {
    if (told.length === 0) return
    const changes = told.reduce((sum, { count }) => sum + (count === WHOLE ? Infinity : count), 0)
    await this.#trace.span('exchange', 'to the device', async () => {
      if (2 * changes <= this.#changes!.words) await this.#merge(states, told, changes)
      else await this.#fill(states, stretch)
    })
  }

  async #merge(states: DeviceBuffer, told: readonly Told[], count: number): Promise<void> {
    const parity = this.#bytesTaken.length & 1
    const all = new Uint32Array(2 * count)
    let end = 0
    for (const { batch, count: changes } of told) {
      all.set(this.#mail.changes(batch, parity, changes), end)
      end += 2 * changes
    }
    const list = this.#changes!
    await this.#device.fill(list, all.length, (bytes, at) => bytes.set(new Uint8Array(all.buffer, at, bytes.length)))
    this.#device.launch(misMerge, count, { count }, { states, changes: list })
  }

  async #fill(states: DeviceBuffer, { first, words }: Stretch): Promise<void> {
    if (words === 0) return
    const known = this.#known
    await this.#device.fill(
      states,
      words,
      (bytes, at) => bytes.set(new Uint8Array(known.buffer, 4 * first + at, bytes.length)),
      first,
    )
  }
}

/** From the first word of these stretches, which are in order, to the last: one copy is faster than several. */
function spanOf(stretches: readonly Stretch[]): Stretch {
  const first = stretches[0]?.first ?? 0
  const last = stretches.at(-1) ?? { first, words: 0 }
  return { first, words: last.first + last.words - first }
}

/** How many words of a batch changed, or WHOLE. */
interface Told {
  readonly batch: number
  readonly count: number
}
