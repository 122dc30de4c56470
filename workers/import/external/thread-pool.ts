import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { type IngestRequest, IngestThread } from './ingest-thread.ts'
import type { ScratchMemory } from './scratch-file.ts'
import type { ThreadTaskName, ThreadTasks } from './thread-tasks.ts'
import { LeasedThread } from '../../threads/thread-pool.ts'

/** One task at a time. */
export interface PoolThread {
  run<N extends ThreadTaskName>(name: N, args: ThreadTasks[N]['args']): Promise<ThreadTasks[N]['result']>
  end(): Promise<void>
}

/** One thread is the caller's own. */
export class ThreadPool {
  readonly threads: readonly PoolThread[]
  /** Of scratch files, unless they are on disk. */
  readonly memory: ScratchMemory | null
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))

  /** @param memory for scratch files, in the caller's own thread */
  constructor(threads: number, memory: ScratchMemory | null = null) {
    this.memory = memory
    const isOwn = threads <= 1 || memory !== null
    this.threads = isOwn
      ? [new OwnThread(this.#stop, memory)]
      : Array.from({ length: threads }, () => new OtherThread(this.#stop))
  }

  async each<N extends ThreadTaskName>(
    name: N,
    args: (number: number) => ThreadTasks[N]['args'],
  ): Promise<ThreadTasks[N]['result'][]> {
    return this.#settled(this.threads.map((thread, i) => thread.run(name, args(i))))
  }

  /** Tasks in order, each to the next free thread. @throws the first failure, when all have stopped */
  async spread<N extends ThreadTaskName>(
    name: N,
    tasks: readonly ThreadTasks[N]['args'][],
    done: (task: ThreadTasks[N]['args'], result: ThreadTasks[N]['result']) => void,
  ): Promise<void> {
    let next = 0
    await this.work(async (thread) => {
      while (next < tasks.length) {
        const task = tasks[next++]!
        done(task, await thread.run(name, task))
      }
    })
  }

  /** `share` runs once a thread. @throws the first failure, when all have stopped */
  async work(share: (thread: PoolThread, number: number) => Promise<void>): Promise<void> {
    await this.#settled(this.threads.map((thread, number) => this.#orStop(share(thread, number))))
  }

  /** Tasks may wait for each other. */
  async #orStop(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.stop()
      throw error
    }
  }

  /** Throws the first failure that is no consequence of another. */
  async #settled<T>(work: readonly Promise<T>[]): Promise<T[]> {
    const results = await Promise.allSettled(work)
    const reasons: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    if (reasons.length > 0)
      throw reasons.find((reason) => !(reason instanceof Failure && reason.code === 'cancelled')) ?? reasons[0]
    return results.map((result) => (result as PromiseFulfilledResult<T>).value)
  }

  /** Tasks end with the failure `cancelled`. */
  stop(): void {
    Atomics.store(this.#stop, 0, 1)
  }

  async end(): Promise<void> {
    this.stop()
    await Promise.allSettled(this.threads.map((thread) => thread.end()))
  }
}

const WATCH_MS = 20

/** Stops the pool when the job is cancelled. @throws Failure (cancelled) */
export async function watched<T>(pool: ThreadPool, job: JobContext, work: () => Promise<T>): Promise<T> {
  throwIfCancelled(job.signal)
  const watch = setInterval(() => {
    if (job.signal.aborted) pool.stop()
  }, WATCH_MS)
  try {
    return await work()
  } catch (error) {
    throwIfCancelled(job.signal)
    throw error
  } finally {
    clearInterval(watch)
  }
}

class OwnThread implements PoolThread {
  readonly #thread: IngestThread

  constructor(stop: Int32Array, memory: ScratchMemory | null) {
    this.#thread = new IngestThread(stop, memory)
  }

  async run<N extends ThreadTaskName>(name: N, args: ThreadTasks[N]['args']): Promise<ThreadTasks[N]['result']> {
    await nextTurn()
    return this.#thread.handle(name, args)
  }

  async end(): Promise<void> {
    this.#thread.close()
  }
}

class OtherThread implements PoolThread {
  readonly #thread = new LeasedThread()
  readonly #stop: Int32Array

  constructor(stop: Int32Array) {
    this.#stop = stop
  }

  run<N extends ThreadTaskName>(name: N, args: ThreadTasks[N]['args']): Promise<ThreadTasks[N]['result']> {
    return this.#thread.run<IngestRequest, ThreadTasks[N]['result']>('ingest', { stop: this.#stop, name, args })
  }

  async end(): Promise<void> {
    try {
      await this.#thread.run<IngestRequest, void>('ingest', 'close')
    } finally {
      await this.#thread.end()
    }
  }
}
