import { availableParallelism } from 'node:os'
import type { Barrier } from '../threads/barrier.ts'
import { SharedBarrier, shouldStop } from '../threads/barrier.ts'
import { followingJob } from '../threads/following-job.ts'
import { isFaultDue, throwOutside } from '../base/fault-injection.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import type { GraphHandle } from '../graph/galois-gr.ts'
import type { JobContext } from '../base/job.ts'
import { throwIfCancelled } from '../base/job.ts'
import { withFollowers } from '../threads/followers.ts'
import { NO_DEVICE, runInThread } from '../threads/thread-pool.ts'
import type { MatchingFindings, MatchingWork } from './matching-share.ts'
import { MATCHING_PASSES, checkMatchingShare } from './matching-share.ts'
import type { Member } from './pass.ts'
import type { SetFindings, SetWork } from './set-share.ts'
import { SET_PASSES, checkSetShare } from './set-share.ts'
import { turnWords } from './turns.ts'

const MOST_THREADS = 32
/** A thread takes longer to start, and to have its code compiled, than one that is there takes to check fewer arcs. */
const LEAST_ARCS = { set: 1 << 24, matching: 1 << 22 } as const
/** Threads that share more end with it, so that it is freed; starting them takes much less time than checking so large a result. */
const KEPT_BYTES = 1 << 20
/** 2 MiB of targets in each read. */
const ARCS_PER_PIECE = 1 << 19

/** How a result is verified. What is found does not depend on it. */
export interface VerifyPace {
  readonly threads: number
  /** That are read at a time, unless one list is longer. */
  readonly arcsPerPiece: number
}

type Work = SetWork | MatchingWork

/** The words of a barrier between so many workers. */
export interface SharedControl {
  readonly control: Int32Array
  readonly workers: number
}

/** What a thread is given that verifies a result together with others. */
export interface VerifyTask {
  readonly shared: SharedControl
  readonly graph: GraphHandle
  readonly arcsPerPiece: number
  readonly work: SetWork | MatchingWork
}

type FindingsOf<W extends Work> = W extends SetWork ? SetFindings : MatchingFindings

/** What the arcs of a graph are worth: all processors, or this thread alone. */
export function paceFor(of: Work['of'], { arcs }: Pick<GaloisGr, 'arcs'>, pace: Partial<VerifyPace> = {}): VerifyPace {
  const threads = Math.max(1, Math.min(MOST_THREADS, availableParallelism(), Math.floor(arcs / LEAST_ARCS[of])))
  return { threads, arcsPerPiece: ARCS_PER_PIECE, ...pace }
}

/** Memory for as many threads as there are; zeros. */
export const roomFor = ({ threads }: VerifyPace, bytes: number): ArrayBufferLike =>
  threads > 1 ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)

/**
 * Checks a result in threads, this one among them.
 * @param meanwhile what the thread that leads does first, besides; it calls what it is given at least every 100 ms
 * @returns what each thread found
 * @throws Failure (cancelled), (storage) where the disk cannot be read, (input) where the graph is damaged
 */
export async function verifyTogether<W extends Work, T>(
  graph: GaloisGr,
  work: W,
  pace: VerifyPace,
  job: JobContext,
  meanwhile: (pause: () => void) => T,
): Promise<{ readonly findings: readonly FindingsOf<W>[]; readonly besides: T }> {
  const { threads, arcsPerPiece } = pace
  const control = new Int32Array(new SharedArrayBuffer(4 * turnWords(Math.max(MATCHING_PASSES, SET_PASSES + 1))))
  const shared = { control, workers: threads }
  const ends = sharedBytes(work) > KEPT_BYTES
  const task: VerifyTask = { shared, graph: graph.handle, arcsPerPiece, work }
  const signal = stopOf(job, control)
  const barrier = new SharedBarrier(control, threads, signal)
  const followers = Array.from({ length: threads - 1 }, () =>
    runInThread<VerifyTask, SetFindings | MatchingFindings>('verify-share', task, NO_DEVICE, ends),
  )
  const { led, reports } = await withFollowers(control, { signal }, followers, async () => {
    const besides = meanwhile(() => throwIfCancelled(signal))
    return { besides, found: await checkShare(work, memberOf(graph, task, barrier, { ...job, signal }), true) }
  })
  return { besides: led.besides, findings: [led.found, ...reports] as FindingsOf<W>[] }
}

function sharedBytes(work: Work): number {
  return Object.values(work).reduce(
    (sum: number, each: unknown) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  )
}

/** The job of the thread that leads, which stops as well when another thread did. */
function stopOf({ signal }: JobContext, control: Int32Array): JobContext['signal'] {
  return {
    get aborted() {
      return signal.aborted || shouldStop(control)
    },
  }
}

function memberOf(
  graph: GaloisGr,
  { arcsPerPiece, shared: { control } }: VerifyTask,
  barrier: Barrier,
  job: JobContext,
): Member {
  return { graph, arcsPerPiece, control, barrier, job }
}

function checkShare(work: Work, member: Member, leads: boolean): Promise<SetFindings | MatchingFindings> {
  switch (work.of) {
    case 'set':
      return checkSetShare(work, member)
    case 'matching':
      return checkMatchingShare(work, member, leads)
  }
}

/** The share of a thread that follows. */
export async function followVerification(task: VerifyTask): Promise<SetFindings | MatchingFindings> {
  const { shared, work } = task
  if (isFaultDue('part-thread')) {
    throwOutside()
    // A small share would be done before the thread is.
    await new Promise(() => {})
  }
  const graph = GaloisGr.of(task.graph)
  try {
    const barrier = new SharedBarrier(shared.control, shared.workers)
    const member = memberOf(graph, task, barrier, followingJob(shared.control))
    return await checkShare(work, member, false)
  } finally {
    graph.close()
  }
}
