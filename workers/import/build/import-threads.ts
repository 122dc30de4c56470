/**
 * The threads of an import: each has one part open at a time (parsing, partitioning, building, checking) and takes its tasks one after another;
 * tasks go to the least busy thread, or one to each. A single thread is the caller's own. Pieces of a file are taken by all threads, and their
 * sums added up. They stop when the job is cancelled. threads/thread-pool.ts has the threads themselves.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '../../base/failure.ts'
import { type JobContext, type StopSignal, stopWord, throwIfCancelled } from '../../base/job.ts'
import { type Range, rangesOf } from '../../base/ranges.ts'
import { allDone, leaseThread } from '../../threads/thread-pool.ts'
import { type CheckTask, type CopyTask, PieceChecker, PieceCopier } from './canonical-pieces.ts'
import { type GraphTask, LatticePieces, type LatticeTask, ListPieces } from './piece-writer.ts'
import { LineBuckets, type LinesTask } from './line-buckets.ts'
import { ListMaker, type ListsTask } from './list-maker.ts'
import { BucketBuilder, type BuildTask } from './bucket-builder.ts'
import { EntryPartitioner, type PartitionTask } from './entry-buckets.ts'
import { type StoreTask, PieceStore } from './entry-store.ts'
import { type ColumnsTask, RowColumns } from './row-columns.ts'
import { RowPieces, type RowsTask } from './row-pieces.ts'
import { WeightGatherer, type WeightsTask } from './weight-gatherer.ts'
import { BehindFlusher, openFile } from '../../base/file-bytes.ts'
import { neverRead, PIECE_BYTES, piecesOf, SUMS_SUFFIX, SumsBuilder, writeSums } from '../../base/sums.ts'

/** Work on a file whose pieces threads take. */
const pieceTakers = {
  graph: (task: GraphTask) => new ListPieces(task),
  lattice: (task: LatticeTask) => new LatticePieces(task),
  copy: (task: CopyTask) => new PieceCopier(task),
  check: (task: CheckTask) => new PieceChecker(task),
}

type PieceTakers = keyof typeof pieceTakers

/** What a thread keeps open from task to task; all is done when a call returns. */
const parts = {
  store: (task: StoreTask) => new PieceStore(task),
  weights: (task: WeightsTask) => new WeightGatherer(task),
  partition: (task: PartitionTask) => new EntryPartitioner(task),
  build: (task: BuildTask, signal: StopSignal) => new BucketBuilder(task, signal),
  lines: (task: LinesTask) => new LineBuckets(task),
  lists: (task: ListsTask) => new ListMaker(task),
  rows: (task: RowsTask) => new RowPieces(task),
  columns: (task: ColumnsTask) => new RowColumns(task),
  ...pieceTakers,
}

type PartName = keyof typeof parts
type OpenTask<N extends PartName> = Parameters<(typeof parts)[N]>[0]
type Part<N extends PartName> = ReturnType<(typeof parts)[N]>
type Call = (task: never) => unknown
type Method<N extends PartName> = { [M in keyof Part<N>]: Part<N>[M] extends Call ? M : never }[keyof Part<N>]
type CallOf<N extends PartName, M extends Method<N>> = Extract<Part<N>[M], Call>
type Task<N extends PartName, M extends Method<N>> = Parameters<CallOf<N, M>>[0]
type Result<N extends PartName, M extends Method<N>> = ReturnType<CallOf<N, M>>

interface Order {
  readonly part: PartName
  /** The method of the part, or `open`. The last one is `finish`. */
  readonly method: string
  readonly task: unknown
}

/** Has one part open at a time. */
class OpenPart {
  readonly #signal: StopSignal
  #part: Part<PartName> | null = null

  constructor(signal: StopSignal) {
    this.#signal = signal
  }

  /** @throws Failure (cancelled); (engine) for a task of a part that is not open */
  handle({ part, method, task }: Order): unknown {
    throwIfCancelled(this.#signal)
    if (method === 'open') {
      this.close()
      this.#part = parts[part](task as never, this.#signal)
      return null
    }
    const open = this.#part as unknown as Readonly<Record<string, (task: unknown) => unknown>> | null
    if (open === null)
      throw new Failure({ code: 'engine', what: 'a task came out of order', remedy: 'Report this fault.' })
    const result = open[method]!(task)
    if (method === 'finish') this.close()
    return result
  }

  close(): void {
    if (this.#part !== null && 'close' in this.#part) this.#part.close()
    this.#part = null
  }
}

let ofThread: OpenPart | undefined

/** What a pool ends with: the thread closes its files, also after a failure. */
const LEAVE = 'leave'

interface IngestTask {
  readonly stop: Int32Array
  readonly order: Order | typeof LEAVE
}

/** Works in a thread of its own, for one pool. @param stop the same in every call: not 0 once the import is to stop */
export async function ingestTask({ stop, order }: IngestTask): Promise<unknown> {
  if (order === LEAVE) {
    ofThread?.close()
    ofThread = undefined
    return null
  }
  ofThread ??= new OpenPart(stopWord(stop, 0))
  return ofThread.handle(order)
}

/** A message takes as long as a thousand lines; the last tasks are waited for. */
const TASKS_EACH = 24

/** Stopped when its job is cancelled. A single one is the caller's own. */
export class ThreadPool {
  readonly threads: readonly PoolThread[]
  readonly #job: JobContext
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))

  constructor(threads: number, job: JobContext) {
    this.#job = job
    this.threads =
      threads <= 1
        ? [ownThread(this.#stop, job.signal)]
        : Array.from({ length: threads }, () => otherThread(this.#stop))
  }

  /** Opens a part in every thread. */
  async open<N extends PartName>(part: N, task: (number: number) => OpenTask<N>): Promise<void> {
    await this.#done(() => this.threads.map((thread, i) => thread.run({ part, method: 'open', task: task(i) })))
  }

  /** Runs a method once in every thread. */
  async each<N extends PartName, M extends Method<N>>(part: N, method: M, task: Task<N, M>): Promise<Result<N, M>[]> {
    const order = { part, method: method as string, task }
    return (await this.#done(() => this.threads.map((thread) => thread.run(order)))) as Result<N, M>[]
  }

  /** What every thread ends a part with. */
  async finish<N extends PartName>(part: N): Promise<Result<N, 'finish' & Method<N>>[]> {
    const results = this.#done(() => this.threads.map((thread) => thread.run({ part, method: 'finish', task: null })))
    return (await results) as Result<N, 'finish' & Method<N>>[]
  }

  /** Each to the next free thread. @param done returns false to begin no more @returns whether all were done @throws the first failure, when all have stopped */
  async spread<N extends PartName, M extends Method<N>>(
    part: N,
    method: M,
    tasks: readonly Task<N, M>[],
    done: (result: Result<N, M>, number: number) => boolean | void,
  ): Promise<boolean> {
    return this.together(tasks.length, async (number) => done(await this.run(part, method, tasks[number]!), number))
  }

  /** As many at a time as there are threads. @param work runs tasks by {@link run} @returns whether none was false */
  async together(count: number, work: (number: number) => Promise<boolean | void>): Promise<boolean> {
    let [next, areDone] = [0, true]
    await this.#done(() =>
      this.threads.map(async () => {
        while (next < count && areDone) {
          throwIfCancelled(this.#job.signal)
          if ((await work(next++)) === false) areDone = false
        }
      }),
    )
    return areDone
  }

  /** Runs a method in the least busy thread. */
  run<N extends PartName, M extends Method<N>>(part: N, method: M, task: Task<N, M>): Promise<Result<N, M>> {
    const thread = this.threads.reduce((best, one) => (one.waiting < best.waiting ? one : best))
    return thread.run({ part, method: method as string, task }) as Promise<Result<N, M>>
  }

  /** A thread looks between tasks whether it is to stop. */
  stepsEach(steps: number, most: number): number {
    return Math.max(1, Math.min(most, Math.floor(steps / TASKS_EACH / this.threads.length)))
  }

  ranges(steps: number, most: number): Range[] {
    return rangesOf(steps, this.stepsEach(steps, most))
  }

  /** Tasks end with the failure `cancelled`. */
  stop(): void {
    Atomics.store(this.#stop, 0, 1)
  }

  async end(): Promise<void> {
    this.stop()
    await Promise.allSettled(this.threads.map((thread) => thread.end()))
  }

  /** @throws Failure (cancelled); the first failure that is no consequence of another */
  async #done<T>(start: () => Promise<T>[]): Promise<T[]> {
    const { signal } = this.#job
    throwIfCancelled(signal)
    try {
      return await allDone(start(), this, () => signal.aborted && this.stop())
    } catch (error) {
      throwIfCancelled(signal)
      throw error
    }
  }
}

/** Runs its tasks one after another. */
class PoolThread {
  waiting = 0
  readonly #handle: (order: Order) => Promise<unknown>
  readonly #close: () => Promise<void> | void
  #last: Promise<unknown> = Promise.resolve()

  constructor(handle: (order: Order) => Promise<unknown>, close: () => Promise<void> | void) {
    this.#handle = handle
    this.#close = close
  }

  run(order: Order): Promise<unknown> {
    this.waiting++
    const result = this.#last.then(() => this.#handle(order))
    const end = (): void => void this.waiting--
    this.#last = result.then(end, end)
    return result
  }

  async end(): Promise<void> {
    await this.#last
    await this.#close()
  }
}

/** Nothing else happens during a task: it looks at the signal of the job itself. */
function ownThread(stop: Int32Array, signal: StopSignal): PoolThread {
  const own = new OpenPart({
    get aborted() {
      return signal.aborted || stop[0] !== 0
    },
  })
  const handle = async (order: Order): Promise<unknown> => {
    await nextTurn()
    return own.handle(order)
  }
  return new PoolThread(handle, () => own.close())
}

/** Its files are closed before it ends. */
function otherThread(stop: Int32Array): PoolThread {
  let thread: ReturnType<typeof leaseThread> | undefined
  const handle = (order: IngestTask['order']): Promise<unknown> =>
    (thread ??= leaseThread()).run<IngestTask, unknown>('ingest', { stop, order })
  return new PoolThread(handle, async () => {
    if (thread === undefined) return
    // A thread that is lost has no files.
    await handle(LEAVE).catch(() => {})
    await thread.end()
  })
}

const TASK_PIECES = 16

/**
 * Takes a file piece by piece in all threads. @param took called with the bytes of the file so far @returns its sums, and
 * of each thread the arcs that it checked; null where a piece does not fit
 * @throws Failure (storage); (cancelled)
 */
export async function takePieces<N extends PieceTakers>(
  part: N,
  task: OpenTask<N>,
  fileBytes: number,
  threads: ThreadPool,
  took: (bytes: number) => void,
) {
  const tasks = threads.ranges(piecesOf(fileBytes), TASK_PIECES)
  // A thread begins when it is there, whatever the others do.
  const opened = threads.open<PieceTakers>(part, () => task)
  let done = 0
  const take = (isFit: boolean, number: number): boolean | void => {
    if (!isFit) return false
    done = Math.min(fileBytes, done + (tasks[number]!.end - tasks[number]!.first) * PIECE_BYTES)
    took(done)
  }
  const all = threads.spread<PieceTakers, 'take'>(part, 'take', tasks, take)
  const [open, taken] = await Promise.allSettled([opened, all])
  if (open.status === 'rejected') throw open.reason
  if (taken.status === 'rejected') throw taken.reason
  if (!taken.value) return null
  const reports = await threads.finish<PieceTakers>(part)
  const sums = new SumsBuilder()
  for (const { pieces } of reports) sums.take(pieces)
  return { sums: sums.finish(fileBytes, neverRead), arcs: reports.flatMap(({ arcs }) => arcs ?? []) }
}

/** Makes a file in that way, with its sums beside it; on the disk when this returns. @returns null as {@link takePieces} */
export async function writePieces<N extends PieceTakers>(
  part: N,
  task: OpenTask<N> & { readonly path: string },
  fileBytes: number,
  threads: ThreadPool,
  took: (bytes: number) => void,
): ReturnType<typeof takePieces> {
  const { path } = task
  const flusher = new BehindFlusher(openFile(path, 'wx'), path)
  try {
    const taken = await takePieces(part, task, fileBytes, threads, (bytes) => {
      took(bytes)
      flusher.wrote(bytes)
    })
    if (taken === null) return null
    await flusher.finish()
    writeSums(`${path}${SUMS_SUFFIX}`, taken.sums)
    return taken
  } finally {
    await flusher.close()
  }
}
