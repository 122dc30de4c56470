/**
 * LD-GPU (Mandulak et al., SC 2024) as Algorithms 2 and 3 have it, to measure against: in every round every vertex without a mate looks at all
 * its neighbours, and all pointers are exchanged. The mates need no exchange of their own (line 9): each worker has all pointers. Here are also
 * its plan, which holds lists of equal arcs on each device or batches of them in turn, and its record; ld-gpu/ has the method that is faster,
 * with the same pairs.
 */

import { matchPair } from '../../../../kernels/matching/match-pair.ts'
import { NONE } from '../../../../kernels/matching/match-state.ts'
import { ARCS, OPEN, SCAN_WIDTH, matchScan } from '../../../../kernels/matching/rescan/match-scan.ts'
import { EdgeHash } from '../../../../kernels/parts/edge-hash.ts'
import { ascendingBits } from '../../../../kernels/parts/edge-order.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { bitWords, sharedWords } from '../../../base/words.ts'
import type { RunArgs, RunPlan } from '../../../contract/jobs.ts'
import { type Buffers, allocateBuffers, releaseBuffers, limitsOf } from '../../../device/device.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { keyedOrder } from '../../../graph/scan-lists.ts'
import { type EdgeOrder, edgeOrderOf, leastKey } from '../../../graph/edge-order.ts'
import { type GaloisGr, idleRound } from '../../../graph/galois-gr.ts'
import { Matching, eachFree, markMutual } from '../../../graph/matching.ts'
import type { Run } from '../../algorithm.ts'
import { type ArcChoice, cutRanges } from '../../arc-store.ts'
import { budgetsOf, type PlanEstimate, type PlanRequest } from '../../plan-request.ts'
import type { ComputedMatching, KeptRounds, MatchState } from '../../computed-matching.ts'
import type { MatchingMethod } from '../../matching-answer.ts'
import { type ArcsPlan, estimateArcs, planArcsExactly, planRangeArcs } from '../../plan-arcs.ts'
import { MirroredWords, type RangeWork, type RangeWorker, type RangeWorks } from '../../range-task.ts'
import { runRanges } from '../../range-run.ts'
import { reportRound } from '../../worker-report.ts'

/** Words of the counters. */
const COUNTERS = 4

/** Words that break ties between edges of equal weight, beside the neighbour itself. */
const tieWords = ({ ties }: EdgeOrder): number => ({ id: 0, hash: 1, degree: 2 })[ties]

/** A neighbour, its weight, the words that break ties. */
const scanWords = (order: EdgeOrder): number => 2 + tieWords(order)

const words = {
  holds: 'the pointers of vertices take',
  fixes: [{ action: 'set', option: 'method', to: 'ordered' }],
} as const

/** What a worker holds: pointers and bits of all vertices, and its lists with the words by which they are compared. */
const rescanNeeds = ({ vertices }: Pick<GaloisGr, 'vertices'>, order: EdgeOrder) => ({
  spaceBytes: 4 * (vertices + bitWords(vertices) + COUNTERS),
  wordsAnArc: scanWords(order),
  holdsChosen: true,
  words,
})

/** The host holds all arcs, with the words by which they are compared. */
const rescanHostBytes = (
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  order: EdgeOrder,
): number => 4 * arcs * scanWords(order) + 8 * vertices

/** The plans of workers with about equal arcs each. @throws Failure (usage) where there is no room for them */
export function planRescan(
  { batches = 1, memoryBytes }: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  graph: GaloisGr,
  order: EdgeOrder,
  devices: PlanRequest['devices'],
): ArcsPlan[] {
  const workers = devices.length
  const request = { batches: Math.ceil(batches / workers), ...rescanNeeds(graph, order) }
  const budgets = budgetsOf(devices, memoryBytes)
  return planRangeArcs(graph, cutRanges(graph, workers), devices.map(limitsOf), budgets, () => request)
}

/** What a run reports of its plan. @throws Failure (usage) as {@link planRescan} */
function rescanPlan({ args, graph, devices }: Run, order: EdgeOrder): RunPlan {
  const { vertices, arcs } = graph
  const parts = planRescan(args, graph, order, devices)
  const batches = parts.reduce((sum, part) => sum + part.batches.length, 0)
  const deviceBytes = Math.max(...parts.map((part) => part.deviceBytes))
  return { vertices, arcs, batches, hostBytes: rescanHostBytes(graph, order), deviceBytes }
}

/** LD-GPU by scans of all lists, from the sizes of the graph alone. */
function estimateRescan(request: PlanRequest): PlanEstimate {
  const { options, size, devices } = request
  const order = edgeOrderOf(options, size)
  const own = { vertices: Math.ceil(size.vertices / devices.length), ...rescanNeeds(size, order) }
  const workers = devices.map(() => own)
  return estimateArcs(request, workers, { hostBytes: rescanHostBytes(size, order) })
}

/** The same from the lists; undefined for a file, and for very many lists. */
function planRescanExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  const order = edgeOrderOf(options, size)
  const hostBytes = rescanHostBytes(size, order)
  return planArcsExactly(request, estimateRescan(request), (graph) => {
    return { parts: planRescan(options, graph, order, devices), hostBytes, wordsAnArc: scanWords(order) }
  })
}

/** The arcs of a batch with the words by which match-scan compares them: the weights of all, then tieWords for each; larger comes first. */
function scanArcs(graph: GaloisGr, order: EdgeOrder): ArcChoice {
  const degrees = order.ties === 'degree' ? degreesOf(graph) : undefined
  const least = leastKey(keyedOrder(order, graph))
  const { weights } = order
  const width = tieWords(order)
  const hash = new EdgeHash(order.seed)
  return (offsets, targets, { first, firstArc }) => {
    const stored = weights === 'column' ? graph.readWeights(firstArc, firstArc + targets.length) : new Float32Array(0)
    const bits = new Uint32Array(stored.buffer, stored.byteOffset, stored.length)
    const kept = { offsets: new Uint32Array(offsets.length), targets: new Uint32Array(targets.length) }
    const keys = new Uint32Array(targets.length)
    const ties = new Uint32Array(width * targets.length)
    let count = 0
    for (let row = 0; row + 1 < offsets.length; row++) {
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
        const u = targets[at]!
        if (weights === 'random3' || width > 0) hash.of(first + row, u)
        const weight = weights === 'column' ? ascendingBits(bits[at]!) : weights === 'random3' ? hash.modThousand() : 0
        // Edges that weigh too little are left out.
        if (weight < least) continue
        kept.targets[count] = u
        keys[count] = weight
        // The degree of one's own counts for all of the list alike.
        if (degrees !== undefined) ties[width * count] = ~degrees[u]!
        if (width > 0) ties[width * count + width - 1] = hash.high
        count++
      }
      kept.offsets[row + 1] = count
    }
    const values = new Uint32Array((1 + width) * count)
    values.set(keys.subarray(0, count))
    values.set(ties.subarray(0, width * count), count)
    return { ...kept, targets: kept.targets.subarray(0, count), values }
  }
}

/** What the workers share: every word is in shared memory. */
interface SharedRescan {
  /** Pointers of all vertices: those of another attempt to begin with, and the result. */
  readonly pointers: Uint32Array
  readonly order: EdgeOrder
}

type Rounds = Pick<MatchState, 'open' | 'arcs'>
type RescanWorker = RangeWorker<SharedRescan, Rounds>
type RescanSpace = Buffers<'matched' | 'counters'>

interface RescanOutcome extends Rounds {
  readonly computeMs: number
}

/** Computes the matching by the method `rescan`. */
async function computeRescan(
  run: Run,
  order: EdgeOrder,
  { start, checkpointer }: KeptRounds,
  job: JobContext,
): Promise<ComputedMatching> {
  const { graph } = run
  const pointers = sharedWords(graph.vertices)
  pointers.set(start?.pointers ?? [])
  const before = start && { open: start.open, arcs: start.arcs }
  const keeping = checkpointer && {
    isDue: () => checkpointer.isDue(),
    keep: (rounds: Rounds) => checkpointer.keep({ pointers, ...rounds }),
  }
  const { outcome, reports } = await runRanges(run, job, { pointers, order }, rescanWorks, {
    before,
    checkpointer: keeping,
  })
  const matched = new Uint32Array(bitWords(pointers.length))
  markMutual(pointers, matched)
  eachFree(matched, { first: 0, end: pointers.length }, (v) => (pointers[v] = NONE))
  return {
    ...outcome,
    matching: new Matching(pointers),
    workers: reports,
    passes: outcome.open.length,
    prepareMs: Math.max(...reports.map(({ prepareMs }) => prepareMs)),
  }
}

/** The method of the paper. */
export const rescan: MatchingMethod = {
  estimate: estimateRescan,
  planExactly: planRescanExactly,
  prepare: (run, order, job) => {
    // The plan is that of all workers: which of them runs out of memory first depends on timing.
    const plan = rescanPlan(run, order)
    return { plan, compute: (rounds) => computeRescan(run, order, rounds, job) }
  },
}

export const rescanWorks: RangeWorks<SharedRescan, RescanOutcome, Rounds> = {
  follow: 'follow-rescan',
  kernels: [matchScan, matchPair],
  needs: ({ shared: { order } }, graph) => ({ ...rescanNeeds(graph, order), choose: scanArcs(graph, order) }),
  compute: matchRescan,
}

/** One worker's part in all rounds. */
async function matchRescan(worker: RescanWorker): Promise<RangeWork<RescanOutcome>> {
  const { task, graph, job } = worker
  const scan = await RescanRounds.open(worker)
  await worker.ready()
  const startMs = performance.now()
  const [open, arcs] = [[...(task.before?.open ?? [])], [...(task.before?.arcs ?? [])]]
  for (;;) {
    throwIfCancelled(job.signal)
    const isDue = worker.isDue()
    const own = await scan.point(open.length === 0)
    await scan.publish(isDue === 1)
    const [active = 0, scanned = 0] = await worker.sum('for all workers', own)
    await scan.take() //                                                    line 7
    // The heaviest edge that is left is pointed at from both its ends: every round makes a pair.
    if (active >= (open.at(-1) ?? Infinity)) throw idleRound(graph.path, open.length + 1)
    if (active === 0) break
    open.push(active)
    arcs.push(scanned)
    scan.mate() //                                                          lines 8-9
    if (isDue === 1) worker.keep({ open, arcs })
    reportRound(job, 'match', graph.vertices, active, open.length)
    // Until all have the pointers of this round, none points anew.
    await worker.arrive('for the matches')
  }
  if (worker.workers === 1) await scan.publish(true)
  const computeMs = performance.now() - startMs
  scan.release()
  return { outcome: { open, arcs, computeMs }, exchanged: scan.exchanged }
}

/** The phases of a round on one worker. */
class RescanRounds {
  exchanged = 0
  readonly #worker: RescanWorker
  readonly #space: RescanSpace
  readonly #pointers: MirroredWords

  private constructor(worker: RescanWorker, space: RescanSpace, pointers: MirroredWords) {
    this.#worker = worker
    this.#space = space
    this.#pointers = pointers
  }

  static async open(worker: RescanWorker): Promise<RescanRounds> {
    const { task, device, graph, plan, store } = worker
    const space = await allocateBuffers(device, { matched: bitWords(graph.vertices), counters: COUNTERS })
    device.clear(space.matched, 0, space.matched.words)
    const pointers = await MirroredWords.open(worker, 'pointers', task.shared.pointers)
    const rounds = new RescanRounds(worker, space, pointers)
    if (task.before !== undefined) rounds.mate()
    await store.loadAll(plan.batches)
    return rounds
  }

  /** The pointing phase (Algorithm 3, lines 1-9). @returns active vertices, and arcs that were scanned */
  async point(isFirst: boolean): Promise<[open: number, arcs: number]> {
    const { task, device, plan, store, trace } = this.#worker
    const { matched, counters } = this.#space
    const ties = tieWords(task.shared.order)
    device.clear(counters, 0, COUNTERS)
    for (const batch of plan.batches) {
      const { offsets, targets, values } = await store.load(batch)
      const { first, count } = batch
      const params = { first, count, arcs: targets.words, tieWords: ties, isFirst: isFirst ? 1 : 0 }
      const buffers = { pointers: this.#pointers.buffer, matched, offsets, targets, values: values!, counters }
      trace.span('kernel', `scan batch ${batch.index}`, () =>
        device.launch(matchScan, SCAN_WIDTH * count, params, buffers),
      )
    }
    const words = await device.read(counters, 0, COUNTERS)
    return [words[OPEN]!, words[ARCS]!]
  }

  /**
   * The exchange after it (Algorithm 2, line 7): each worker publishes the pointers of its own vertices and takes those of the others.
   * @param isKept whether a worker that is alone publishes them, too
   */
  async publish(isKept: boolean): Promise<void> {
    const { trace, workers, low, high } = this.#worker
    if (workers === 1 && !isKept) return
    await trace.span('exchange', 'publish pointers', () => this.#pointers.publish())
    if (workers > 1) this.exchanged += 4 * (high - low)
  }

  async take(): Promise<void> {
    const { trace, workers } = this.#worker
    if (workers > 1) await trace.span('exchange', 'take pointers', () => this.#pointers.take())
  }

  /** The matching phase (Algorithm 3, lines 10-13). */
  mate(): void {
    const { device, graph, trace } = this.#worker
    const { vertices: count } = graph
    const pointers = this.#pointers.buffer
    // All vertices: no list is read.
    const buffers = { ...this.#space, pointers, list: pointers }
    trace.span('kernel', 'match', () => device.launch(matchPair, count, { count, length: NONE }, buffers))
  }

  release(): void {
    this.#pointers.release()
    releaseBuffers(this.#worker.device, this.#space)
  }
}
