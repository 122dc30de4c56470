/**
 * A locally dominant matching (LD-GPU, SC 2024) in one or two passes over the file (docs/matching.md): a scan keeps the best neighbours of every
 * vertex, rounds point and match with these, and a vertex whose candidates are all matched scans its free neighbours again. The matching is that
 * of the serial loop over the edges in their order. Here is the way of a GPU that has the state of all vertices, with those of other ranks that
 * bring it candidates and collected lists of their slices; match-on-hosts.ts has that of processors.
 */

import { NONE, keptWords } from '../../../kernels/matching/match-state.ts'
import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { Matching, markMutual } from '../../graph/matching.ts'
import { type PieceScan, ScanBoard } from '../../streaming/piece-scan.ts'
import { inScan } from '../../streaming/scan-worker.ts'
import { idleReport, reportRound } from '../worker-report.ts'
import { DeviceMatching } from './device-matching.ts'
import { MatchingOnHosts, resumeOnHosts } from './match-on-hosts.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { ComputedMatching } from '../computed-matching.ts'
import { type MatchRequest, type MatchSetup, setupOf, BATCH_PIECES, CANDIDATES } from './match-setup.ts'
import { MatchWorkers } from './match-workers.ts'
import { TracedExchange } from '../../exchange/traced-exchange.ts'
import type { Range } from '../../base/ranges.ts'
import type { GraphSlice } from '../../graph/graph-pieces.ts'

/** Computes a matching, on the first GPU or on processors, as planned. */
export function computeMatching(request: MatchRequest, job: JobContext): Promise<ComputedMatching> {
  const { plan, exchange } = request
  if (plan.workers[0]!.gpu !== 'rounds') return new MatchingOnHosts(request, job).run()
  if (exchange !== undefined && exchange.rank > 0) return matchBesideFirst(request, exchange, job)
  return new MatchingOnDevice(request, job).run()
}

/**
 * LD-GPU (SC 2024, Algorithm 1) on a GPU that has the state of all vertices, and all lists where they fit. Else it streams these, and others scan and
 * collect beside it: they publish what they found in the processors' memory; those of other ranks, by the exchange.
 */
class MatchingOnDevice {
  readonly #request: MatchRequest
  readonly #job: JobContext
  readonly #setup: MatchSetup
  readonly #workers: MatchWorkers
  readonly #board: ScanBoard
  readonly #waiting: Uint32Array
  readonly #trace: Trace
  /** The ranks, of which this is the first; undefined where there are none. */
  readonly #ranks: MatchRanks | undefined
  #passes = 0
  /** The first touch of the pointers in the processors' memory, beside the scans. */
  #touched: Promise<void> = Promise.resolve()

  constructor(request: MatchRequest, job: JobContext) {
    const { exchange } = request
    const { setup, slices } = setupOfFirst(request)
    this.#request = request
    this.#job = job
    this.#setup = setup
    this.#workers = new MatchWorkers(request, setup, job, 'front')
    this.#board = new ScanBoard(setup.board)
    this.#waiting = new Uint32Array(new SharedArrayBuffer(setup.memory.matched.byteLength))
    this.#trace = new Trace(request.traced)
    this.#ranks = exchange && new MatchRanks(exchange, slices, setup, this.#waiting, this.#trace)
  }

  async run(): Promise<ComputedMatching> {
    const startMs = performance.now()
    const { lead: device } = this.#request
    this.#touched = this.#workers.touchPointers()
    this.#touched.catch(() => {})
    const trace = this.#trace
    const work = (scan: PieceScan) => this.#onDevice(scan)
    const { isOver, openedMs, open, arcs, ...figures } = await inScan(this.#setup, this.#job.signal, work, {
      device,
      trace,
    })
    const workers = this.#workers.reports([], { ...idleReport(device.facts), ...figures })
    const { pointers } = this.#setup.memory
    const found = { workers, prepareMs: openedMs - startMs }
    const passes = this.#passes
    if (isOver) {
      const computeMs = performance.now() - openedMs
      return { ...found, matching: new Matching(pointers), passes, open, arcs, computeMs }
    }
    // Long chains of vertices, one by one.
    const rest = await resumeOnHosts(this.#request, { pointers, open, arcs }, this.#job)
    return { ...rest, ...found, passes: passes + rest.passes, computeMs: performance.now() - openedMs }
  }

  /** The passes and the rounds of the device; the pointers are in the processors' memory afterwards. */
  async #onDevice(scan: PieceScan) {
    const { graph, start, plan } = this.#request
    const { pointers, matched } = this.#setup.memory
    const opening = this.#open(scan)
    let match: DeviceMatching | undefined
    // Thrown when it is awaited.
    opening.then((opened) => (match = opened)).catch(() => {})
    try {
      if (start !== undefined) markMutual(start.pointers, matched)
      const isOver = await this.#match(opening)
      match = await opening
      await this.#ranks?.next({ kind: isOver ? 'over' : 'resume' })
      await this.#bringPointers(match)
      if (graph.arcs === 0) pointers.fill(NONE)
      if (plan.keepsLists) await match.lists.verify()
      const { open, arcs } = match.rounds
      return { isOver, openedMs: match.openedMs, open, arcs }
    } finally {
      await opening.catch(() => {})
      match?.release()
    }
  }

  async #open(scan: PieceScan): Promise<DeviceMatching> {
    const { lead: device, plan, start } = this.#request
    const { batchPieces = BATCH_PIECES, packedWords = 0 } = plan.workers[0]!
    const lists = { batchPieces, packedWords, side: 'back', keepsLists: plan.keepsLists } as const
    const layout = { ...lists, room: Math.floor(plan.roomBytes / 4) }
    const match = new DeviceMatching(device, this.#setup, layout, scan)
    await match.open()
    if (start !== undefined) await match.rounds.restore(start.pointers, start.open, start.arcs)
    return match
  }

  /** A scan, and rounds; then, of streamed lists, those of vertices that wait, and rounds. @returns false where the host should resume */
  async #match(opening: Promise<DeviceMatching>): Promise<boolean> {
    const { graph, plan, start } = this.#request
    let isFree = start === undefined
    for (let before = Infinity; ;) {
      this.#passes++
      await this.#scan(opening, isFree) //                                  Algorithm 3: candidates
      isFree = false
      const match = await opening
      const afterRounds = (): Promise<void> => this.#keep(match)
      if (plan.keepsLists) return graph.arcs === 0 || match.match(true, true, afterRounds)
      const collection = this.#beginCollection()
      let lacking = 0
      try {
        if (!(await match.match(false, false, afterRounds))) return false //       Algorithm 1, lines 3-10, while they change much
        const { undecided, waiting, words } = await match.mark(this.#waiting)
        if (undecided >= before) throw idleRound(graph.path, match.rounds.open.length + 1)
        before = undecided
        if (waiting > 0) lacking = await this.#collect(match, collection, Uint32Array.of(waiting, words))
        if (!(await match.match(waiting > 0, lacking === 0, afterRounds))) return false
      } finally {
        // Settles once no other GPU takes part.
        this.#board.setReady()
        await Promise.allSettled(collection.others)
      }
      if (lacking === 0) return true
      await match.mark(this.#waiting)
    }
  }

  /** Every vertex that is free keeps its candidates; other GPUs begin while the first one opens. */
  async #scan(opening: Promise<DeviceMatching>, allFree: boolean): Promise<void> {
    await this.#ranks?.next({ kind: 'scan', allFree })
    const others = this.#workers.begin({ allFree, collect: undefined })
    const here = opening.then((match) => match.scan(allFree, this.#workers.reportScan))
    await this.#board.all<unknown>([here, ...others])
    if (this.#request.plan.keepsLists) return
    const match = await opening
    await match.lists.verify()
    const found = await Promise.all(others)
    const deferred = [...(await here), ...found.flatMap((each) => each.deferred)]
    await this.#workers.keep(deferred, allFree)
    const ranges = deferred.map((v) => ({ first: v, end: v + 1 }))
    await match.takeCandidates([...found.flatMap(({ scanned }) => scanned), ...ranges])
    await this.#ranks?.bringCandidates(match)
  }

  /** Other GPUs make room for the lists of waiting vertices while the first one does rounds. */
  #beginCollection(): Collection {
    const needs = new Uint32Array(new SharedArrayBuffer(8))
    const others = this.#workers.begin({ allFree: false, collect: { waiting: this.#waiting, needs } })
    // Thrown when they are awaited.
    for (const other of others) other.catch(() => {})
    return { needs, others }
  }

  /** @returns waiting vertices whose lists found no room */
  async #collect(match: DeviceMatching, { needs, others }: Collection, found: Uint32Array): Promise<number> {
    this.#passes++
    await this.#ranks?.next({ kind: 'collect', count: found[0]!, words: found[1]! })
    needs.set(found)
    this.#board.setReady()
    await this.#board.all<unknown>([match.collect(this.#waiting, needs[1]!, this.#workers.reportScan), ...others])
    await match.lists.verify()
    let lacking = 0
    for (const collected of (await Promise.all(others)).flatMap((other) => other.collected)) {
      await match.adopt(collected)
      lacking += collected.lacking
    }
    lacking += (await this.#ranks?.bringLists(match, [])) ?? 0
    return lacking + (await match.lacking())
  }

  async #bringPointers({ rounds }: DeviceMatching): Promise<void> {
    await this.#touched
    await rounds.pointers(this.#setup.memory.pointers)
  }

  async #keep(match: DeviceMatching): Promise<void> {
    const { graph, checkpointer } = this.#request
    const { open, arcs } = match.rounds
    if (open.length > 0) reportRound(this.#job, 'match', graph.vertices, open.at(-1)!, open.length)
    if (checkpointer?.isDue() !== true) return
    await this.#bringPointers(match)
    checkpointer.keep({ pointers: this.#setup.memory.pointers, open, arcs })
  }
}

/** The last vertices are those of the first rank: where hubs come first, half of the arcs are those of a tenth of the vertices. */
const setupOfFirst = (request: MatchRequest) => setupOf(request, 4 * keptWords(CANDIDATES), true)

/** A pass that other GPUs are ready for; they wait to know what it needs. */
interface Collection {
  readonly needs: Uint32Array
  readonly others: ReturnType<MatchWorkers['begin']>
}

/** A rank whose GPUs scan and collect for the first, which does the rounds. @returns what it did */
async function matchBesideFirst(request: MatchRequest, exchange: Exchange, job: JobContext): Promise<ComputedMatching> {
  const startMs = performance.now()
  const { lead, plan } = request
  const { setup, slices } = setupOfFirst(request)
  const others = plan.workers.map((worker) => ({ ...worker, gpu: 'scan' as const }))
  const workers = new MatchWorkers({ ...request, plan: { ...plan, workers: others } }, setup, job, 'front')
  const waiting = new Uint32Array(new SharedArrayBuffer(setup.memory.matched.byteLength))
  const trace = new Trace(request.traced)
  const ranks = new MatchRanks(exchange, slices, setup, waiting, trace)
  lead.prepare([matchCollect(setup.readsWeights)]).catch(() => {})
  const prepareMs = performance.now() - startMs
  let [passes, task] = [0, await ranks.next()]
  for (; task.kind !== 'over' && task.kind !== 'resume'; passes++, task = await ranks.next()) {
    if (task.kind === 'scan') {
      const { allFree } = task
      const found = await workers.onDevices({ allFree, collect: undefined })
      const deferred = found.flatMap((each) => each.deferred)
      await workers.keep(deferred, allFree)
      await ranks.bringCandidates(undefined)
    } else {
      const needs = new Uint32Array(new SharedArrayBuffer(8))
      needs.set([task.count, task.words])
      const found = await workers.onDevices({ allFree: false, collect: { waiting, needs } })
      const lists = found.flatMap(({ collected }) => collected)
      await ranks.bringLists(undefined, lists)
    }
  }
  const rest = task.kind === 'resume' ? await resumeOnHosts(request, undefined, job) : undefined
  const computeMs = performance.now() - startMs - prepareMs
  const matching = new Matching(new Uint32Array(0))
  return { matching, workers: workers.reports(trace.spans), passes, open: [], arcs: [], ...rest, prepareMs, computeMs }
}

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

/** What it takes over. */
type Lead = Pick<DeviceMatching, 'fillCandidates' | 'makeRoom' | 'fillLists' | 'enterLists'>

interface RankSetup extends Pick<MatchSetup, 'candidates'> {
  readonly memory: Pick<MatchSetup['memory'], 'kept' | 'matched'>
}

/** What ranks send each other where the first one's GPU does the rounds for all. */
export class MatchRanks {
  readonly #exchange: TracedExchange
  readonly #slices: readonly GraphSlice[]
  readonly #setup: RankSetup
  readonly #waiting: Uint32Array

  /** @param waiting a bit for each vertex that waits */
  constructor(exchange: Exchange, slices: readonly GraphSlice[], setup: RankSetup, waiting: Uint32Array, trace: Trace) {
    this.#exchange = new TracedExchange(exchange, trace)
    this.#slices = slices
    this.#setup = setup
    this.#waiting = waiting
  }

  /** Publishes a task, on the first rank; takes the next one elsewhere. */
  async next(task?: RankTask): Promise<RankTask> {
    const next = await this.#exchange.published(task)
    const isFirst = this.#exchange.rank === 0
    for (const bits of this.#bitsFor(next)) {
      const words = await this.#exchange.broadcast(isFirst ? bits.slice() : undefined)
      if (isFirst) continue
      bits.set(words)
      this.#exchange.release([words])
    }
    return next
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
  async bringLists(
    lead: Lead | undefined,
    own: Awaited<ReturnType<MatchWorkers['onDevices']>>[number]['collected'],
  ): Promise<number> {
    const figures = own.flatMap(({ words, entries, lacking }) => [words.length, entries.length, lacking])
    const found = await this.#exchange.gather(Uint32Array.from(figures))
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
      const received = await this.#exchange.toFirst(sent)
      this.#exchange.release([sent])
      for (const [rank, words] of received.entries()) if (words.length > 0) await take(rank, words, at)
      this.#exchange.release(received)
    }
  }
}
