/**
 * Algorithm 1 of MG-MIS (Akathoott et al., ICS 2025), ComputeStatus, on one worker; it leaves its states in shared memory. The set depends on
 * the priorities alone. Rounds end, also on a damaged graph: a round that decides nothing and notifies no worker changes no state and no index.
 * Once every vertex could ask in such rounds, each further one would be the same, and the graph is refused. A round in which queries only wait
 * for room is none of these. Buffers of fixed size carry queries and responses; those without room wait for the next round. paper-shared.ts has
 * the buffers and barriers, plan-paper.ts their sizes; mg-mis/mg-mis.ts runs it with `--exchange paper`.
 */

import { mgAdvance } from '../../../../kernels/mg-mis/mg-advance.ts'
import { mgAnswers } from '../../../../kernels/mg-mis/mg-answers.ts'
import { mgOut } from '../../../../kernels/mg-mis/mg-out.ts'
import { mgQueries } from '../../../../kernels/mg-mis/mg-queries.ts'
import { mgRound } from '../../../../kernels/mg-mis/mg-round.ts'
import { throwIfCancelled } from '../../../base/job.ts'
import { fillWords, releaseBuffers } from '../../../device/device.ts'
import { joinedParts } from '../../../exchange/exchange.ts'
import { idleRound } from '../../../graph/galois-gr.ts'
import { VERTICES_PER_WORD, stateWords } from '../../../graph/vertex-set.ts'
import { PackedStates } from '../../../graph/host-states.ts'
import type { RangeWork, RangeWorker } from '../../range-task.ts'
import { reportRound } from '../../worker-report.ts'
import { type PaperShared, type RoundFigures, MessageBuffers, type OwnRange, EqualRanges } from './paper-shared.ts'
import { type PaperWorkspace, allocatePaperWorkspace } from './plan-paper.ts'

export const paperKernels = [mgRound, mgOut, mgQueries, mgAnswers, mgAdvance]

/** A round of all workers: vertices undecided after the local rounds, and words that the largest buffer would need (the paper's Figure 6). */
type PaperRound = Pick<RoundFigures, 'undecided' | 'need'>

export interface PaperOutcome {
  readonly rounds: readonly PaperRound[]
  readonly computeMs: number
}

/** One worker's part in Algorithm 1. */
export async function computeStatus(part: RangeWorker<PaperShared, Uint32Array>): Promise<RangeWork<PaperOutcome>> {
  const { task, graph, store, job } = part
  const worker = await PaperWorker.open(part)
  await store.loadAll(part.plan.batches)
  await part.ready()
  const [startMs, loadedMs] = [performance.now(), store.readMs]
  const rounds: PaperRound[] = []
  for (;;) {
    throwIfCancelled(job.signal)
    if (task.worker === 0) worker.messages.keepsStates = part.isDue() === 1
    const done = await worker.runLocalRound() //       lines 2-5, sendNbrData included
    await part.arrive('for the local rounds')
    await worker.setVerticesToOut() //                 lines 6-7
    await part.arrive('for vertices set out')
    await worker.sendQueries(done) //                  lines 8-11
    await part.arrive('for the queries')
    const asked = await worker.receive() //            lines 12-15
    // Answers take the buffers of queries, which others may still read.
    await part.arrive('for queries to be read')
    await worker.sendResponses(asked)
    await part.arrive('for the responses')
    await worker.processResponses() //                 lines 16-17
    worker.messages.publish({ done, ...worker.figures(done) })
    const keeps = worker.messages.keepsStates
    if (keeps) await worker.publishStates()
    await part.arrive('for the done flags')
    const all = worker.messages.allReduce() //         line 18
    if (all.notified || all.undecided < (rounds.at(-1)?.undecided ?? Infinity)) worker.askAnew()
    else if (all.asked && !all.done) throw idleRound(graph.path, rounds.length + 1)
    rounds.push({ undecided: all.undecided, need: all.need })
    if (keeps) part.keep(task.shared.states)
    reportRound(job, 'sweep', graph.vertices, all.undecided, rounds.length)
    if (all.done) break //                           line 19
  }
  await worker.publishStates()
  await part.arrive('for the states')
  const computeMs = performance.now() - startMs - (store.readMs - loadedMs)
  const { transfers, words } = worker.messages
  worker.release()
  return { outcome: { rounds, computeMs }, exchanged: 4 * words, counters: { transfers } }
}

/** The steps of algorithm 1 of MG-MIS (ICS 2025, section 3.2) on one worker; the driver has barriers between them. */
class PaperWorker {
  readonly messages: MessageBuffers
  undecided: number
  /** Words that the largest buffer of this round would need. */
  need = 0
  /** Whether this round notified another worker that vertices are out. */
  #notified = false
  readonly #part: RangeWorker<PaperShared, Uint32Array>
  readonly #ranges: EqualRanges
  readonly #own: OwnRange
  readonly #window: QueryWindow
  readonly #space: PaperWorkspace
  /** Waiting vertices of each batch, and members that keep neighbours back. */
  readonly #waiting: Uint32Array
  readonly #keptBack: Uint32Array

  private constructor(part: RangeWorker<PaperShared, Uint32Array>, ranges: EqualRanges, space: PaperWorkspace) {
    const { task, plan } = part
    this.#part = part
    this.#ranges = ranges
    this.#own = ranges.of(task.worker)
    this.#window = new QueryWindow(this.#own.high - this.#own.low)
    this.#space = space
    this.messages = new MessageBuffers(task.shared, task.worker)
    this.undecided = this.#own.high - this.#own.low
    this.#waiting = Uint32Array.from(plan.batches, ({ count }) => count)
    this.#keptBack = new Uint32Array(plan.batches.length)
  }

  static async open(part: RangeWorker<PaperShared, Uint32Array>): Promise<PaperWorker> {
    const { device, graph, task, plan } = part
    const { shared, worker } = task
    const ranges = new EqualRanges(graph.vertices, shared.workers)
    const space = await allocatePaperWorkspace(device, ranges.of(worker), shared, plan.batches.length)
    return new PaperWorker(part, ranges, space)
  }

  /** Algorithm 2 over every unfinished batch. @returns whether no vertex waits and nothing is kept back */
  async runLocalRound(): Promise<boolean> {
    const { device, plan, store, task } = this.#part
    const { bufferWords, ranks, seed } = task.shared
    const { states, remoteNbrIndex, send, counters } = this.#space
    const { origin, low, high } = this.#own
    const { workers, share, extra } = this.#ranges
    device.clear(counters, 0, counters.words)
    for (const [slot, batch] of plan.batches.entries()) {
      if (this.#waiting[slot] === 0 && this.#keptBack[slot] === 0) continue
      const { offsets, targets } = await store.load(batch)
      device.launch(
        mgRound,
        batch.count,
        {
          ...{ first: batch.first - origin, count: batch.count, origin, low, high, workers, share, extra },
          ...{ capacity: bufferWords, counter: 2 * workers + 2 * slot },
          ...{ ranked: ranks === undefined ? 0 : 1, shift: Math.imul(seed, 0x9e3779b9) >>> 0 },
        },
        { states, offsets, targets, remoteNbrIndex, ranks: this.#space.ranks, send, counters },
      )
    }
    const counts = await this.#counters()
    for (let slot = 0; slot < plan.batches.length; slot++) {
      this.#waiting[slot] = counts[2 * workers + 2 * slot]!
      this.#keptBack[slot] = counts[2 * workers + 2 * slot + 1]!
    }
    this.undecided = sum(this.#waiting)
    this.need = 0
    for (let to = 0; to < workers; to++) this.need = Math.max(this.need, counts[to]! + counts[workers + to]!)
    this.#notified = counts.subarray(0, workers).some((words) => words > 0)
    await this.#sendBuffers(counts)
    return this.undecided === 0 && sum(this.#keptBack) === 0
  }

  /** Algorithm 4. */
  async setVerticesToOut(): Promise<void> {
    const count = sum(await this.receive())
    const { states, received } = this.#space
    if (count > 0) this.#part.device.launch(mgOut, count, { count, origin: this.#own.origin }, { states, received })
  }

  /** Algorithm 5; a worker that is done asks nothing. */
  async sendQueries(done: boolean): Promise<void> {
    if (done) return this.#sendBuffers(new Uint32Array(this.#ranges.workers))
    const { device, plan, store, task } = this.#part
    const { bufferWords } = task.shared
    const { states, remoteNbrIndex, send, counters } = this.#space
    const { origin, low, high } = this.#own
    const { share, extra, workers } = this.#ranges
    const { open, width } = this.#window
    device.clear(counters, 0, workers)
    for (const [slot, batch] of plan.batches.entries()) {
      if (this.#waiting[slot] === 0) continue
      const { offsets, targets } = await store.load(batch)
      const [skip, owned] = [low - origin, high - low]
      device.launch(
        mgQueries,
        batch.count,
        {
          ...{ first: batch.first - origin, count: batch.count, low, high, share, extra },
          ...{ capacity: bufferWords, skip, owned, open, width },
        },
        { states, offsets, targets, remoteNbrIndex, send, counters },
      )
    }
    const asked = (await this.#counters()).subarray(0, workers)
    const room = bufferWords & ~1
    this.need = Math.max(this.need, ...asked)
    this.#window.turn(asked.some((words) => words > room))
    await this.#sendBuffers(asked.map((words) => Math.min(words, room)))
  }

  /** Copies what was received to the device, worker by worker. @returns the words of each */
  async receive(): Promise<number[]> {
    const lengths = this.messages.lengths()
    const all = joinedParts(lengths.map((length, from) => this.messages.received(from, length)))
    if (all.length === 0) return lengths
    const { device, trace } = this.#part
    await trace.span('exchange', 'receive', () => fillWords(device, this.#space.received, all))
    return lengths
  }

  /** Algorithm 6 for every other worker. @param lengths of the queries that were received last */
  async sendResponses(lengths: readonly number[]): Promise<void> {
    const { device, task } = this.#part
    const { states, received, send, counters } = this.#space
    const { workers } = this.#ranges
    device.clear(counters, 0, workers)
    let begin = 0
    for (const [asker, words] of lengths.entries()) {
      const params = { count: words / 2, origin: this.#own.origin, begin, into: asker * task.shared.bufferWords }
      device.launch(mgAnswers, words / 2, { ...params, counter: asker }, { states, received, send, counters })
      begin += words
    }
    const answered = begin === 0 ? new Uint32Array(workers) : (await this.#counters()).subarray(0, workers)
    this.need = Math.max(this.need, ...answered)
    this.#notified ||= answered.some((words) => words > 0)
    await this.#sendBuffers(answered)
  }

  /** Algorithm 7. */
  async processResponses(): Promise<void> {
    const { device, plan, store } = this.#part
    const { remoteNbrIndex, received } = this.#space
    const { origin, low, high } = this.#own
    const length = sum(await this.receive())
    if (length === 0) return
    for (const [slot, batch] of plan.batches.entries()) {
      if (this.#waiting[slot] === 0) continue
      const { offsets, targets } = await store.load(batch)
      const params = { first: batch.first - origin, count: batch.count, length, origin, low, high }
      device.launch(mgAdvance, length, params, { offsets, targets, remoteNbrIndex, received })
    }
  }

  /** Words at the ends of the range hold states of other workers, too. */
  async publishStates(): Promise<void> {
    const { device, graph, task } = this.#part
    const { origin, places } = this.#own
    const words = await device.read(this.#space.states, 0, stateWords(places))
    new PackedStates(graph.vertices, task.shared.states).merge(words, origin / VERTICES_PER_WORD)
  }

  /** What the others should know of this round. */
  figures(done: boolean): Omit<RoundFigures, 'done'> {
    const { undecided, need } = this
    return { undecided, need, notified: this.#notified, asked: done || this.#window.hasPassed }
  }

  /** Something changed: queries that were answered before may now have other answers. */
  askAnew(): void {
    this.#window.startPass()
  }

  release(): void {
    releaseBuffers(this.#part.device, this.#space)
  }

  #counters(): Promise<Uint32Array> {
    const { counters } = this.#space
    return this.#part.device.read(counters, 0, counters.words)
  }

  /** Bulk transfers: `counts[to]` words to each worker, as far as the buffer goes. */
  async #sendBuffers(counts: Uint32Array): Promise<void> {
    const { device, task, trace } = this.#part
    const { bufferWords } = task.shared
    await trace.span('exchange', 'send', async () => {
      for (let to = 0; to < this.#ranges.workers; to++) {
        if (to === task.worker) continue
        const length = Math.min(counts[to]!, bufferWords)
        const words = length === 0 ? NOTHING : await device.read(this.#space.send, to * bufferWords, length)
        this.messages.send(to, words)
      }
    })
  }
}

const NOTHING = new Uint32Array(0)

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/**
 * Which of a worker's vertices may ask. All, as in the paper, while their queries have room. Else the same vertices would ask in vain round
 * after round: the window halves until it fits, then moves on and grows again. One vertex always fits, so every vertex comes to ask.
 */
class QueryWindow {
  readonly #owned: number
  /** The first vertex that may ask, from the worker's first on, and how many. */
  open = 0
  width: number
  /** Vertices that could ask since the pass began; the window moves on by as many. */
  #asked = 0

  constructor(owned: number) {
    this.#owned = owned
    this.width = owned
  }

  /** @param overflowed whether some queries found no room */
  turn(overflowed: boolean): void {
    if (overflowed) {
      this.width = Math.max(1, this.width >>> 1)
      return
    }
    this.#asked += this.width
    this.open = this.#owned === 0 ? 0 : (this.open + this.width) % this.#owned
    this.width = Math.min(this.#owned, 2 * this.width)
  }

  /** Whether every vertex could ask since the pass began: within twice as many rounds as there are vertices, and 32 to halve and double. */
  get hasPassed(): boolean {
    return this.#asked >= this.#owned
  }

  startPass(): void {
    this.#asked = 0
  }
}
