import { matchPair } from '../../../../kernels/matching/match-pair.ts'
import { NONE } from '../../../../kernels/matching/match-state.ts'
import { ARCS, OPEN, SCAN_WIDTH, matchScan } from '../../../../kernels/matching/rescan/match-scan.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { type Buffers, allocateBuffers, releaseBuffers } from '../../../device/buffers.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import { idleRound } from '../../../graph/galois-gr.ts'
import { Matching } from '../../../graph/matching.ts'
import type { Run } from '../../algorithm.ts'
import type { ComputedMatching, MatchRequest, MatchState } from '../../ld-gpu/match-request.ts'
import { MirroredWords, type RangeWork, type RangeWorker, type RangeWorks } from '../../range-task.ts'
import { runRanges } from '../../range-run.ts'
import { reportRound } from '../../worker-report.ts'
import { COUNTERS, bitWords, rescanNeeds, scanArcs, tieWords } from './plan-rescan.ts'

/** What the workers share: every word is in shared memory. */
interface SharedRescan {
  /** Of all vertices: those of another attempt to begin with, and the result. */
  readonly pointers: Uint32Array
  readonly order: EdgeOrder
}

type Rounds = Pick<MatchState, 'open' | 'arcs'>

interface RescanOutcome extends Rounds {
  readonly computeMs: number
}

/** Computes the matching by the method `rescan`. */
export async function computeRescan(
  run: Run,
  order: EdgeOrder,
  { start, checkpointer }: Pick<MatchRequest, 'start' | 'checkpointer'>,
  job: JobContext,
): Promise<ComputedMatching> {
  const { graph } = run
  const pointers = new Uint32Array(new SharedArrayBuffer(4 * graph.vertices))
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
  return {
    ...outcome,
    matching: Matching.ofPointers(pointers),
    workers: reports.map((report) => ({ ...report, sweeps: 0 })),
    passes: outcome.open.length,
    prepareMs: Math.max(...reports.map(({ prepareMs }) => prepareMs)),
  }
}

export const rescanWorks: RangeWorks<SharedRescan, RescanOutcome, Rounds> = {
  follow: 'follow-rescan',
  kernels: [matchScan, matchPair],
  needs: ({ shared: { order } }, graph) => ({ ...rescanNeeds(graph, order), choose: scanArcs(graph, order) }),
  compute: matchRescan,
}

/**
 * LD-GPU (Mandulak et al., SC 2024) as Algorithms 2 and 3 have it, to measure against: in every round every vertex without a mate looks at
 * all its neighbours, and all pointers are exchanged. The mates need no exchange of their own (line 9): each worker has all pointers.
 */
async function matchRescan(worker: RangeWorker<SharedRescan, Rounds>): Promise<RangeWork<RescanOutcome>> {
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
  readonly #worker: RangeWorker<SharedRescan, Rounds>
  readonly #space: Buffers<'matched' | 'counters'>
  readonly #pointers: MirroredWords

  private constructor(
    worker: RangeWorker<SharedRescan, Rounds>,
    space: Buffers<'matched' | 'counters'>,
    pointers: MirroredWords,
  ) {
    this.#worker = worker
    this.#space = space
    this.#pointers = pointers
  }

  static async open(worker: RangeWorker<SharedRescan, Rounds>): Promise<RescanRounds> {
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
    device.clear(counters, 0, COUNTERS)
    for (const batch of plan.batches) {
      const { offsets, targets, values } = await store.load(batch)
      const { first, count } = batch
      const params = {
        first,
        count,
        arcs: targets.words,
        tieWords: tieWords(task.shared.order),
        isFirst: isFirst ? 1 : 0,
      }
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
