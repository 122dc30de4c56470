import { processorsHere } from '../base/host-resources.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { GaloisGr, GraphHandle } from '../graph/galois-gr.ts'
import { coordinate, SharedBarrier, shouldStop } from '../threads/barrier.ts'
import { NO_DEVICE, runInThread } from '../threads/thread-pool.ts'
import { CONTROL_WORDS, type VerifyWorker } from './pass.ts'

const MOST_THREADS = 32
/** Threads take time to start and compile. */
const LEAST_ARCS = { set: 1 << 24, matching: 1 << 22, colours: 1 << 24 } as const
/** Threads that share more end with it, so that it is freed. */
const KEPT_BYTES = 1 << 20
/** 2 MiB of targets in each read. */
const ARCS_PER_BATCH = 1 << 19

/** What is found does not depend on it. */
export interface VerifyPace {
  readonly threads: number
  /** That are read at a time, unless one list is longer. */
  readonly arcsPerBatch: number
}

export interface VerifyTask {
  readonly of: keyof typeof LEAST_ARCS
  readonly control: Int32Array
  readonly workers: number
  readonly graph: GraphHandle
  readonly arcsPerBatch: number
  readonly work: object
}

interface Check<Work, Findings> {
  readonly name: VerifyTask['of']
  check(work: Work, worker: VerifyWorker): Promise<Findings>
}

/** All processors for a graph that is large enough, else this thread alone. */
export function paceFor(
  of: VerifyTask['of'],
  { arcs }: Pick<GaloisGr, 'arcs'>,
  pace: Partial<VerifyPace> = {},
): VerifyPace {
  const threads = Math.max(1, Math.min(MOST_THREADS, processorsHere(), Math.floor(arcs / LEAST_ARCS[of])))
  return { threads, arcsPerBatch: ARCS_PER_BATCH, ...pace }
}

/** Zeros, shared where there are several threads. */
export const bufferFor = ({ threads }: VerifyPace, bytes: number): ArrayBufferLike =>
  threads > 1 ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)

/** A copy, where there are several threads and it is not shared. */
export function shared<T extends Uint8Array | Uint32Array>(values: T, { threads }: VerifyPace): T {
  if (threads === 1 || values.buffer instanceof SharedArrayBuffer) return values
  const copy = Reflect.construct(values.constructor, [new SharedArrayBuffer(values.byteLength)]) as T
  copy.set(values)
  return copy
}

/**
 * In several threads, this one among them. @param first what this thread does before; it calls what it is given at
 * least every 100 ms @returns what each worker found, and the result of `first` @throws Failure (cancelled),
 * (storage), (input) where the graph is damaged
 */
export async function verifyTogether<Work extends object, Findings, T>(
  graph: GaloisGr,
  { name, check }: Check<Work, Findings>,
  work: Work,
  { threads, arcsPerBatch }: VerifyPace,
  job: JobContext,
  first: (throwIfStopped: () => void) => T,
): Promise<{ readonly findings: readonly Findings[]; readonly own: T }> {
  const control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS))
  const signal = {
    get aborted() {
      return job.signal.aborted || shouldStop(control)
    },
  }
  const task: VerifyTask = { of: name, control, workers: threads, graph: graph.handle, arcsPerBatch, work }
  const workers = Array.from({ length: threads - 1 }, () =>
    runInThread<VerifyTask, Findings>('verify', task, NO_DEVICE, bytesIn(work) > KEPT_BYTES),
  )
  const { own, reports } = await coordinate(control, { signal }, workers, async () => {
    const result = first(() => throwIfCancelled(signal))
    const barrier = new SharedBarrier(control, threads, signal)
    const worker = { graph, arcsPerBatch, control, barrier, isCoordinator: true, job: { ...job, signal } }
    return { result, found: await check(work, worker) }
  })
  return { findings: [own.found, ...reports], own: own.result }
}

function bytesIn(work: object): number {
  return Object.values(work).reduce(
    (sum: number, each: unknown) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  )
}
