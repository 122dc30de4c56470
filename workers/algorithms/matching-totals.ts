import { processorsHere } from '../base/host-resources.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import { type GraphHandle, GaloisGr } from '../graph/galois-gr.ts'
import { Matching } from '../graph/matching.ts'
import { matchingWeight, pairWeights, weightOf } from '../graph/scan-lists.ts'
import { type JobContext, quietJob, throwIfCancelled } from '../base/job.ts'
import { allDone, runInThread } from '../threads/thread-pool.ts'
import { ScanBoard } from '../streaming/piece-scan.ts'

export interface MatchingTotals {
  readonly pairs: number
  readonly hash: string
  readonly weight: number
}

/** Vertices of a task. */
const RANGE = 1 << 18
/** Vertices, or arcs where weights are stored: fewer are weighed sooner than a thread starts. */
const LEAST_A_THREAD = 1 << 22

/** What one thread adds up. */
type TotalsTask =
  | { readonly kind: 'fingerprint'; readonly mates: Uint32Array }
  | {
      readonly kind: 'weigh'
      readonly mates: Uint32Array
      readonly graph: GraphHandle
      readonly order: EdgeOrder
      /** The words of a {@link ScanBoard}, which counts ranges. */
      readonly board: Int32Array
    }

/** Adds up in other threads where the matching is large: this one may do other things meanwhile. */
export async function totalsOf(
  graph: GaloisGr,
  matching: Matching,
  order: EdgeOrder,
  job: JobContext,
  threads = threadsFor(graph, order),
): Promise<MatchingTotals> {
  if (threads < 2) return { ...matching.summary(), weight: matchingWeight(graph, matching, order, job) }
  const mates = sharedCopy(matching.mates)
  const board = new ScanBoard()
  const fingerprint = runInThread<TotalsTask, Omit<MatchingTotals, 'weight'>>('matching-totals', {
    kind: 'fingerprint',
    mates,
  })
  const task = { kind: 'weigh', mates, graph: graph.handle, order, board: board.words } as const
  const weighed = Array.from({ length: threads - 1 }, () =>
    runInThread<TotalsTask, readonly number[]>('matching-totals', task),
  )
  await allDone<unknown>([fingerprint, ...weighed], board, () => job.signal.aborted && board.stop())
  throwIfCancelled(job.signal)
  const terms = (await Promise.all(weighed)).flat()
  return { ...(await fingerprint), weight: weightOf(terms, order) }
}

function threadsFor({ vertices, arcs }: GaloisGr, { weights }: EdgeOrder): number {
  return Math.min(processorsHere(), Math.floor((weights === 'column' ? arcs : vertices) / LEAST_A_THREAD))
}

export async function totalsTask(task: TotalsTask): Promise<Omit<MatchingTotals, 'weight'> | readonly number[]> {
  if (task.kind === 'fingerprint') return new Matching(task.mates).summary()
  const { mates, order } = task
  const board = new ScanBoard(task.board)
  const graph = GaloisGr.of(task.graph)
  const job = { ...quietJob, signal: board.signal }
  try {
    const terms: number[] = []
    for (;;) {
      const first = RANGE * board.take('lists', 1)
      if (first >= mates.length) return terms
      throwIfCancelled(job.signal)
      terms.push(...pairWeights(graph, mates, order, { first, end: Math.min(mates.length, first + RANGE) }, job))
    }
  } finally {
    graph.close()
  }
}

function sharedCopy(mates: Uint32Array): Uint32Array {
  if (mates.buffer instanceof SharedArrayBuffer) return mates
  const shared = new Uint32Array(new SharedArrayBuffer(mates.byteLength))
  shared.set(mates)
  return shared
}
