import { type Barrier, BARRIER_WORDS } from '../../../threads/barrier.ts'
import { Trace } from '../../../base/trace.ts'
import type { MatchState } from '../../ld-gpu/match-request.ts'

/** What the workers of a matching share: every word is in shared memory. */
export interface SharedPointers {
  readonly workers: number
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: Uint32Array
  /** What each worker gives away in odd and even rounds: a word for each own vertex, at its place. */
  readonly outboxes: readonly [Uint32Array, Uint32Array]
  /** The words of the barrier, then for each worker and parity: open vertices, arcs, whether all are to keep their state. */
  readonly control: Int32Array
  /** Rounds of another attempt: the first outbox holds its pointers until all workers have them. */
  readonly before: Pick<MatchState, 'open' | 'arcs'> | undefined
}

const REPORTS = BARRIER_WORDS
const REPORT_WORDS = 2

/** @param start of all vertices */
export function sharePointers(vertices: number, bounds: readonly number[], start?: MatchState): SharedPointers {
  const workers = bounds.length - 1
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  const owned = shared(bounds.length)
  owned.set(bounds)
  const outboxes = [shared(vertices), shared(vertices)] as const
  outboxes[0].set(start?.pointers ?? [])
  return {
    workers,
    bounds: owned,
    outboxes,
    before: start && { open: start.open, arcs: start.arcs },
    control: new Int32Array(new SharedArrayBuffer(4 * (REPORTS + 2 * REPORT_WORDS * workers))),
  }
}

/** What a worker goes on from, until its first exchange; undefined: it starts anew. The leader counts the arcs of earlier attempts. */
export function startOfWorker({ outboxes, before }: SharedPointers, worker: number): MatchState | undefined {
  if (before === undefined) return undefined
  const arcs = worker === 0 ? before.arcs : before.arcs.map(() => 0)
  return { pointers: outboxes[0], open: before.open, arcs }
}

/** What is said of a round: vertices that were open when it began, and arcs that were looked at. */
export interface RoundReport {
  readonly open: number
  readonly arcs: number
}

/**
 * The exchange after the pointing phase (LD-GPU, SC 2024, Algorithm 2, line 7): each worker gives away the pointers of its own vertices and
 * takes those of the others. One exchange a round is enough, as every worker derives the mates from them (line 9 would send those
 * too). Two outboxes in turn: who is slow still reads the last one.
 */
export class PointerExchange {
  bytes = 0
  exchangeMs = 0
  /** Bytes that this worker gave away in each round. */
  readonly bytesOfRounds: number[] = []
  readonly #shared: SharedPointers
  readonly #worker: number
  readonly #barrier: Barrier
  readonly #trace: Trace
  #round = 0

  constructor(shared: SharedPointers, worker: number, barrier: Barrier, trace = new Trace(false)) {
    this.#barrier = barrier
    this.#shared = shared
    this.#worker = worker
    this.#trace = trace
  }

  get waitMs(): number {
    return this.#barrier.waitMs
  }

  /** Every worker's clock starts when the last one is ready. */
  start(): Promise<void> {
    return this.#trace.span('wait', 'for all workers', () => this.#barrier.arrive())
  }

  /**
   * Called by every worker once a round, after its pointing phase.
   * @param give copies the pointers of all own vertices
   * @param take is given those of the vertices from `first` on, valid until it settles
   * @returns what all workers said
   */
  async publish(
    own: RoundReport,
    give: (into: Uint32Array) => Promise<unknown>,
    take: (first: number, pointers: Uint32Array) => Promise<void>,
  ): Promise<RoundReport> {
    const { control, workers, bounds, outboxes } = this.#shared
    const parity = (this.#round++ & 1) as 0 | 1
    const startMs = performance.now()
    const waitedMs = this.waitMs
    const rangeOf = (worker: number): Uint32Array => outboxes[parity].subarray(bounds[worker], bounds[worker + 1])
    const report = (worker: number): number => REPORTS + REPORT_WORDS * (2 * worker + parity)
    await this.#trace.span('exchange', 'give pointers', () => give(rangeOf(this.#worker)))
    control.set([own.open, own.arcs], report(this.#worker))
    const given = rangeOf(this.#worker).byteLength
    this.bytes += given
    this.bytesOfRounds.push(given)
    await this.start()
    let [open, arcs] = [0, 0]
    for (let worker = 0; worker < workers; worker++) {
      open += control[report(worker)]! >>> 0
      arcs += control[report(worker) + 1]! >>> 0
      const theirs = rangeOf(worker)
      if (worker === this.#worker || theirs.length === 0) continue
      await this.#trace.span('exchange', `take pointers of worker ${worker}`, () => take(bounds[worker]!, theirs))
    }
    this.exchangeMs += performance.now() - startMs - (this.waitMs - waitedMs)
    return { open, arcs }
  }
}
