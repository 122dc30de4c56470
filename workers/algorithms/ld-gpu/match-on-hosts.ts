/**
 * LD-GPU (SC 2024, Algorithm 1) on processors: they scan, with GPUs beside them, then point and match in rounds over shared memory, and turn to
 * chains (chains.ts) when a round changes little. Among ranks each owns a slice of the vertices, points and matches within it until nothing
 * changes there, then publishes that: new pointers across a cut go to the owner of their target, new pairs to all; matched bits are replicated,
 * all else is a rank's own. Checkpoints hold the pointers after a round. match-workers.ts runs the phases on all threads.
 */

import { counted } from '../../../kernels/matching/match-point.ts'
import { NONE } from '../../../kernels/matching/match-state.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { Trace, type TraceSpan } from '../../base/trace.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { Matching, eachFree, markMutual } from '../../graph/matching.ts'
import type { ComputedMatching } from '../computed-matching.ts'
import { reportRound } from '../worker-report.ts'
import { Chains } from './chains.ts'
import {
  type FreeLists,
  listFinder,
  shareFreeLists,
  type MatchRequest,
  type MatchSetup,
  degreesFromEnds,
  setupOf,
  CHUNK,
} from './match-setup.ts'
import { MatchWorkers } from './match-workers.ts'
import { planOnHost } from './plan-match.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { TracedExchange } from '../../exchange/traced-exchange.ts'
import type { GraphSlice } from '../../graph/graph-pieces.ts'

/** The most active vertices that are followed one by one. */
const FEW = 1 << 13
/** The same before lists are read again: fewer active vertices need fewer. */
const FEW_BEFORE_LISTS = 64
/** A round that leaves more active vertices changes too little for a pass over all; among ranks those that point across a cut stay active. */
const SLOW = { alone: 31 / 32, amongRanks: 7 / 8 }
/** Vertices visited in rounds of chains between two checks of the signal, and for how many a round counts itself. */
const VISITS_A_LOOK = 1 << 16
const VISITS_OF_ROUND = 1 << 8

/** A matching on the processors of this rank. */
export class MatchingOnHosts {
  readonly #request: MatchRequest
  readonly #job: JobContext
  readonly #setup: MatchSetup
  readonly #workers: MatchWorkers
  readonly #slices: MatchSlices | undefined
  readonly #open: number[]
  readonly #arcs: number[]
  #passes = 0
  /** Free neighbours of vertices that may yet find a mate, where lists are streamed. */
  #free: FreeLists | undefined
  /** Arcs scanned since ranks last met. */
  #scanned = 0

  constructor(request: MatchRequest, job: JobContext) {
    const { start, exchange, traced } = request
    const { setup, slices } = setupOf(request, heldBytes(request.graph))
    this.#request = request
    this.#job = job
    this.#setup = setup
    this.#workers = new MatchWorkers(request, setup, job)
    this.#slices = exchange && new MatchSlices(exchange, slices, setup, new Trace(traced))
    this.#open = [...(start?.open ?? [])]
    this.#arcs = [...(start?.arcs ?? [])]
  }

  /** @returns among ranks the whole matching on rank 0; elsewhere that of its slice */
  async run(): Promise<ComputedMatching> {
    const startMs = performance.now()
    await this.#workers.run({ kind: 'load' })
    const isFree = await this.#restore()
    const prepareMs = performance.now() - startMs
    if (this.#setup.graph.arcs > 0) await this.#rounds(isFree)
    // GPUs report what their scans were.
    else if (this.#request.plan.workers.some(({ gpu }) => gpu === 'scan')) await this.#workers.scan(isFree)
    const matching = new Matching(await this.#mates())
    const computeMs = performance.now() - startMs - prepareMs
    const rounds = { passes: this.#passes, open: this.#open, arcs: this.#arcs }
    return { matching, workers: this.#workers.reports(this.#slices?.spans), ...rounds, prepareMs, computeMs }
  }

  /** Pairs of a checkpoint; among ranks the first one has it. @returns whether no vertex has a mate yet */
  async #restore(): Promise<boolean> {
    const { start } = this.#request
    const pointers = this.#slices === undefined ? start?.pointers : await this.#slices.broadcast(start?.pointers)
    if (pointers === undefined) return true
    const { memory, own } = this.#setup
    const { first, end } = own.vertices
    memory.pointers.set(pointers.subarray(first, end), first)
    markMutual(pointers, memory.matched)
    return false
  }

  /** The lists may go, but these stay. */
  async #mates(): Promise<Uint32Array> {
    const mates = new Uint32Array(new SharedArrayBuffer(this.#setup.memory.pointers.byteLength))
    await this.#workers.run({ kind: 'settle', mates })
    return this.#slices?.gatherMates(mates) ?? mates
  }

  /** A scan of the lists, then rounds with what it kept; where streamed lists found no room, again with their free neighbours. */
  async #rounds(allFree: boolean): Promise<void> {
    const { memory, graph, own } = this.#setup
    const isStreamed = memory.lists === undefined
    for (let [isFree, before] = [allFree, Infinity]; ; isFree = false) {
      this.#passes++
      await this.#workers.scan(isFree) //                                                    Algorithm 3: the best neighbours of every vertex
      const few = isStreamed && this.#slices === undefined ? FEW_BEFORE_LISTS : FEW
      await this.#roundsOfAll(few) //                                                     lines 3-10, while rounds change much
      if (this.#slices !== undefined && (await this.#chains()) === 0) return
      if (isStreamed && (await this.#undecided()) > 0) {
        this.#passes++
        this.#free = shareFreeLists(this.#request.plan.roomBytes)
        await this.#workers.run({ kind: 'collect', lists: this.#free })
        await this.#roundsOfAll(FEW)
      }
      if ((await this.#chains()) === 0) return
      // The heaviest edge that is left matches once both its ends were scanned.
      this.#free = undefined
      const undecided = await this.#undecided()
      const left = this.#slices === undefined ? undecided : await this.#slices.sum(undecided)
      if (left >= before) throw idleRound(graph.path, this.#open.length + 1)
      before = left
      eachFree(memory.matched, own.vertices, (v) => (memory.pointers[v] = NONE))
    }
  }

  /** Own vertices that may yet find a mate; none has a collected list then. */
  async #undecided(): Promise<number> {
    return (await this.#workers.run({ kind: 'undecided' })).open
  }

  /** Rounds over all active vertices, while they change much. */
  async #roundsOfAll(few: number): Promise<void> {
    const slow = this.#slices === undefined ? SLOW.alone : SLOW.amongRanks
    for (let [ofAll, before] = [true, Infinity]; ; ofAll = false) {
      const isFresh = ofAll && (this.#open.length === 0 || this.#passes > 1)
      const which = isFresh ? counted.pointing : counted.pointed
      const found = await this.#workers.run({ kind: 'point', ofAll, counted: which, free: this.#free }) // lines 3-6
      if (this.#slices === undefined) this.#note(found.open, found.arcs)
      this.#slices?.beginRound()
      this.#scanned += found.arcs
      await this.#workers.run({ kind: 'pair' }) //                                            lines 7-10
      if (this.#slices === undefined) this.#keep()
      if (found.open <= few || found.open > slow * before) return
      // A fresh round counts no vertex that it scanned.
      before = isFresh ? Infinity : found.open
    }
  }

  /** The other rounds. @returns vertices, of all ranks, whose lists have to be read again */
  async #chains(): Promise<number> {
    const { memory } = this.#setup
    const { order } = this.#request
    const degrees = order.ties === 'degree' ? degreesFromEnds(memory.ends) : new Uint32Array(0)
    const findList = listFinder(this.#setup, this.#free)
    const chains = new Chains(this.#setup, order, degrees, findList, (visit) => this.#eachActive(visit))
    return this.#slices === undefined ? this.#chainsAlone(chains) : this.#chainsAcross(chains, this.#slices)
  }

  #chainsAlone(chains: Chains): number {
    for (let visits = VISITS_A_LOOK; chains.open > 0 || chains.moving > 0;) {
      const { open, moving } = chains
      const matched = chains.round()
      this.#note(open, chains.arcs)
      if (matched === 0 && chains.moving === 0 && chains.open > 0) {
        if (chains.left > 0) break
        throw idleRound(this.#setup.graph.path, this.#open.length)
      }
      visits += VISITS_OF_ROUND + moving
      if (visits < VISITS_A_LOOK) continue
      visits = 0
      throwIfCancelled(this.#job.signal)
      this.#keep()
    }
    return chains.left
  }

  /** Follows chains until no rank changes anything. */
  async #chainsAcross(chains: Chains, slices: MatchSlices): Promise<number> {
    for (;;) {
      for (let visits = VISITS_A_LOOK; chains.moving > 0;) {
        visits += VISITS_OF_ROUND + chains.moving
        if (visits >= VISITS_A_LOOK) throwIfCancelled(this.#job.signal)
        visits %= VISITS_A_LOOK
        chains.round()
        this.#scanned += chains.arcs
      }
      const isDue = this.#request.checkpointer?.isDue() === true
      const { open, arcs, changes, left, keeps } = await slices.meet(chains, this.#scanned, isDue)
      this.#scanned = 0
      this.#note(open, arcs)
      if (keeps > 0) {
        const pointers = await this.#mates()
        if (this.#request.exchange?.rank === 0) this.#keepPointers(pointers)
      }
      if (changes === 0) return left
    }
  }

  /** All active vertices, or more. */
  #eachActive(visit: (v: number) => void): void {
    const { matched, open, openOfChunks, lists } = this.#setup.memory
    if (lists === undefined) return eachFree(matched, this.#setup.own.vertices, visit)
    for (const [chunk, count] of openOfChunks.entries())
      for (let i = CHUNK * chunk; i < CHUNK * chunk + count; i++) visit(open[i]!)
  }

  #note(open: number, arcs: number): void {
    if (open === 0) return
    this.#open.push(open)
    this.#arcs.push(arcs)
    reportRound(this.#job, 'match', this.#setup.graph.vertices, open, this.#open.length)
  }

  #keep(): void {
    if (this.#request.checkpointer?.isDue() === true) this.#keepPointers(this.#setup.memory.pointers.slice())
  }

  #keepPointers(pointers: Uint32Array): void {
    this.#request.checkpointer?.keep({ pointers, open: this.#open, arcs: this.#arcs })
  }
}

/** Long chains of vertices, one by one, on the processors of all ranks. @param start what a GPU began; on the first rank */
export function resumeOnHosts(
  request: MatchRequest,
  start: MatchRequest['start'],
  job: JobContext,
): Promise<ComputedMatching> {
  const { graph, order, exchange } = request
  const { vertices, arcs } = graph
  const plan = planOnHost({ vertices, arcs, readsWeights: order.weights === 'column' }, exchange?.ranks ?? 1)
  return new MatchingOnHosts({ ...request, start, plan }, job).run()
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

const heldBytes = ({ vertices, arcs }: MatchRequest['graph']): number =>
  HELD_BYTES + LISTS * ((4 * arcs) / Math.max(1, vertices))

/** What ranks of processors send each other, the vertices shared out among them. */
class MatchSlices {
  readonly #exchange: TracedExchange
  readonly #slices: readonly GraphSlice[]
  readonly #setup: MatchSetup
  /** Whether others know all pairs, but for those of chains. */
  #isPublished = true

  constructor(exchange: Exchange, slices: readonly GraphSlice[], setup: MatchSetup, trace: Trace) {
    this.#exchange = new TracedExchange(exchange, trace)
    this.#slices = slices
    this.#setup = setup
  }

  get spans(): readonly TraceSpan[] {
    return this.#exchange.spans
  }

  /** Words of the first rank; undefined where it has none. */
  async broadcast(words: Uint32Array | undefined): Promise<Uint32Array | undefined> {
    const kept = await this.#exchange.broadcast(words)
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

  /**
   * New pointers to the owners of their targets, new pairs to all.
   * @returns sums over all ranks: changes since they last met, active vertices, arcs scanned, vertices without a list, ranks whose checkpoint is due
   */
  async meet(chains: Chains, arcs: number, isDue: boolean) {
    const crossing = chains.crossing()
    const sent = this.#byOwner(crossing)
    const pairs = await this.#exchange.distribute(sent)
    for (const part of pairs) for (let i = 0; i < part.length; i += 2) chains.meet(part[i]!, part[i + 1]!)
    this.#exchange.release([...sent, ...pairs])
    const news = this.#news(chains, crossing.length, arcs, isDue)
    const published = await this.#exchange.gather(news)
    for (const [rank, words] of published.entries())
      if (rank !== this.#exchange.rank) this.#learn(chains, this.#slices[rank]!, words)
    const sum = (figure: number): number => published.reduce((all, words) => all + words[figure]!, 0)
    const meeting = { changes: sum(CHANGES), open: sum(OPEN), arcs: sum(ARCS), left: sum(LEFT), keeps: sum(KEEPS) }
    this.#exchange.release([news, ...published])
    return meeting
  }

  /** The mates of all vertices on rank 0. */
  gatherMates(mates: Uint32Array): Promise<Uint32Array> {
    const { first, end } = this.#setup.own.vertices
    return this.#exchange.joined(mates.slice(first, end))
  }

  sum(count: number): Promise<number> {
    return this.#exchange.sum(count)
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
}
