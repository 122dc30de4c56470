import { NONE } from '../../../kernels/matching/match-state.ts'
import { type TraceSpan, Trace } from '../../base/trace.ts'
import { type Exchange, type Operation, broadcast, joined, waitFor } from '../../exchange/exchange.ts'
import { type GraphPieces, type GraphSlice, slicesOf } from '../../graph/graph-pieces.ts'
import type { Chains } from './chains.ts'
import type { MatchSetup } from './match-setup.ts'

/** What a rank publishes after each exchange of pointers; matched vertices of other ranks follow, then its own. */
const CHANGES = 0
const OPEN = 1
const ARCS = 2
const LEFT = 3
const KEEPS = 4
const IS_LIST = 5
const OTHERS = 6
const FIGURES = 7

/** Of a vertex: candidates and pointers, chains, waiting lists. */
const HELD_BYTES = 72
/** Times the mean list: no rank has more than 4/3 of the mean of vertices, whatever their degrees; these take memory, and longer than their lists. */
const LISTS = 3

export function slicesOfHosts(pieces: GraphPieces, ranks: number): GraphSlice[] {
  const { arcs, vertices } = pieces.graph
  return slicesOf(pieces, ranks, HELD_BYTES + LISTS * ((4 * arcs) / Math.max(1, vertices)))
}

/** Of all ranks together: changes since they last met, active vertices, arcs scanned, vertices without a list, ranks whose checkpoint is due. */
interface Meeting {
  readonly changes: number
  readonly open: number
  readonly arcs: number
  readonly left: number
  readonly keeps: number
}

/**
 * What ranks of processors send each other, the vertices shared out among them: new pointers across a cut go to the owner of their target, new pairs
 * to all. Matched bits are replicated, all else is a rank's own.
 */
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
    const none = new Uint32Array(0)
    const parts = this.#slices.map((_, to) => (to === 0 ? mates.slice(first, end) : none))
    return joined(await this.#result(this.#exchange.distribute(parts)))
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

  /** For each rank: pairs of a vertex and its pointer to that rank. All of them are in one array. */
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
