import { shareWords } from '../../device/shared-space.ts'
import { type Barrier, BARRIER_WORDS } from '../../threads/barrier.ts'
import type { Trace } from '../../base/trace.ts'
import { type SearchGrid, bitWords } from './search-grid.ts'

/** What the workers of a search share: every word is in shared memory. */
export interface SharedSearch {
  /** The words of the barrier, then ROOT. */
  readonly control: Int32Array
  /** Vertices for each sender and owner, of the fold, then of the expand. */
  readonly counts: Uint32Array
  /** Of each worker: vertices and arcs of its part of the frontier, and whether it wants to keep the levels. */
  readonly totals: Float64Array
  /** A segment for each block: what its owner found. */
  readonly expanded: Uint32Array
  /** Likewise for each worker: what it found for the owners. */
  readonly folded: readonly Uint32Array[]
  /** Of all vertices: the levels, once a search is over. */
  readonly levels: Uint32Array
  /** Likewise, where they are asked for. */
  readonly parents: Uint32Array | undefined
  /** Where both are. */
  readonly memories: Readonly<Record<'levels' | 'parents', WebAssembly.Memory | undefined>>
  /** Segments are lists whatever their length. */
  readonly listsOnly: boolean
}

/** Word of `control`: the root of the next search, NONE after the last. */
export const ROOT = BARRIER_WORDS

export interface SearchMessages {
  readonly listsOnly: boolean
  readonly parents: boolean
}

const wordsOf = (grid: SearchGrid, listsOnly: boolean): number => (listsOnly ? grid.vertices : bitWords(grid.vertices))

/** Bytes of shared memory. */
export function sharedSearchBytes(grid: SearchGrid, { listsOnly, parents }: SearchMessages): number {
  const { vertices, workers } = grid
  const boxes = workers === 1 ? 0 : 1 + workers
  return 4 * (vertices * (parents ? 2 : 1) + boxes * wordsOf(grid, listsOnly))
}

export function shareSearch(grid: SearchGrid, { listsOnly, parents }: SearchMessages): SharedSearch {
  const { workers, vertices } = grid
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  const words = workers === 1 ? 0 : wordsOf(grid, listsOnly)
  const levels = shareWords(vertices)
  const parent = parents ? shareWords(vertices) : undefined
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * (BARRIER_WORDS + 1))),
    counts: shared(2 * workers ** 2),
    totals: new Float64Array(new SharedArrayBuffer(8 * TOTALS * workers)),
    expanded: shared(words),
    folded: Array.from({ length: workers }, () => shared(words)),
    levels: levels.array,
    parents: parent?.array,
    memories: { levels: levels.memory, parents: parent?.memory },
    listsOnly,
  }
}

/** The vertices of one block that one worker sends: a list, or a bitmap where that is shorter. */
export interface Segment {
  readonly count: number
  readonly isList: boolean
  readonly words: Uint32Array
}

/** Totals of a level over all workers. */
export interface FrontierTotals {
  readonly found: number
  readonly arcs: number
  /** Whether the levels so far are kept in a checkpoint. */
  readonly keeps: boolean
}

const TOTALS = 3

type Phase = 'fold' | 'expand'

/**
 * The exchange of a level (EPJ B 2015, section 3.3): `fold` sends what was found to its owners, `expand` what an owner found to those that
 * scan from it. A block of N / (R C) vertices goes as a list while that has at most N / (32 R C) ids, else as a bitmap.
 */
export class SearchExchange {
  /** Taken from other workers, as lists and as bitmaps; and segments that were not empty. */
  listBytes = 0
  bitmapBytes = 0
  transfers = 0
  exchangeMs = 0
  readonly grid: SearchGrid
  readonly worker: number
  readonly shared: SharedSearch
  readonly #barrier: Barrier
  readonly #trace: Trace

  constructor(grid: SearchGrid, shared: SharedSearch, worker: number, barrier: Barrier, trace: Trace) {
    this.grid = grid
    this.shared = shared
    this.worker = worker
    this.#barrier = barrier
    this.#trace = trace
  }

  get waitMs(): number {
    return this.#barrier.waitMs
  }

  arrive(what: string): Promise<void> {
    return this.#trace.span('wait', what, () => this.#barrier.arrive())
  }

  /** Whether so many vertices of a block go as a list. */
  isList(block: number, count: number): boolean {
    const { first, end } = this.grid.blockOf(block)
    return this.shared.listsOnly || count <= bitWords(end - first)
  }

  /** Whether so many vertices for all of these blocks may each go as a list: else a bitmap is the shorter way to the host. */
  mayBeLists(blocks: readonly number[], count: number): boolean {
    const words = blocks.reduce((sum, block) => sum + bitWords(this.#size(block)), 0)
    return this.shared.listsOnly || count <= words
  }

  /** The bits of a block, to be written where it goes as a bitmap. */
  bitsTo(phase: Phase, block: number): Uint32Array {
    const { box, at } = this.#place(phase, this.worker, block)
    return box.subarray(at, at + bitWords(this.#size(block)))
  }

  /** Says that a block went as a bitmap; one with few bits becomes a list. */
  sendBits(phase: Phase, block: number): void {
    const bits = this.bitsTo(phase, block)
    let count = 0
    for (let i = 0; i < bits.length; i++) count += ones(bits[i]!)
    if (count <= bits.length) {
      const ids = new Uint32Array(count)
      let slot = 0
      const { first } = this.grid.blockOf(block)
      for (let i = 0; i < bits.length; i++)
        for (let word = bits[i]!; word !== 0; word &= word - 1)
          ids[slot++] = first + 32 * i + 31 - Math.clz32(word & -word)
      bits.set(ids)
    }
    this.#count(phase, block, count)
  }

  /** @param ids of vertices of that block, in any order */
  sendIds(phase: Phase, block: number, ids: Uint32Array): void {
    const { box, at } = this.#place(phase, this.worker, block)
    if (this.isList(block, ids.length)) box.set(ids, at)
    else {
      const { first } = this.grid.blockOf(block)
      const bits = this.bitsTo(phase, block).fill(0)
      for (const v of ids) bits[(v - first) >>> 5]! |= 1 << (v & 31)
    }
    this.#count(phase, block, ids.length)
  }

  /** What a worker sent of a block; valid until the next barrier but one. */
  take(phase: Phase, from: number, block: number): Segment {
    const { box, at, index } = this.#place(phase, from, block)
    const count = this.shared.counts[index]!
    const isList = this.isList(block, count)
    const words = box.subarray(at, at + (isList ? count : bitWords(this.#size(block))))
    if (count === 0) return { count, isList: true, words: box.subarray(at, at) }
    this.transfers++
    if (isList) this.listBytes += words.byteLength
    else this.bitmapBytes += words.byteLength
    return { count, isList, words }
  }

  /** All-reduce. */
  async sum(own: FrontierTotals): Promise<FrontierTotals> {
    const { totals } = this.shared
    totals.set([own.found, own.arcs, own.keeps ? 1 : 0], TOTALS * this.worker)
    await this.arrive('for the totals of the level')
    const sum = [0, 0, 0]
    totals.forEach((value, i) => (sum[i % TOTALS]! += value))
    return { found: sum[0]!, arcs: sum[1]!, keeps: sum[2]! > 0 }
  }

  #size(block: number): number {
    const { first, end } = this.grid.blockOf(block)
    return end - first
  }

  #count(phase: Phase, block: number, count: number): void {
    this.shared.counts[this.#place(phase, this.worker, block).index] = count
  }

  #place(phase: Phase, from: number, block: number) {
    const { folded, expanded, listsOnly } = this.shared
    const { workers, bounds } = this.grid
    const at = listsOnly ? bounds[block]! : bitWords(bounds[block]!)
    const index = (phase === 'fold' ? 0 : workers ** 2) + from * workers + block
    return { box: phase === 'fold' ? folded[from]! : expanded, at, index }
  }
}

function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
