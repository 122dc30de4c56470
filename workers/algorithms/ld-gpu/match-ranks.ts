import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import { keptWords } from '../../../kernels/matching/match-state.ts'
import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import { type Exchange, broadcast, textOfWords, waitFor, wordsOfText } from '../../exchange/exchange.ts'
import type { Range } from '../../base/ranges.ts'
import { type GraphPieces, type GraphSlice, slicesOf } from '../../graph/graph-pieces.ts'
import { Matching } from '../../graph/matching.ts'
import type { DeviceMatching } from './device-matching.ts'
import { resumeOnHosts } from './match-on-hosts.ts'
import { type ComputedMatching, type MatchRequest, type MatchSetup, readsWeights, setupOf } from './match-setup.ts'
import { MatchWorkers } from './match-workers.ts'
import { CANDIDATES } from './plan-match.ts'
import type { CollectedOnDevice } from './scan-on-device.ts'

/** What all ranks do next: a pass over their slices, or nothing, or they resume on processors. */
type RankTask =
  | { readonly kind: 'scan'; readonly allFree: boolean }
  | { readonly kind: 'collect'; readonly count: number; readonly words: number }
  | { readonly kind: 'over' }
  | { readonly kind: 'resume' }

const none = new Uint32Array(0)
/** Of lists that a GPU collected: words, words of entries, vertices that found no room. */
const FIGURES = 3
/** From each rank at a time; even, as entries of lists are pairs. */
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

  /** On the first rank. */
  async publish(task: RankTask): Promise<void> {
    await broadcast(this.#exchange, wordsOfText(JSON.stringify(task)))
    for (const bits of this.#bitsFor(task)) await broadcast(this.#exchange, bits.slice())
  }

  /** On all others. */
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
      Array.from({ length: each.length / FIGURES }, (_, i) => each.subarray(FIGURES * i)),
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

/** A rank whose GPUs scan and collect for the first, which does the rounds. @returns what it did */
export async function matchBesideFirst(
  request: MatchRequest,
  exchange: Exchange,
  job: JobContext,
): Promise<ComputedMatching> {
  const startMs = performance.now()
  const { lead, plan } = request
  const { setup, slices } = setupOf(request, slicesOfRanks)
  const others = plan.workers.map((worker) => ({ ...worker, gpu: 'scan' as const }))
  const workers = new MatchWorkers({ ...request, plan: { ...plan, workers: others } }, setup, job, 'front')
  const waiting = new Uint32Array(new SharedArrayBuffer(setup.memory.matched.byteLength))
  const trace = new Trace(request.traced)
  const ranks = new MatchRanks(exchange, slices, setup, waiting, trace)
  lead.prepare([matchCollect(readsWeights(setup.order))]).catch(() => {})
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
