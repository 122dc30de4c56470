import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { type IngestRequest, IngestThread, type ThreadTaskName, type ThreadTasks } from './ingest-thread.ts'
import type { ScratchMemory } from './scratch-file.ts'
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

/** Of more threads one only hashes the file, which takes as long as all else together. */
const SHARING_THREADS = 4
/** Between two checks for cancellation. */
const HASH_BYTES = 16 << 20

interface HashedFile {
  readonly path: string
  readonly fileBytes: number
}

export type RunTask = <N extends ThreadTaskName>(name: N, args: Args<N>) => Promise<Result<N>>

type Args<N extends ThreadTaskName> = ThreadTasks[N]['args']
type Result<N extends ThreadTaskName> = ThreadTasks[N]['result']

/** A message takes as long as a thousand lines; the last tasks are waited for. */
const TASKS_EACH = 24

/** Threads of an import of plain lines. One of them hashes the files in order. */
export class LineThreads {
  readonly #pool: ThreadPool
  readonly #job: JobContext
  /** Threads that only hash. */
  readonly #hashers: number
  #hashed: Promise<string[]> | null = null

  constructor(threads: number, job: JobContext) {
    this.#pool = new ThreadPool(threads)
    this.#job = job
    this.#hashers = threads > SHARING_THREADS ? 1 : 0
  }

  /** Steps of a task; after `most` a thread looks whether it is to stop. */
  stepsEach(steps: number, most: number): number {
    return Math.max(1, Math.min(most, Math.floor(steps / TASKS_EACH / this.#pool.threads.length)))
  }

  /** [0, steps) in tasks. */
  ranges(steps: number, most: number): { readonly first: number; readonly last: number }[] {
    const each = this.stepsEach(steps, most)
    return Array.from({ length: Math.ceil(steps / each) }, (_, i) => {
      return { first: i * each, last: Math.min(steps, (i + 1) * each) }
    })
  }

  async each<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>[]> {
    const results: Result<N>[] = []
    await this.#work(async (thread, number) => {
      results[number] = await thread.run(name, args)
    })
    return results
  }

  /** Each to the next free thread. */
  async spread<N extends ThreadTaskName>(
    name: N,
    tasks: readonly Args<N>[],
    done: (result: Result<N>, number: number) => void,
  ): Promise<void> {
    let next = 0
    await this.#work(async (thread, number) => {
      if (number === 0 && this.#hashers === 0) await this.#hashed
      while (next < tasks.length) {
        const task = next++
        done(await thread.run(name, tasks[task]!), task)
      }
    })
  }

  /** As many at a time as there are threads. @param work runs tasks in the least busy thread */
  async together(count: number, work: (number: number, run: RunTask) => Promise<void>): Promise<void> {
    const threads = this.#pool.threads.slice(this.#hashers)
    const tails = threads.map((): Promise<unknown> => Promise.resolve())
    const waiting = threads.map(() => 0)
    const queue = <T>(thread: number, task: () => Promise<T>): Promise<T> => {
      waiting[thread]!++
      const result = tails[thread]!.then(task)
      const end = (): void => void waiting[thread]!--
      tails[thread] = result.then(end, end)
      return result
    }
    if (this.#hashers === 0 && this.#hashed !== null) queue(0, () => this.#hashed!).catch(() => {})
    const run: RunTask = (name, args) => {
      const thread = waiting.indexOf(Math.min(...waiting))
      return queue(thread, () => threads[thread]!.run(name, args))
    }
    let next = 0
    const lane = async (): Promise<void> => {
      try {
        while (next < count) await work(next++, run)
      } catch (error) {
        next = count
        this.#pool.stop()
        throw error
      }
    }
    await watched(this.#pool, this.#job, async () => {
      const lanes = Array.from({ length: Math.min(count, threads.length) }, lane)
      const ends = await Promise.allSettled(lanes)
      await Promise.all(tails)
      const reasons: unknown[] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
      if (reasons.length > 0)
        throw reasons.find((reason) => !(reason instanceof Failure && reason.code === 'cancelled')) ?? reasons[0]
    })
  }

  get count(): number {
    return this.#pool.threads.length
  }

  async one<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>> {
    return this.#pool.threads.at(-1)!.run(name, args)
  }

  /** One after another. */
  startHash(files: readonly HashedFile[]): void {
    this.#hashed = this.#hashAll(files)
    // Met by the caller of `hashed`.
    this.#hashed.catch(() => this.#pool.stop())
  }

  /** SHA-256 of each file. */
  async hashed(): Promise<string[]> {
    if (this.#hashed === null) throw new Error('nothing is hashed')
    return this.#hashed
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }

  async #hashAll(files: readonly HashedFile[]): Promise<string[]> {
    const digests: string[] = []
    for (const file of files) digests.push(await this.#hash(file))
    return digests
  }

  async #hash({ path, fileBytes }: HashedFile): Promise<string> {
    const thread = this.#pool.threads[0]!
    for (let end = HASH_BYTES; ; end += HASH_BYTES) {
      const digest = await thread.run('hash', { path, end: Math.min(end, fileBytes), last: end >= fileBytes })
      if (digest !== null) return digest
    }
  }

  async #work(share: (thread: PoolThread, number: number) => Promise<void>): Promise<void> {
    const hashers = this.#hashers
    await watched(this.#pool, this.#job, () =>
      this.#pool.work(async (thread, number) => {
        if (number >= hashers) await share(thread, number - hashers)
      }),
    )
  }
}
