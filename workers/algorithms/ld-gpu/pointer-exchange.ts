import type { Barrier } from '../../exchange/barrier.ts'
import { BARRIER_WORDS } from '../../exchange/barrier.ts'
import { Trace } from '../../trace.ts'

/** What the workers of a matching share: every word is in shared memory. */
export interface SharedPointers {
  readonly workers: number
  readonly vertices: number
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: Uint32Array
  /** What each worker gives away in odd and even rounds: at most a word for each own vertex, at its place. */
  readonly outboxes: readonly [Uint32Array, Uint32Array]
  /** The words of the barrier, then for each worker and parity: open vertices, form, words. */
  readonly control: Int32Array
}

/** How the pointers of a round are written down: pairs, a bit for each own vertex and the values, or all of the range. */
const forms = ['list', 'bitmap', 'whole'] as const
export type PointerForm = (typeof forms)[number]

const REPORTS = BARRIER_WORDS
const REPORT_WORDS = 3

export function sharePointers(vertices: number, bounds: readonly number[]): SharedPointers {
  const workers = bounds.length - 1
  const words = (count: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, count)))
  const shared = words(bounds.length)
  shared.set(bounds)
  return {
    workers,
    vertices,
    bounds: shared,
    outboxes: [words(vertices), words(vertices)],
    control: new Int32Array(new SharedArrayBuffer(4 * (REPORTS + 2 * REPORT_WORDS * workers))),
  }
}

/** What changed in a worker's own range in one round. */
export interface PointerChanges {
  readonly count: number
  /** Pairs (vertex, pointer), each vertex once; undefined: too many to list, ask for `whole`. */
  readonly pairs: Uint32Array | undefined
  /** The pointers of all own vertices. */
  whole(): Promise<Uint32Array>
}

/** Takes pairs (vertex, pointer), a chunk at a time. */
export type TakePairs = (pairs: Uint32Array, count: number) => Promise<void>

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

  /**
   * Called by every worker once a round, after its pointing phase.
   * @param open vertices of its own that were open when the round began
   * @returns those of all workers
   */
  async publish(open: number, changes: PointerChanges, take: TakePairs): Promise<number> {
    const { control, workers } = this.#shared
    const parity = this.#round++ & 1
    const startMs = performance.now()
    const waitedMs = this.waitMs
    await this.#trace.span('exchange', 'give pointers', () => this.#give(parity, open, changes))
    await this.start()
    let total = 0
    for (let worker = 0; worker < workers; worker++) {
      const report = this.#report(worker, parity)
      total += control[report]! >>> 0
      if (worker !== this.#worker)
        await this.#trace.span('exchange', `take pointers of worker ${worker}`, () => this.#take(worker, parity, take))
    }
    this.#exchangeMs += performance.now() - startMs - (this.waitMs - waitedMs)
    return total
  }

  #report(worker: number, parity: number): number {
    return REPORTS + REPORT_WORDS * (2 * worker + parity)
  }

  async #give(parity: number, open: number, changes: PointerChanges): Promise<void> {
    const { control, bounds, outboxes } = this.#shared
    const first = bounds[this.#worker]!
    const own = bounds[this.#worker + 1]! - first
    const outbox = outboxes[parity]!.subarray(first, first + own)
    const { form, words } = shortestForm(changes, own)
    if (form === 'whole') outbox.set(await changes.whole())
    else if (form === 'list') outbox.set(changes.pairs!)
    else writeBitmap(outbox, changes.pairs!, first, own)
    const report = this.#report(this.#worker, parity)
    control[report] = open
    control[report + 1] = forms.indexOf(form)
    control[report + 2] = words
    this.#bytes += 4 * words
    this.bytesOfRounds.push(4 * words)
  }

  async #take(worker: number, parity: number, take: TakePairs): Promise<void> {
    const { control, bounds, outboxes } = this.#shared
    const first = bounds[worker]!
    const own = bounds[worker + 1]! - first
    const report = this.#report(worker, parity)
    const words = control[report + 2]! >>> 0
    const outbox = outboxes[parity]!.subarray(first, first + words)
    const chunk = this.#chunk
    let filled = 0
    for (const [vertex, pointer] of pairsOf(forms[control[report + 1]!]!, outbox, first, own)) {
      chunk[filled++] = vertex
      chunk[filled++] = pointer
      if (filled < chunk.length) continue
      await take(chunk, filled / 2)
      filled = 0
    }
    if (filled > 0) await take(chunk, filled / 2)
  }
}

function shortestForm({ count, pairs }: PointerChanges, own: number): { form: PointerForm; words: number } {
  const list = 2 * count
  const bitmap = Math.ceil(own / 32) + count
  if (pairs === undefined || Math.min(list, bitmap) > own) return { form: 'whole', words: own }
  return list <= bitmap ? { form: 'list', words: list } : { form: 'bitmap', words: bitmap }
}

/** A bit for each own vertex that changed, then the pointers of these in ascending order of the vertices. */
function writeBitmap(outbox: Uint32Array, pairs: Uint32Array, first: number, own: number): void {
  const bitmap = outbox.subarray(0, Math.ceil(own / 32)).fill(0)
  for (let at = 0; at < pairs.length; at += 2) bitmap[(pairs[at]! - first) >>> 5]! |= 1 << ((pairs[at]! - first) & 31)
  const before = new Uint32Array(bitmap.length)
  for (let word = 1; word < bitmap.length; word++) before[word] = before[word - 1]! + countBits(bitmap[word - 1]!)
  for (let at = 0; at < pairs.length; at += 2) {
    const own = pairs[at]! - first
    const lower = bitmap[own >>> 5]! & ((1 << (own & 31)) - 1)
    outbox[bitmap.length + before[own >>> 5]! + countBits(lower)] = pairs[at + 1]!
  }
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function* pairsOf(
  form: PointerForm,
  outbox: Uint32Array,
  first: number,
  own: number,
): Generator<readonly [number, number]> {
  switch (form) {
    case 'list':
      for (let at = 0; at < outbox.length; at += 2) yield [outbox[at]!, outbox[at + 1]!]
      return
    case 'whole':
      for (let i = 0; i < own; i++) yield [first + i, outbox[i]!]
      return
    case 'bitmap': {
      let at = Math.ceil(own / 32)
      for (let word = 0; 32 * word < own; word++)
        for (let bits = outbox[word]!; bits !== 0; bits &= bits - 1)
          yield [first + 32 * word + 31 - Math.clz32(bits & -bits), outbox[at++]!]
      return
    }
    default:
      return form satisfies never
  }
}
