import { NONE } from '../../../kernels/matching/match-state.ts'
import { counted } from '../../../kernels/matching/match-point.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { sliceOf } from '../../graph/graph-slice.ts'
import { Matching } from '../../graph/matching.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { reportRound } from '../worker-report.ts'
import { type FindList, type VisitVertices, Chains } from './chains.ts'
import { type FreeLists, freeListOf, shareFreeLists } from './free-lists.ts'
import { MatchHosts } from './match-hosts.ts'
import {
  type MatchSetup,
  CHUNK,
  degreesOf,
  orderParams,
  originsFrom,
  readsWeights,
  markMutual,
  setupOf,
  shareMatchMemory,
} from './match-setup.ts'
import type { ComputedMatching, MatchRequest, MatchState } from './match-request.ts'
import { MatchScans } from './match-scans.ts'
import { type WaitingVertices, eachWaiting, shareWaiting } from './waiting-vertices.ts'

/** So few active vertices are followed one by one. */
const FEW = 1 << 13
/** Before lists are read again: fewer active vertices need fewer. */
const FEW_BEFORE_LISTS = 64
/** A round that leaves more active vertices changes too little for a pass over all. */
const SLOW = 31 / 32
/** Rounds of chains between two checks of the signal. */
const ROUNDS_A_LOOK = 256

/** LD-GPU (SC 2024, Algorithm 1) on processors; GPUs scan lists beside them. */
export class MatchingOnHosts {
  readonly #request: MatchRequest
  readonly #job: JobContext
  readonly #setup: MatchSetup
  readonly #hosts: MatchHosts
  readonly #pieces: GraphPieces
  readonly #open: number[]
  readonly #arcs: number[]
  readonly #scans: MatchScans
  #passes = 0
  /** Vertices that may yet find a mate, and their free neighbours, where lists are streamed. */
  readonly #waiting: WaitingVertices
  #free: FreeLists | undefined

  constructor(request: MatchRequest, job: JobContext) {
    const { graph, plan, start } = request
    const { file } = graph
    const order = orderParams(request.order, file)
    this.#request = request
    this.#job = job
    this.#pieces = new GraphPieces(file, graph.checked.file, plan.unitsAPiece)
    const memory = shareMatchMemory(file, order, plan.candidates, plan.keepsLists, true)
    this.#setup = setupOf(request, sliceOf(this.#pieces, undefined), memory)
    this.#waiting = shareWaiting(plan.keepsLists ? 0 : file.vertices)
    this.#hosts = new MatchHosts(this.#setup, plan.threads, job)
    this.#scans = new MatchScans(request, this.#setup, this.#hosts, job)
    this.#open = [...(start?.open ?? [])]
    this.#arcs = [...(start?.arcs ?? [])]
  }

  async run(): Promise<ComputedMatching> {
    const startMs = performance.now()
    const { memory } = this.#setup
    const { start } = this.#request
    await this.#hosts.run({ kind: 'load' })
    if (start !== undefined) this.#restore(start)
    const prepareMs = performance.now() - startMs
    if (this.#pieces.units > 0) await this.#rounds()
    // The lists may go, but these stay.
    const mates = new Uint32Array(new SharedArrayBuffer(memory.pointers.byteLength))
    await this.#hosts.run({ kind: 'settle', mates })
    const matching = new Matching(mates)
    const computeMs = performance.now() - startMs - prepareMs
    const rounds = { passes: this.#passes, open: this.#open, arcs: this.#arcs }
    return { matching, workers: this.#scans.reports(), ...rounds, prepareMs, computeMs }
  }

  /** A scan of the lists, then rounds with what it kept; where streamed lists found no room, again with their free neighbours. */
  async #rounds(): Promise<void> {
    const { memory } = this.#setup
    const { start } = this.#request
    let isFree = start === undefined
    for (let before = Infinity; ;) {
      this.#passes++
      await this.#scans.run(isFree) //                      Algorithm 3: the best neighbours of every vertex
      isFree = false
      const hasLists = memory.lists !== undefined
      let last = await this.#roundsOfAll(hasLists ? FEW : FEW_BEFORE_LISTS) // lines 3-10, while rounds change much
      if (!hasLists) {
        const waiting = await this.#hosts.mark(this.#waiting)
        if (waiting > 0) await this.#collect(waiting)
        if (waiting > 0) last = await this.#roundsOfAll(FEW)
      }
      const left = this.#chains((visit) => (hasLists ? this.#eachOpen(last, visit) : eachWaiting(this.#waiting, visit)))
      if (left === 0) return
      // The heaviest edge that is left matches once both its ends were scanned.
      this.#free = undefined
      const waiting = await this.#hosts.mark(this.#waiting)
      if (waiting >= before) throw idleRound(this.#setup.graph.path, this.#open.length + 1)
      before = waiting
      eachWaiting(this.#waiting, (v) => (memory.pointers[v] = NONE))
    }
  }

  /** Rounds over all active vertices, while they change much. @returns the last list of these */
  async #roundsOfAll(few: number): Promise<0 | 1> {
    let from: 0 | 1 | undefined
    for (let before = Infinity; ;) {
      const isFirst = this.#open.length === 0 || (from === undefined && this.#passes > 1)
      const to = from === 0 ? 1 : 0
      const counts = isFirst ? counted.pointing : counted.pointed
      const found = await this.#hosts.point({ from, counts, lists: this.#free }) // lines 3-6
      if (found.open > 0) this.#note(found.open, found.arcs)
      await this.#hosts.run({ kind: 'pair', of: to }) //                         lines 7-10
      from = to
      this.#keep()
      const isSlow = found.open > SLOW * before
      if (found.open <= few || isSlow) return to
      // The first round counts no vertex that it scanned.
      before = isFirst ? Infinity : found.open
    }
  }

  /** The other rounds. @param from visits all active vertices. @returns vertices whose lists have to be read again */
  #chains(from: VisitVertices): number {
    const { graph, memory } = this.#setup
    const degrees = this.#request.order.ties === 'degree' ? degreesOf(memory.ends) : new Uint32Array(0)
    const chains = new Chains(this.#setup, this.#request.order, degrees, this.#finder(), from)
    for (let round = 0; chains.open > 0 || !chains.isIdle; round++) {
      const open = chains.open
      const matched = chains.round()
      if (open > 0) this.#note(open, chains.arcs)
      if (matched === 0 && chains.isIdle && chains.open > 0) {
        if (chains.left > 0) break
        throw idleRound(graph.path, this.#open.length)
      }
      if (round % ROUNDS_A_LOOK === 0) {
        throwIfCancelled(this.#job.signal)
        this.#keep()
      }
    }
    return chains.left
  }

  #eachOpen(of: 0 | 1, visit: (v: number) => void): void {
    const { open, openOfChunks } = this.#setup.memory
    for (const [chunk, count] of openOfChunks[of].entries())
      for (let i = CHUNK * chunk; i < CHUNK * chunk + count; i++) visit(open[of][i]!)
  }

  /** Reads the free neighbours of waiting vertices, as far as there is room. */
  async #collect(waiting: number): Promise<void> {
    this.#passes++
    const { roomBytes } = this.#request.plan
    this.#free = shareFreeLists(this.#waiting, waiting, roomBytes, readsWeights(this.#setup.order))
    await this.#hosts.run({ kind: 'collect', lists: this.#free })
  }

  #finder(): FindList {
    const { graph, memory, order } = this.#setup
    const { ends, lists } = memory
    const free = this.#free
    if (lists === undefined) return (v) => free && freeListOf(free, v)
    const { origin, weightsAt } = originsFrom(graph, this.#pieces.lists.first)
    const weights = readsWeights(order) ? lists : new Uint32Array(0)
    return (v) => {
      const begin = v === 0 ? 0 : ends[v - 1]!
      const count = (ends[v]! - begin) >>> 0
      const [start, weightsStart] = [(begin - origin) >>> 0, (begin - weightsAt) >>> 0]
      return { targets: lists, weights, start, weightsStart, count }
    }
  }

  #note(open: number, arcs: number): void {
    this.#open.push(open)
    this.#arcs.push(arcs)
    reportRound(this.#job, 'match', this.#setup.graph.vertices, open, this.#open.length)
  }

  #keep(): void {
    const { checkpointer } = this.#request
    if (checkpointer?.isDue() !== true) return
    checkpointer.keep({ pointers: this.#setup.memory.pointers.slice(), open: this.#open, arcs: this.#arcs })
  }

  #restore({ pointers }: MatchState): void {
    const { memory, graph } = this.#setup
    memory.pointers.set(pointers.subarray(0, graph.vertices))
    markMutual(pointers, memory.matched)
  }
}
