import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Range, rangesOf } from '../../base/ranges.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { allDone, LeasedThread } from '../../threads/thread-pool.ts'
import {
  type IngestRequest,
  IngestThread,
  type Method,
  type OpenTask,
  type Order,
  type PartName,
  type Result,
  type Task,
} from './ingest-thread.ts'

const WATCH_MS = 20
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
      threads <= 1 ? [ownThread(this.#stop)] : Array.from({ length: threads }, () => otherThread(this.#stop))
  }

  /** In every thread. */
  async open<N extends PartName>(part: N, task: (number: number) => OpenTask<N>): Promise<void> {
    await this.#done(() => this.threads.map((thread, i) => thread.run({ part, method: 'open', task: task(i) })))
  }

  /** What every thread ends a part with. */
  async finish<N extends PartName>(part: N): Promise<Result<N, 'finish' & Method<N>>[]> {
    const results = this.#done(() => this.threads.map((thread) => thread.run({ part, method: 'finish', task: null })))
    return (await results) as Result<N, 'finish' & Method<N>>[]
  }

  /** Each to the next free thread. @throws the first failure, when all have stopped */
  async spread<N extends PartName, M extends Method<N>>(
    part: N,
    method: M,
    tasks: readonly Task<N, M>[],
    done: (result: Result<N, M>, number: number) => void,
  ): Promise<void> {
    await this.together(tasks.length, async (number) => done(await this.run(part, method, tasks[number]!), number))
  }

  /** As many at a time as there are threads. @param work runs tasks by {@link run} */
  async together(count: number, work: (number: number) => Promise<void>): Promise<void> {
    let next = 0
    await this.#done(() =>
      this.threads.map(async () => {
        while (next < count) await work(next++)
      }),
    )
  }

  /** In the least busy thread. */
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
    const watch = setInterval(() => {
      if (signal.aborted) this.stop()
    }, WATCH_MS)
    try {
      return await allDone(start(), this)
    } catch (error) {
      throwIfCancelled(signal)
      throw error
    } finally {
      clearInterval(watch)
    }
  }
}

/** Runs its tasks one after another. */
class PoolThread {
  waiting = 0
  readonly end: () => Promise<void>
  readonly #handle: (order: Order) => Promise<unknown>
  #last: Promise<unknown> = Promise.resolve()

  constructor(handle: (order: Order) => Promise<unknown>, end: () => Promise<void>) {
    this.#handle = handle
    this.end = end
  }

  run(order: Order): Promise<unknown> {
    this.waiting++
    const result = this.#last.then(() => this.#handle(order))
    const end = (): void => void this.waiting--
    this.#last = result.then(end, end)
    return result
  }
}

function ownThread(stop: Int32Array): PoolThread {
  const own = new IngestThread(stop)
  const handle = async (order: Order): Promise<unknown> => {
    await nextTurn()
    return own.handle(order)
  }
  return new PoolThread(handle, async () => own.close())
}

function otherThread(stop: Int32Array): PoolThread {
  let thread: LeasedThread | undefined
  const ask = (request: IngestRequest): Promise<unknown> => (thread ??= new LeasedThread()).run('ingest', request)
  return new PoolThread(
    (order) => ask({ ...order, stop }),
    async () => {
      try {
        if (thread !== undefined) await ask('close')
      } finally {
        await thread?.end()
      }
    },
  )
}
