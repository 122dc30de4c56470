import { mgAdvance } from '../../../../kernels/mg-mis/mg-advance.ts'
import { mgAnswers } from '../../../../kernels/mg-mis/mg-answers.ts'
import { mgOut } from '../../../../kernels/mg-mis/mg-out.ts'
import { mgQueries } from '../../../../kernels/mg-mis/mg-queries.ts'
import { mgRound } from '../../../../kernels/mg-mis/mg-round.ts'
import type { Device } from '../../../device/device.ts'
import { type PaperShared, PaperMail } from './message-buffers.ts'
import { type OwnRange, EqualRanges } from './paper-ranges.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { VERTICES_PER_WORD } from '../../../graph/vertex-states.ts'
import type { Trace } from '../../../base/trace.ts'
import { type ArcBatch, ArcStore } from './arc-store.ts'
import { type PaperWorkspace, allocatePaperWorkspace, counterWords, releasePaperWorkspace } from './paper-workspace.ts'

/** One worker of the paper's exchange: its device, its range of vertices, and what it shares with the others. */
export interface PaperPart {
  readonly device: Device
  readonly graph: GaloisGr
  readonly worker: number
  readonly shared: PaperShared
  readonly batches: readonly ArcBatch[]
  /** Bytes on the device for arcs. */
  readonly arcBytes: number
  /** Priorities by vertex where they are no hash of the id; the seed of the hash where they are. */
  readonly ranks: Uint32Array | undefined
  readonly seed: number
  readonly trace: Trace
}

/** The steps of algorithm 1 of MG-MIS (ICS 2025, section 3.2) for one worker; the driver sets the barriers between them. */
export class PaperWorker {
  readonly mail: PaperMail
  readonly store: ArcStore
  /** Vertices that the last local round left undecided. */
  undecided: number
  /** Words that the largest buffer of this round would need to hold all that was to be sent. */
  need = 0
  readonly #part: PaperPart
  readonly #ranges: EqualRanges
  readonly #own: OwnRange
  readonly #window: QueryWindow
  readonly #space: PaperWorkspace
  /** For each batch: vertices that wait, and members that keep entries back. */
  readonly #waiting: Uint32Array
  readonly #keptBack: Uint32Array

  private constructor(part: PaperPart, ranges: EqualRanges, space: PaperWorkspace) {
    this.#part = part
    this.#ranges = ranges
    this.#own = ranges.of(part.worker)
    this.#window = new QueryWindow(this.#own.high - this.#own.low)
    this.#space = space
    this.mail = new PaperMail(part.shared, part.worker)
    this.store = new ArcStore(part.device, part.graph, part.arcBytes, part.trace)
    this.undecided = this.#own.high - this.#own.low
    this.#waiting = Uint32Array.from(part.batches, ({ count }) => count)
    this.#keptBack = new Uint32Array(part.batches.length)
  }

  static async open(part: PaperPart): Promise<PaperWorker> {
    const { device, graph, shared, worker, ranks, batches } = part
    await device.prepare([mgRound, mgOut, mgQueries, mgAnswers, mgAdvance])
    const ranges = new EqualRanges(graph.vertices, shared.workers)
    const space = await allocatePaperWorkspace(device, ranges.of(worker), shared, ranks, batches.length)
    return new PaperWorker(part, ranges, space)
  }

  /** Brings the batches that fit to the device. */
  async loadWhatFits(): Promise<void> {
    for (const batch of this.#part.batches) if (this.store.hasRoom(batch)) await this.store.load(batch)
  }

  /** Algorithm 2 over every batch that is not finished; returns `done`: no vertex waits and nothing is kept back. */
  async runLocalRound(): Promise<boolean> {
    const { device, batches, shared, ranks, seed } = this.#part
    const { states, remoteNbrIndex, send, counters } = this.#space
    const { origin, low, high } = this.#own
    const { workers, share, extra } = this.#ranges
    device.clear(counters, 0, counters.words)
    for (const [slot, batch] of batches.entries()) {
      if (this.#waiting[slot] === 0 && this.#keptBack[slot] === 0) continue
      const { offsets, targets } = await this.store.load(batch)
      device.launch(
        mgRound,
        batch.count,
        {
          ...{ first: batch.first - origin, count: batch.count, origin, low, high, workers, share, extra },
          ...{ capacity: shared.bufferWords, counter: 2 * workers + 2 * slot },
          ...{ ranked: ranks === undefined ? 0 : 1, shift: Math.imul(seed, 0x9e3779b9) >>> 0 },
        },
        { states, offsets, targets, remoteNbrIndex, ranks: this.#space.ranks, send, counters },
      )
    }
    const counts = await this.#counters()
    for (let slot = 0; slot < batches.length; slot++) {
      this.#waiting[slot] = counts[2 * workers + 2 * slot]!
      this.#keptBack[slot] = counts[2 * workers + 2 * slot + 1]!
    }
    this.undecided = sum(this.#waiting)
    this.need = 0
    for (let to = 0; to < workers; to++) this.need = Math.max(this.need, counts[to]! + counts[workers + to]!)
    await this.#sendBuffers(counts)
    return this.undecided === 0 && sum(this.#keptBack) === 0
  }

  /** Algorithm 4 for the lists of all other workers. */
  async setVerticesToOut(): Promise<void> {
    const count = sum(await this.#receive())
    const { states, received } = this.#space
    if (count > 0) this.#part.device.launch(mgOut, count, { count, origin: this.#own.origin }, { states, received })
  }

  /** Algorithm 5, then the sending of the queries; a worker that is done asks nothing. */
  async sendQueries(done: boolean): Promise<void> {
    if (done) return this.#sendBuffers(new Uint32Array(this.#ranges.workers))
    const { device, batches, shared } = this.#part
    const { states, remoteNbrIndex, send, counters } = this.#space
    const { origin, low, high } = this.#own
    const { share, extra, workers } = this.#ranges
    const { open, width } = this.#window
    device.clear(counters, 0, workers)
    for (const [slot, batch] of batches.entries()) {
      if (this.#waiting[slot] === 0) continue
      const { offsets, targets } = await this.store.load(batch)
      const [skip, owned] = [low - origin, high - low]
      device.launch(
        mgQueries,
        batch.count,
        {
          ...{ first: batch.first - origin, count: batch.count, low, high, share, extra },
          ...{ capacity: shared.bufferWords, skip, owned, open, width },
        },
        { states, offsets, targets, remoteNbrIndex, send, counters },
      )
    }
    const asked = (await this.#counters()).subarray(0, workers)
    const room = shared.bufferWords & ~1
    this.need = Math.max(this.need, ...asked)
    this.#window.turn(asked.some((words) => words > room))
    await this.#sendBuffers(asked.map((words) => Math.min(words, room)))
  }

  /** Algorithm 6 for the questions of every other worker, then the sending of the answers. */
  async sendResponses(): Promise<void> {
    const { device, shared } = this.#part
    const { states, received, send, counters } = this.#space
    const { workers } = this.#ranges
    const lengths = await this.#receive()
    device.clear(counters, 0, workers)
    let begin = 0
    for (const [asker, words] of lengths.entries()) {
      const params = { count: words / 2, origin: this.#own.origin, begin, into: asker * shared.bufferWords }
      device.launch(mgAnswers, words / 2, { ...params, counter: asker }, { states, received, send, counters })
      begin += words
    }
    const answered = begin === 0 ? new Uint32Array(workers) : (await this.#counters()).subarray(0, workers)
    this.need = Math.max(this.need, ...answered)
    await this.#sendBuffers(answered)
  }

  /** Algorithm 7 for the answers of all other workers. */
  async processResponses(): Promise<void> {
    const { device, batches } = this.#part
    const { remoteNbrIndex, received } = this.#space
    const { origin, low, high } = this.#own
    const length = sum(await this.#receive())
    if (length === 0) return
    for (const [slot, batch] of batches.entries()) {
      if (this.#waiting[slot] === 0) continue
      const { offsets, targets } = await this.store.load(batch)
      const params = { first: batch.first - origin, count: batch.count, length, origin, low, high }
      device.launch(mgAdvance, length, params, { offsets, targets, remoteNbrIndex, received })
    }
  }

  /** Puts the states of the own vertices where all workers see them. Words at the ends of the range hold others' too. */
  async publishStates(): Promise<void> {
    const { device, shared } = this.#part
    const { origin, places } = this.#own
    const words = await device.read(this.#space.states, 0, Math.ceil(places / VERTICES_PER_WORD))
    const at = origin / VERTICES_PER_WORD
    for (let i = 0; i < words.length; i++) if (words[i] !== 0) Atomics.or(shared.states, at + i, words[i]!)
  }

  release(): void {
    this.store.release()
    releasePaperWorkspace(this.#part.device, this.#space)
  }

  #counters(): Promise<Uint32Array> {
    const { device, batches } = this.#part
    return device.read(this.#space.counters, 0, counterWords(this.#ranges.workers, batches.length))
  }

  /** Bulk transfers: what stands in each buffer goes to its worker, `counts[to]` words as far as the buffer goes. */
  async #sendBuffers(counts: Uint32Array): Promise<void> {
    const { device, shared, worker, trace } = this.#part
    const { bufferWords } = shared
    await trace.span('exchange', 'send', async () => {
      for (let to = 0; to < this.#ranges.workers; to++) {
        if (to === worker) continue
        const length = Math.min(counts[to]!, bufferWords)
        const words = length === 0 ? NOTHING : await device.read(this.#space.send, to * bufferWords, length)
        this.mail.send(to, words)
      }
    })
  }

  /** Brings what the others sent to the device, one list after the other; returns the length of each. */
  async #receive(): Promise<number[]> {
    const lengths = this.mail.lengths()
    const all = new Uint32Array(sum(lengths))
    if (all.length === 0) return lengths
    let at = 0
    for (const [from, length] of lengths.entries()) {
      all.set(this.mail.received(from, length), at)
      at += length
    }
    const { device, trace } = this.#part
    await trace.span('exchange', 'receive', () =>
      device.fill(this.#space.received, all.length, (bytes, from) =>
        bytes.set(new Uint8Array(all.buffer, from, bytes.length)),
      ),
    )
    return lengths
  }
}

const NOTHING = new Uint32Array(0)

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/**
 * Which of a worker's vertices may ask. All of them, as in the paper, as long as their questions find room in the buffers. Where
 * they do not, the same vertices would ask in vain round after round and keep the others out for ever; so the window halves
 * until it fits, and then moves on round the vertices and grows again. A window of one vertex always fits, hence every vertex
 * comes to ask.
 */
export class QueryWindow {
  readonly #owned: number
  /** The first vertex that may ask, counted from the worker's first, and how many from there on. */
  open = 0
  width: number

  constructor(owned: number) {
    this.#owned = owned
    this.width = owned
  }

  /** Takes what the round showed: whether some pairs found no room. */
  turn(overflowed: boolean): void {
    if (overflowed) {
      this.width = Math.max(1, this.width >>> 1)
      return
    }
    this.open = this.#owned === 0 ? 0 : (this.open + this.width) % this.#owned
    this.width = Math.min(this.#owned, 2 * this.width)
  }
}
