import type { JobContext } from '../../job.ts'
import { Crew, type CrewMember, watched } from '../external/crew.ts'
import type { ThreadTaskName, ThreadTasks } from '../external/thread-tasks.ts'

/** With more threads than this one of them does nothing but the checksum of the file, which takes it as long as all else together. */
const SHARING_THREADS = 4
/** Bytes hashed between two looks at whether the job goes on. */
const HASH_BYTES = 16 << 20

type Args<N extends ThreadTaskName> = ThreadTasks[N]['args']
type Result<N extends ThreadTaskName> = ThreadTasks[N]['result']

/** The threads of an import of plain lines. One of them also computes the checksum of the file, which has to be done in order. */
export class LineThreads {
  readonly #crew: Crew
  readonly #job: JobContext
  /** Threads that do nothing but the checksum. */
  readonly #hashers: number
  #hashed: Promise<string> | null = null

  constructor(threads: number, job: JobContext) {
    this.#crew = new Crew(threads)
    this.#job = job
    this.#hashers = threads > SHARING_THREADS ? 1 : 0
  }

  /** The same task for every thread. */
  async each<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>[]> {
    const results: Result<N>[] = []
    await this.#work(async (member, number) => {
      results[number] = await member.run(name, args)
    })
    return results
  }

  /** Tasks in order, each to the thread that is free next. */
  async spread<N extends ThreadTaskName>(
    name: N,
    tasks: readonly Args<N>[],
    done: (result: Result<N>, number: number) => void,
  ): Promise<void> {
    let next = 0
    await this.#work(async (member, number) => {
      if (number === 0 && this.#hashers === 0) await this.#hashed
      while (next < tasks.length) {
        const task = next++
        done(await member.run(name, tasks[task]!), task)
      }
    })
  }

  /** One task for one thread. */
  async one<N extends ThreadTaskName>(name: N, args: Args<N>): Promise<Result<N>> {
    return this.#crew.members.at(-1)!.run(name, args)
  }

  /** Starts with the checksum of a file. */
  startHash(path: string, bytes: number): void {
    this.#hashed = this.#hash(path, bytes)
    // It is met by whoever asks for the checksum.
    this.#hashed.catch(() => this.#crew.stop())
  }

  /** SHA-256 of the file, hexadecimal. */
  async hashed(): Promise<string> {
    if (this.#hashed === null) throw new Error('nothing is hashed')
    return this.#hashed
  }

  async end(): Promise<void> {
    await this.#crew.end()
  }

  async #hash(path: string, bytes: number): Promise<string> {
    const member = this.#crew.members[0]!
    for (let end = HASH_BYTES; ; end += HASH_BYTES) {
      const digest = await member.run('hash', { path, end: Math.min(end, bytes), last: end >= bytes })
      if (digest !== null) return digest
    }
  }

  async #work(share: (member: CrewMember, number: number) => Promise<void>): Promise<void> {
    const hashers = this.#hashers
    await watched(this.#crew, this.#job, () =>
      this.#crew.work(async (member, number) => {
        if (number >= hashers) await share(member, number - hashers)
      }),
    )
  }
}
