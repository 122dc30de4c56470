/**
 * LD-GPU (SC 2024, Algorithm 1) on processors: they scan, with GPUs beside them, then point and match in rounds over shared memory, and turn to
 * chains (chains.ts) when a round changes little. Among ranks each points and matches within its slice until nothing changes there, then
 * publishes that (match-ranks.ts). Checkpoints hold the pointers after a round. match-workers.ts runs the phases on all threads.
 */

import { counted } from '../../../kernels/matching/match-point.ts'
import { NONE } from '../../../kernels/matching/match-state.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { Matching, eachFree, markMutual } from '../../graph/matching.ts'
import type { ComputedMatching, MatchState } from '../computed-matching.ts'
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
} from './match-setup.ts'
import { MatchSlices, slicesOfHosts } from './match-ranks.ts'
import { MatchWorkers } from './match-workers.ts'
import { CHUNK, planOnHost } from './plan-match.ts'

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
    const { setup, slices } = setupOf(request, slicesOfHosts)
    this.#request = request
    this.#job = job
    this.#setup = setup
    this.#workers = new MatchWorkers(request, setup, job)
    this.#slices = exchange && new MatchSlices(exchange, slices, setup, traced)
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
  start: MatchState | undefined,
  job: JobContext,
): Promise<ComputedMatching> {
  const { graph, order, exchange } = request
  const { vertices, arcs } = graph
  const plan = planOnHost({ vertices, arcs, readsWeights: order.weights === 'column' }, exchange?.ranks ?? 1)
  return new MatchingOnHosts({ ...request, start, plan }, job).run()
}
