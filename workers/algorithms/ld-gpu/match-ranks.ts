/**
 * What the ranks of a matching send each other. If the first rank's GPU does the rounds for all, the others bring it candidates and collected
 * lists of their slices (MatchRanks). Else each rank of processors owns a slice of the vertices (MatchSlices): new pointers across a cut go to
 * the owner of their target, new pairs to all; matched bits are replicated, all else is a rank's own. Bytes are those of what changed. exchange/
 * carries them.
 */

import { keptWords, NONE } from '../../../kernels/matching/match-state.ts'
import { Trace, type TraceSpan } from '../../base/trace.ts'
import {
  type Exchange,
  broadcast,
  textOfWords,
  waitFor,
  wordsOfText,
  type Operation,
  joinedParts,
} from '../../exchange/exchange.ts'
import type { Range } from '../../base/ranges.ts'
import { type GraphPieces, type GraphSlice, slicesOf } from '../../graph/graph-pieces.ts'
import type { DeviceMatching } from './device-matching.ts'
import { type MatchSetup } from './match-setup.ts'
import { CANDIDATES } from './plan-match.ts'
import type { CollectedOnDevice } from './scan-on-device.ts'
import type { Chains } from './chains.ts'

/** What all ranks do next: a pass over their slices, or nothing, or they resume on processors. */
type RankTask =
  | { readonly kind: 'scan'; readonly allFree: boolean }
  | { readonly kind: 'collect'; readonly count: number; readonly words: number }
  | { readonly kind: 'over' }
  | { readonly kind: 'resume' }

const none = new Uint32Array(0)
/** Figures of lists that a GPU collected: words, words of entries, vertices that found no room. */
const LIST_FIGURES = 3
/** Words from each rank at a time; even, as entries of lists are pairs. */
const STEP_WORDS = 1 << 22

/** The last vertices are those of the first rank: where hubs come first, half of the arcs are those of a tenth of the vertices. */
export const slicesOfRanks = (pieces: GraphPieces, ranks: number): GraphSlice[] =>
  slicesOf(pieces, ranks, 4 * keptWords(CANDIDATES)).reverse()

/** What it takes over. */
type Lead = Pick<DeviceMatching, 'fillCandidates' | 'makeRoom' | 'fillLists' | 'enterLists'>

interface RankSetup extends Pick<MatchSetup, 'candidates'> {
  readonly memory: Pick<MatchSetup['memory'], 'kept' | 'matched'>
}

/** What ranks send each other where the first one's GPU does the rounds for all. */
export class MatchRanks {
  readonly #exchange: Exchange
  readonly #slices: readonly GraphSlice[]
  readonly #setup: RankSetup
  readonly #waiting: Uint32Array
  readonly #trace: Trace

  /** @param waiting a bit for each vertex that waits */
  constructor(exchange: Exchange, slices: readonly GraphSlice[], setup: RankSetup, waiting: Uint32Array, trace: Trace) {
    this.#exchange = exchange
    this.#slices = slices
    this.#setup = setup
    this.#waiting = waiting
    this.#trace = trace
  }

  /** Publishes a task, on the first rank. */
  async publish(task: RankTask): Promise<void> {
    await broadcast(this.#exchange, wordsOfText(JSON.stringify(task)))
    for (const bits of this.#bitsFor(task)) await broadcast(this.#exchange, bits.slice())
  }

  /** Takes the next task, on all other ranks. */
  async next(): Promise<RankTask> {
    const next = () => waitFor(this.#exchange, this.#exchange.gather(none), this.#trace)
    const [text] = await next()
    const task = JSON.parse(textOfWords(text!)) as RankTask
    for (const bits of this.#bitsFor(task)) {
      const all = await next()
      bits.set(all[0]!)
      this.#exchange.release(all)
    }
    return task
  }

  #bitsFor(task: RankTask): Uint32Array[] {
    const { matched } = this.#setup.memory
    if (task.kind === 'collect') return [matched, this.#waiting]
    return task.kind === 'scan' && !task.allFree ? [matched] : []
  }

  /** Candidates of the others. @param lead on the first rank */
  async bringCandidates(lead: Lead | undefined): Promise<void> {
    const { memory, candidates } = this.#setup
    const each = keptWords(candidates)
    const ranges = this.#slices.map(({ vertices: { first, end } }) => ({ first: each * first, end: each * end }))
    const lengths = ranges.map(({ first, end }, rank) => (rank === 0 ? 0 : end - first))
    const { first } = ranges[this.#exchange.rank]!
    const own = memory.kept.subarray(first, first + lengths[this.#exchange.rank]!)
    await this.#inSteps(own, lengths, (rank, words, at) => lead?.fillCandidates(words, ranges[rank]!.first + at))
  }

  /** Lists of the others. @returns on the first rank: how many found no room */
  async bringLists(lead: Lead | undefined, own: readonly CollectedOnDevice[]): Promise<number> {
    const figures = own.flatMap(({ words, entries, lacking }) => [words.length, entries.length, lacking])
    const found = await waitFor(this.#exchange, this.#exchange.gather(Uint32Array.from(figures)), this.#trace)
    const lists = found.map((each) =>
      Array.from({ length: each.length / LIST_FIGURES }, (_, i) => each.subarray(LIST_FIGURES * i)),
    )
    const rooms = (await lead?.makeRoom(lists.flat().map(([words]) => words!))) ?? []
    const firstOf = lists.map((_, rank) => lists.slice(0, rank).flat().length)
    for (let nth = 0; nth < Math.max(...lists.map(({ length }) => length)); nth++) {
      const { words, entries } = own[nth] ?? { words: none, entries: none }
      const lengths = (figure: number): number[] => lists.map((each) => each[nth]?.[figure] ?? 0)
      const room = (rank: number): Range => rooms[firstOf[rank]! + nth]!
      await this.#inSteps(words, lengths(0), (rank, part, at) => lead?.fillLists(room(rank), part, at))
      await this.#inSteps(entries, lengths(1), (rank, part) => lead?.enterLists(room(rank), part))
    }
    return lists.flat().reduce((sum, [, , lacking]) => sum + lacking!, 0)
  }

  /** Words go to the first rank, as many at a time as MPI, whose memory is not shared, is to hold. @param lengths of what each rank sends */
  async #inSteps(
    own: Uint32Array,
    lengths: readonly number[],
    take: (rank: number, words: Uint32Array, at: number) => Promise<void> | undefined,
  ): Promise<void> {
    for (let at = 0; at < Math.max(...lengths); at += STEP_WORDS) {
      const part = own.subarray(at, at + STEP_WORDS)
      const sent = this.#exchange.words(part.length)
      sent.set(part)
      const parts = lengths.map((_, to) => (to === 0 ? sent : none))
      const received = await waitFor(this.#exchange, this.#exchange.distribute(parts), this.#trace)
      this.#exchange.release([sent])
      for (const [rank, words] of received.entries()) if (words.length > 0) await take(rank, words, at)
      this.#exchange.release(received)
    }
  }
}

/** What a rank publishes after each exchange of pointers; matched vertices of other ranks follow, then its own. */
const CHANGES = 0
const OPEN = 1
const ARCS = 2
const LEFT = 3
const KEEPS = 4
const IS_LIST = 5
const OTHERS = 6
const FIGURES = 7

/** Bytes that a rank holds for a vertex: candidates and pointers, chains, waiting lists. */
const HELD_BYTES = 72
/** Times the mean list: no rank has more than 4/3 of the mean of vertices, whatever their degrees; these take memory, and longer than their lists. */
const LISTS = 3

export function slicesOfHosts(pieces: GraphPieces, ranks: number): GraphSlice[] {
  const { arcs, vertices } = pieces.graph
  return slicesOf(pieces, ranks, HELD_BYTES + LISTS * ((4 * arcs) / Math.max(1, vertices)))
}

/** Sums over all ranks: changes since they last met, active vertices, arcs scanned, vertices without a list, ranks whose checkpoint is due. */
interface Meeting {
  readonly changes: number
  readonly open: number
  readonly arcs: number
  readonly left: number
  readonly keeps: number
}

/** What ranks of processors send each other, the vertices shared out among them. */
export class MatchSlices {
  readonly #exchange: Exchange
  readonly #slices: readonly GraphSlice[]
  readonly #setup: MatchSetup
  readonly #trace: Trace
  /** Whether others know all pairs, but for those of chains. */
  #isPublished = true

  constructor(exchange: Exchange, slices: readonly GraphSlice[], setup: MatchSetup, traced: boolean) {
    this.#exchange = exchange
    this.#slices = slices
    this.#setup = setup
    this.#trace = new Trace(traced)
  }

  get spans(): readonly TraceSpan[] {
    return this.#trace.spans
  }

  /** Words of the first rank; undefined where it has none. */
  async broadcast(words: Uint32Array | undefined): Promise<Uint32Array | undefined> {
    const kept = await broadcast(this.#exchange, words)
    return kept.length === 0 ? undefined : kept
  }

  /** A round of all own vertices. Pointers of other ranks are not known here, and read as 0: nothing points back at vertex 0. */
  beginRound(): void {
    this.#isPublished = false
    const { memory, own } = this.#setup
    if (own.vertices.first > 0 || own.vertices.end === 0) return
    const other = memory.pointers[0]!
    if (other !== NONE && other >= own.vertices.end) memory.pointers[other] = NONE
  }

  /** New pointers to the owners of their targets, new pairs to all. */
  async meet(chains: Chains, arcs: number, isDue: boolean): Promise<Meeting> {
    const crossing = chains.crossing()
    const sent = this.#byOwner(crossing)
    const pairs = await this.#result(this.#exchange.distribute(sent))
    for (const part of pairs) for (let i = 0; i < part.length; i += 2) chains.meet(part[i]!, part[i + 1]!)
    this.#exchange.release([...sent, ...pairs])
    const news = this.#news(chains, crossing.length, arcs, isDue)
    const published = await this.#result(this.#exchange.gather(news))
    for (const [rank, words] of published.entries())
      if (rank !== this.#exchange.rank) this.#learn(chains, this.#slices[rank]!, words)
    const sum = (figure: number): number => published.reduce((all, words) => all + words[figure]!, 0)
    const meeting = { changes: sum(CHANGES), open: sum(OPEN), arcs: sum(ARCS), left: sum(LEFT), keeps: sum(KEEPS) }
    this.#exchange.release([news, ...published])
    return meeting
  }

  /** The mates of all vertices on rank 0. */
  async gatherMates(mates: Uint32Array): Promise<Uint32Array> {
    const { first, end } = this.#setup.own.vertices
    const parts = this.#slices.map((_, to) => (to === 0 ? mates.slice(first, end) : none))
    return joinedParts(await this.#result(this.#exchange.distribute(parts)))
  }

  async sum(count: number): Promise<number> {
    const all = await this.#result(this.#exchange.gather(Uint32Array.of(count)))
    return all.reduce((sum, [each]) => sum + each!, 0)
  }

  #news(chains: Chains, crossing: number, arcs: number, isDue: boolean): Uint32Array {
    const { own, others } = chains.news()
    const { first, end } = this.#setup.own.vertices
    const bits = this.#setup.memory.matched.subarray(first >>> 5, Math.ceil(end / 32))
    const isList = this.#isPublished && own.length <= bits.length
    const changes = crossing + own.length + others.length + (this.#isPublished ? 0 : 1)
    this.#isPublished = true
    const pairs = isList ? own : bits
    const words = new Uint32Array(FIGURES + others.length + pairs.length)
    words.set([changes, chains.open, arcs, chains.left, isDue ? 1 : 0, isList ? 1 : 0, others.length])
    words.set(others, FIGURES)
    words.set(pairs, FIGURES + others.length)
    return words
  }

  #learn(chains: Chains, { vertices }: GraphSlice, words: Uint32Array): void {
    const others = FIGURES + words[OTHERS]!
    for (let i = FIGURES; i < others; i++) chains.learn(words[i]!)
    if (words[IS_LIST] === 1) for (let i = others; i < words.length; i++) chains.learn(words[i]!)
    else
      for (let i = others; i < words.length; i++)
        for (let left = words[i]!; left !== 0; left &= left - 1)
          chains.learn(vertices.first + 32 * (i - others) + 31 - Math.clz32(left & -left))
  }

  /** Pairs of a vertex and its pointer, for the rank of each target. All of them are in one array. */
  #byOwner(crossing: Uint32Array): Uint32Array[] {
    const { pointers } = this.#setup.memory
    const counts = this.#slices.map(() => 0)
    for (const v of crossing) counts[this.#ownerOf(pointers[v]!)]! += 2
    const all = new Uint32Array(2 * crossing.length)
    let end = 0
    const begins = counts.map((count) => (end += count) - count)
    const parts = begins.map((begin, rank) => all.subarray(begin, begin + counts[rank]!))
    for (const v of crossing) {
      const owner = this.#ownerOf(pointers[v]!)
      all[begins[owner]!++] = v
      all[begins[owner]!++] = pointers[v]!
    }
    return parts
  }

  #ownerOf(v: number): number {
    return this.#slices.findIndex(({ vertices }) => v < vertices.end)
  }

  #result<T>(operation: Operation<T>): Promise<T> {
    return waitFor(this.#exchange, operation, this.#trace)
  }
}
