import { setImmediate as nextTurn } from 'node:timers/promises'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { type IngestRequest, IngestThread, type ThreadTaskName, type ThreadTasks } from './ingest-thread.ts'
import type { ScratchMemory } from './scratch-file.ts'
import { allDone, LeasedThread } from '../../threads/thread-pool.ts'

type Args<N extends ThreadTaskName> = ThreadTasks[N]['args']
type Result<N extends ThreadTaskName> = ThreadTasks[N]['result']

const WATCH_MS = 20
/** A message takes as long as a thousand lines; the last tasks are waited for. */
const TASKS_EACH = 24

/** Stopped when its job is cancelled. A single one is the caller's own. */
export class ThreadPool {
  readonly threads: readonly PoolThread[]
  readonly memory: ScratchMemory | null
  readonly #job: JobContext
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))

  /** @param memory for scratch files, in the caller's own thread */
  constructor(threads: number, job: JobContext, memory: ScratchMemory | null = null) {
    this.#job = job
    this.memory = memory
    this.threads =
      threads <= 1 || memory !== null
        ? [new OwnThread(this.#stop, memory)]
        : Array.from({ length: threads }, () => new OtherThread(this.#stop))
  }

  async each<N extends ThreadTaskName>(name: N, args: (number: number) => Args<N>): Promise<Result<N>[]> {
    return this.#done(() => this.threads.map((thread, number) => thread.run(name, args(number))))
  }

  /** Each to the next free thread. @throws the first failure, when all have stopped */
  async spread<N extends ThreadTaskName>(
    name: N,
    tasks: readonly Args<N>[],
    done: (result: Result<N>, number: number) => void,
  ): Promise<void> {
    let next = 0
    await this.#done(() =>
      this.threads.map(async (thread) => {
        while (next < tasks.length) {
          const task = next++
          done(await thread.run(name, tasks[task]!), task)
        }
      }),
    )
  }

  /** @param work runs tasks by {@link run} */
  async together(count: number, work: (number: number) => Promise<void>): Promise<void> {
    let next = 0
    await this.#done(() =>
      this.threads.map(async () => {
        while (next < count) await work(next++)
      }),
    )
  }

  /** In the least busy thread. */
  run<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>> {
    return this.threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best)).run(name, args)
  }

  /** A thread looks between tasks whether it is to stop. */
  stepsEach(steps: number, most: number): number {
    return Math.max(1, Math.min(most, Math.floor(steps / TASKS_EACH / this.threads.length)))
  }

  ranges(steps: number, most: number): { readonly first: number; readonly last: number }[] {
    const each = this.stepsEach(steps, most)
    return Array.from({ length: Math.ceil(steps / each) }, (_, i) => {
      return { first: i * each, last: Math.min(steps, (i + 1) * each) }
    })
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
abstract class PoolThread {
  waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  run<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>> {
    this.waiting++
    const result = this.#last.then(() => this.handle(name, args))
    const end = (): void => void this.waiting--
    this.#last = result.then(end, end)
    return result
  }

  protected abstract handle<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>>
  abstract end(): Promise<void>
}

class OwnThread extends PoolThread {
  readonly #thread: IngestThread

  constructor(stop: Int32Array, memory: ScratchMemory | null) {
    super()
    this.#thread = new IngestThread(stop, memory)
  }

  protected async handle<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>> {
    await nextTurn()
    return this.#thread.handle(name, args)
  }

  async end(): Promise<void> {
    this.#thread.close()
  }
}

class OtherThread extends PoolThread {
  #thread: LeasedThread | undefined
  readonly #stop: Int32Array

  constructor(stop: Int32Array) {
    super()
    this.#stop = stop
  }

  protected handle<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>> {
    this.#thread ??= new LeasedThread()
    return this.#thread.run<IngestRequest, Result<N>>('ingest', { stop: this.#stop, name, args })
  }

  async end(): Promise<void> {
    try {
      await this.#thread?.run<IngestRequest, void>('ingest', 'close')
    } finally {
      await this.#thread?.end()
    }
  }
}
