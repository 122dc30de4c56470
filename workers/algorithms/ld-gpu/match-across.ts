import { counted } from '../../../kernels/matching/match-point.ts'
import { NONE } from '../../../kernels/matching/match-state.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import { type Exchange, type Operation, broadcast, joined, waitFor } from '../../exchange/exchange.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { type GraphSlice, slicesOf } from '../../graph/graph-slice.ts'
import { Matching } from '../../graph/matching.ts'
import { reportRound } from '../worker-report.ts'
import { type FindList, type VisitVertices, Chains } from './chains.ts'
import { type FreeLists, freeListOf, shareFreeLists } from './free-lists.ts'
import { MatchHosts } from './match-hosts.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { MatchScans } from './match-scans.ts'
import {
  type MatchSetup,
  degreesOf,
  markMutual,
  orderParams,
  readsWeights,
  setupOf,
  shareMatchMemory,
} from './match-setup.ts'
import { type WaitingVertices, eachWaiting, shareWaiting } from './waiting-vertices.ts'

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

/** So few active vertices are followed one by one; those that point across a cut stay active. */
const FEW = 1 << 13
const SLOW = 7 / 8

/** Rounds of chains between two checks of the signal. */
const ROUNDS_A_LOOK = 256

/**
 * LD-GPU (SC 2024, Algorithm 1) with the vertices shared out among ranks: each points and matches within its slice until nothing changes, then new
 * pointers across a cut go to the owner of their target, and new pairs to all. Matched bits are replicated, all else is a rank's own.
 */
export class MatchingAcross {
  readonly #request: MatchRequest
  readonly #exchange: Exchange
  readonly #job: JobContext
  readonly #slices: readonly GraphSlice[]
  readonly #setup: MatchSetup
  readonly #hosts: MatchHosts
  readonly #waiting: WaitingVertices
  readonly #open: number[]
  readonly #arcs: number[]
  readonly #trace: Trace
  readonly #scans: MatchScans
  #passes = 0
  /** Whether others know all pairs, but for those of chains. */
  #isPublished = true

  constructor(request: MatchRequest, exchange: Exchange, job: JobContext) {
    const { graph, plan, start } = request
    const { file } = graph
    const order = orderParams(request.order, file)
    const pieces = new GraphPieces(file, graph.checked.file, plan.unitsAPiece)
    this.#request = request
    this.#exchange = exchange
    this.#job = job
    const listBytes = (4 * file.arcs) / Math.max(1, file.vertices)
    this.#slices = slicesOf(pieces, exchange.ranks, HELD_BYTES + LISTS * listBytes)
    const memory = shareMatchMemory(file, order, plan.candidates, false)
    this.#setup = setupOf(request, this.#slices[exchange.rank]!, memory)
    this.#hosts = new MatchHosts(this.#setup, plan.threads, job)
    this.#scans = new MatchScans(request, this.#setup, this.#hosts, job)
    this.#waiting = shareWaiting(file.vertices)
    this.#open = [...(start?.open ?? [])]
    this.#arcs = [...(start?.arcs ?? [])]
    this.#trace = new Trace(request.traced)
  }

  /** @returns on rank 0 the matching; elsewhere only that of its slice */
  async run(): Promise<ComputedMatching> {
    const startMs = performance.now()
    await this.#hosts.run({ kind: 'load' })
    const isFree = await this.#restore()
    const prepareMs = performance.now() - startMs
    await this.#rounds(isFree)
    const mates = await this.#gatherMates()
    const computeMs = performance.now() - startMs - prepareMs
    const [lead, ...others] = this.#scans.reports()
    const workers = [{ ...lead!, spans: [...lead!.spans, ...this.#trace.spans] }, ...others]
    const matching = new Matching(mates)
    const rounds = { passes: this.#passes, open: this.#open, arcs: this.#arcs }
    return { matching, workers, ...rounds, prepareMs, computeMs }
  }

  /** Pairs of a checkpoint, which rank 0 has. @returns whether no vertex has a mate yet */
  async #restore(): Promise<boolean> {
    const kept = await broadcast(this.#exchange, this.#request.start?.pointers)
    if (kept.length === 0) return true
    const { memory, own } = this.#setup
    const { first, end } = own.vertices
    memory.pointers.set(kept.subarray(first, end), first)
    markMutual(kept, memory.matched)
    return false
  }

  async #rounds(allFree: boolean): Promise<void> {
    const { memory, order, own, graph } = this.#setup
    let isFree = allFree
    for (let before = Infinity; ;) {
      this.#passes++
      await this.#scans.run(isFree) //                        Algorithm 3: the best neighbours of every vertex
      isFree = false
      await this.#roundsOfAll(undefined)
      const everyOwn: VisitVertices = (visit) => {
        for (let v = own.vertices.first; v < own.vertices.end; v++) visit(v)
      }
      if ((await this.#chains(everyOwn, () => undefined, 0)) === 0) return
      const waiting = await this.#hosts.mark(this.#waiting)
      const free = shareFreeLists(this.#waiting, waiting, this.#request.plan.roomBytes, readsWeights(order))
      this.#passes++
      if (waiting > 0) await this.#hosts.run({ kind: 'collect', lists: free })
      const arcs = await this.#roundsOfAll(free)
      const eachOfThem: VisitVertices = (visit) => eachWaiting(this.#waiting, visit)
      if ((await this.#chains(eachOfThem, (v) => freeListOf(free, v), arcs)) === 0) return
      // The heaviest edge that is left matches once both its ends were scanned.
      const left = await this.#sum(await this.#hosts.mark(this.#waiting))
      if (left >= before) throw idleRound(graph.path, this.#open.length + 1)
      before = left
      eachWaiting(this.#waiting, (v) => (memory.pointers[v] = NONE))
    }
  }

  /** Rounds of all processors within the slice, while they change much. @returns arcs that were scanned again */
  async #roundsOfAll(lists: FreeLists | undefined): Promise<number> {
    let arcs = 0
    let from: 0 | 1 | undefined
    for (let before = Infinity; ;) {
      const to = from === 0 ? 1 : 0
      const counts = from === undefined ? counted.pointing : counted.pointed
      const found = await this.#hosts.point({ from, counts, lists }) // lines 3-6
      this.#forgetOfOthers()
      await this.#hosts.run({ kind: 'pair', of: to }) //                lines 7-10
      this.#isPublished = false
      arcs += found.arcs
      const isSlow = found.open > SLOW * before
      if (found.open <= FEW || isSlow) return arcs
      // The first round counts vertices after it.
      before = from === undefined ? Infinity : found.open
      from = to
    }
  }

  /** Pointers of other ranks are not known here, and read as 0: nothing points back at vertex 0. */
  #forgetOfOthers(): void {
    const { memory, own } = this.#setup
    if (own.vertices.first > 0 || own.vertices.end === 0) return
    const other = memory.pointers[0]!
    if (other !== NONE && other >= own.vertices.end) memory.pointers[other] = NONE
  }

  /**
   * Rounds until no rank changes anything.
   * @param scanned arcs so far
   * @returns vertices of all ranks whose lists have to be read again
   */
  async #chains(from: VisitVertices, findList: FindList, scanned: number): Promise<number> {
    const { order } = this.#request
    const degrees = order.ties === 'degree' ? degreesOf(this.#setup.memory.ends) : new Uint32Array(0)
    const chains = new Chains(this.#setup, order, degrees, findList, from)
    for (let arcs = scanned; ; arcs = 0) {
      for (let round = 0; !chains.isIdle; round++) {
        chains.round()
        arcs += chains.arcs
        if (round % ROUNDS_A_LOOK === 0) throwIfCancelled(this.#job.signal)
      }
      const all = await this.#meet(chains, arcs)
      if (all[OPEN]! > 0) {
        this.#open.push(all[OPEN]!)
        this.#arcs.push(all[ARCS]!)
        reportRound(this.#job, 'match', this.#setup.graph.vertices, all[OPEN]!, this.#open.length)
      }
      if (all[KEEPS]! > 0) await this.#keep()
      if (all[CHANGES] === 0) return all[LEFT]!
    }
  }

  /** New pointers to the owners of their targets, new pairs to all. @returns the figures of all ranks together */
  async #meet(chains: Chains, arcs: number): Promise<readonly number[]> {
    const crossing = chains.crossing()
    const sent = this.#byOwner(crossing)
    const pairs = await this.#result(this.#exchange.distribute(sent))
    for (const part of pairs) for (let i = 0; i < part.length; i += 2) chains.meet(part[i]!, part[i + 1]!)
    this.#exchange.release([...sent, ...pairs])
    const news = this.#news(chains, crossing.length, arcs)
    const published = await this.#result(this.#exchange.gather(news))
    const sums = Array.from({ length: FIGURES }, () => 0)
    for (const [rank, words] of published.entries()) {
      for (let i = 0; i < FIGURES; i++) sums[i]! += words[i]!
      if (rank !== this.#exchange.rank) this.#learn(chains, this.#slices[rank]!, words)
    }
    this.#exchange.release([news, ...published])
    return sums
  }

  #news(chains: Chains, crossing: number, arcs: number): Uint32Array {
    const { own, others } = chains.news()
    const { first, end } = this.#setup.own.vertices
    const bits = this.#setup.memory.matched.subarray(first >>> 5, Math.ceil(end / 32))
    const isList = this.#isPublished && own.length <= bits.length
    const unpublished = this.#isPublished ? 0 : 1
    this.#isPublished = true
    const count = isList ? own.length : bits.length
    const words = new Uint32Array(FIGURES + others.length + count)
    const keeps = this.#request.checkpointer?.isDue() === true ? 1 : 0
    const figures = [crossing + own.length + others.length + unpublished, chains.open, arcs, chains.left, keeps]
    words.set([...figures, isList ? 1 : 0, others.length])
    words.set(others, FIGURES)
    words.set(isList ? own : bits, FIGURES + others.length)
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

  /** The mates of all vertices on rank 0. */
  async #gatherMates(): Promise<Uint32Array> {
    const { memory, own } = this.#setup
    const none = new Uint32Array(0)
    const { first, end } = own.vertices
    const mates = memory.pointers.slice(first, end)
    for (let v = first; v < end; v++) if (((memory.matched[v >>> 5]! >>> (v & 31)) & 1) === 0) mates[v - first] = NONE
    const parts = this.#slices.map((_, to) => (to === 0 ? mates : none))
    const received = await this.#result(this.#exchange.distribute(parts))
    return joined(received)
  }

  async #keep(): Promise<void> {
    const pointers = await this.#gatherMates()
    if (this.#exchange.rank === 0) this.#request.checkpointer?.keep({ pointers, open: this.#open, arcs: this.#arcs })
  }

  async #sum(count: number): Promise<number> {
    const all = await this.#result(this.#exchange.gather(Uint32Array.of(count)))
    return all.reduce((sum, [each]) => sum + each!, 0)
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
