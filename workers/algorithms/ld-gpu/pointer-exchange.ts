import type { Barrier } from '../../exchange/barrier.ts'
import { BARRIER_WORDS } from '../../exchange/barrier.ts'
import { Trace } from '../../trace.ts'
import type { HostBoard } from './from-disk/host-state.ts'
import { boardOf, sharedWords } from './from-disk/host-state.ts'
import type { MatchState } from './match-state.ts'
import type { Residence } from './plan-match.ts'
import type { BitmapPart, PointerChanges } from './pointer-forms.ts'
import { BitmapReader, forms, shortestForm, writeBitmap } from './pointer-forms.ts'

/** What the workers of a matching share: every word is in shared memory. */
export interface SharedPointers {
  readonly workers: number
  readonly vertices: number
  readonly residence: Residence
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: Uint32Array
  /** What each worker gives away in odd and even rounds: at most a word for each own vertex, at its place. */
  readonly outboxes: readonly [Uint32Array, Uint32Array]
  /** The words of the barrier, then for each worker and parity: open vertices, form, words, arcs, whether it keeps its state. */
  readonly control: Int32Array
  /** Rounds of another attempt: the outboxes hold its pointers and cursors until all workers have them. */
  readonly before: Pick<MatchState, 'open' | 'arcs'> | undefined
  /**
   * Where lists are read from disk: what the hosts go on with after the rounds of the devices. Its pointers and stamps lie in the outboxes: in
   * the first round every worker gave away all of its pointers, side by side in the first one, and after others these are put there anew.
   */
  readonly board: HostBoard | undefined
}

const REPORTS = BARRIER_WORDS
const REPORT_WORDS = 5

/**
 * @param start of all vertices
 * @param threads of each worker's host, where lists are read from disk
 */
export function sharePointers(
  vertices: number,
  bounds: readonly number[],
  residence: Residence,
  start?: MatchState,
  threads = 1,
): SharedPointers {
  const workers = bounds.length - 1
  const shared = sharedWords(bounds.length)
  shared.set(bounds)
  const outboxes = [sharedWords(vertices), sharedWords(vertices)] as const
  const isOnDisk = residence !== 'whole'
  const board = isOnDisk ? boardOf(vertices, { workers, threads }, start, ...outboxes) : undefined
  if (!isOnDisk) {
    outboxes[0].set(start?.pointers ?? [])
    outboxes[1].set(start?.cursors ?? [])
  }
  return {
    workers,
    vertices,
    residence,
    bounds: shared,
    outboxes,
    board,
    before: start && { open: start.open, arcs: start.arcs },
    control: new Int32Array(new SharedArrayBuffer(4 * (REPORTS + 2 * REPORT_WORDS * workers))),
  }
}

/** What a worker goes on from, until its first exchange; undefined: it starts anew. The leader counts the arcs of earlier attempts. */
export function startOfWorker(shared: SharedPointers, worker: number): MatchState | undefined {
  const { outboxes, bounds, before } = shared
  if (before === undefined) return undefined
  const all = shared.board?.cursors ?? outboxes[1]
  const cursors = all.subarray(bounds[worker]!, bounds[worker + 1]!)
  const arcs = worker === 0 ? before.arcs : before.arcs.map(() => 0)
  return { pointers: outboxes[0], cursors, stamps: shared.board?.stamps, open: before.open, arcs }
}

/** What a worker says of its own vertices in a round. */
export interface RoundReport {
  /** Open when the round began. */
  readonly open: number
  /** Looked at. */
  readonly arcs: number
  /** Whether all are to keep their state after the round; the leader's word counts. */
  readonly keeps: boolean
}

/** How a worker takes what the others give away. Arrays are valid until the call settles. */
export interface TakePointers {
  /** Pairs (vertex, pointer), a chunk at a time. */
  pairs(pairs: Uint32Array, count: number): Promise<void>
  /** Pointers and a bit for each vertex, a part at a time. */
  bits(part: BitmapPart): Promise<void>
  /** The pointers of all vertices from `first` on. */
  range(first: number, pointers: Uint32Array): Promise<void>
}

/** What all workers said in a round. */
export interface Published {
  /** Vertices that were open when the round began, and arcs that were looked at. */
  readonly open: number
  readonly arcs: number
  readonly keeps: boolean
  /** Whether pointers of some other worker came as a range, so that nobody knows which are new. */
  readonly ranges: boolean
}

/**
 * The exchange after the pointing phase (LD-GPU, SC 2024, Algorithm 2, line 7): each worker gives away the pointers of its own
 * vertices that are new, in the shortest form, and takes those of the others. One exchange a round is enough, as every worker derives the
 * mates from them (line 9 would send those too). Two outboxes in turn: who is slow still reads the last one.
 */
export class PointerExchange {
  readonly #shared: SharedPointers
  readonly #worker: number
  readonly #barrier: Barrier
  readonly #trace: Trace
  readonly #chunk: Uint32Array
  #round = 0
  #bytes = 0
  #exchangeMs = 0
  /** Bytes that this worker gave away in each round. */
  readonly bytesOfRounds: number[] = []

  /** @param chunkPairs pairs that are handed on at a time */
  constructor(shared: SharedPointers, worker: number, barrier: Barrier, chunkPairs: number, trace = new Trace(false)) {
    this.#barrier = barrier
    this.#shared = shared
    this.#worker = worker
    this.#trace = trace
    this.#chunk = new Uint32Array(2 * Math.max(1, chunkPairs))
  }

  get isLeading(): boolean {
    return this.#worker === 0
  }

  get bytes(): number {
    return this.#bytes
  }

  get waitMs(): number {
    return this.#barrier.waitMs
  }

  get exchangeMs(): number {
    return this.#exchangeMs
  }

  /** Every worker's clock starts when the last one is ready. */
  start(): Promise<void> {
    return this.#trace.span('wait', 'for all workers', () => this.#barrier.arrive())
  }

  /** Called by every worker once a round, after its pointing phase. */
  async publish(own: RoundReport, changes: PointerChanges, take: TakePointers): Promise<Published> {
    const { control, workers } = this.#shared
    const parity = this.#round++ & 1
    const startMs = performance.now()
    const waitedMs = this.waitMs
    await this.#trace.span('exchange', 'give pointers', () => this.#give(parity, own, changes))
    await this.start()
    let [open, arcs] = [0, 0]
    let ranges = false
    for (let worker = 0; worker < workers; worker++) {
      const report = this.#report(worker, parity)
      open += control[report]! >>> 0
      arcs += control[report + 3]! >>> 0
      if (worker === this.#worker) continue
      ranges ||= forms[control[report + 1]!] === 'whole' && control[report + 2]! !== 0
      await this.#trace.span('exchange', `take pointers of worker ${worker}`, () => this.#take(worker, parity, take))
    }
    this.#exchangeMs += performance.now() - startMs - (this.waitMs - waitedMs)
    return { open, arcs, keeps: control[this.#report(0, parity) + 4] === 1, ranges }
  }

  /**
   * Called by every worker after the same round: a word of each own vertex, put together for all to see until `take` has settled
   * everywhere. They stand in the outbox of the next round, which nobody reads any more.
   */
  async gather(own: Uint32Array, take: (all: Uint32Array) => Promise<void>): Promise<void> {
    const { bounds, outboxes, vertices } = this.#shared
    const outbox = outboxes[(this.#round & 1) as 0 | 1]
    outbox.set(own, bounds[this.#worker]!)
    await this.start()
    await take(outbox.subarray(0, vertices))
    await this.start()
  }

  /**
   * Pointers that this worker gave to the others by writing them where all see them, beside what it published.
   * @param moves how many in each round, from the first on
   */
  noteMoves(moves: readonly number[]): void {
    for (const [round, count] of moves.entries()) {
      this.#bytes += 4 * count
      this.bytesOfRounds[round] = 4 * count + (this.bytesOfRounds[round] ?? 0)
    }
  }

  #report(worker: number, parity: number): number {
    return REPORTS + REPORT_WORDS * (2 * worker + parity)
  }

  async #give(parity: number, { open, arcs, keeps }: RoundReport, changes: PointerChanges): Promise<void> {
    const { control, bounds, outboxes } = this.#shared
    const first = bounds[this.#worker]!
    const own = bounds[this.#worker + 1]! - first
    const outbox = outboxes[parity]!.subarray(first, first + own)
    const { form, words } = shortestForm(changes, own)
    if (form === 'whole') await changes.whole(outbox)
    else if (form === 'list') outbox.set(changes.pairs!)
    else writeBitmap(outbox, changes.pairs!, first, own)
    control.set([open, forms.indexOf(form), words, arcs, keeps ? 1 : 0], this.#report(this.#worker, parity))
    this.#bytes += 4 * words
    this.bytesOfRounds.push(4 * words)
  }

  async #take(worker: number, parity: number, take: TakePointers): Promise<void> {
    const { control, bounds, outboxes } = this.#shared
    const first = bounds[worker]!
    const own = bounds[worker + 1]! - first
    const report = this.#report(worker, parity)
    const words = control[report + 2]! >>> 0
    const outbox = outboxes[parity]!.subarray(first, first + words)
    const chunk = this.#chunk
    const form = forms[control[report + 1]!]!
    switch (form) {
      case 'whole':
        return words === 0 ? undefined : take.range(first, outbox)
      case 'list':
        for (let at = 0; at < words; at += chunk.length) {
          const pairs = outbox.subarray(at, at + chunk.length)
          await take.pairs(pairs, pairs.length / 2)
        }
        return
      case 'bitmap': {
        const reader = new BitmapReader(outbox, first, own)
        for (let part; (part = reader.read(chunk)) !== undefined;) await take.bits(part)
        return
      }
      default:
        return form satisfies never
    }
  }
}
