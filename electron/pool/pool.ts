import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../workers/failure.ts'
import type { FailureCode } from '../../workers/failure.ts'
import type { JobContext } from '../../workers/job.ts'
import type { JobName, Jobs } from '../../workers/jobs.ts'
import { EngineProcess } from './engine-process.ts'
import type { EngineOptions } from './engine-process.ts'

const CANCEL_POLL_MS = 50
/** After these nobody knows what state the engine's threads, drivers and memory are in. */
const RETIRING: readonly FailureCode[] = ['engine', 'fault', 'lost']

interface PoolOptions {
  readonly enginePath?: string
  /** Hears what native code in the engine prints (drivers do); it never reaches this process's own output by itself. */
  readonly onEngineText?: (text: string) => void
  /** An engine that does not end in this time is killed. */
  readonly quitPatienceMs?: number
  /** So is one whose job does not stop in this time, when it has no other. */
  readonly cancelPatienceMs?: number
}

/**
 * Owns the engine process: starts it at the first job, and a fresh one after a crash. An engine in which a thread broke, a
 * device was lost or a job did not stop is given no more jobs, ends what it has, and makes way.
 */
export class Pool {
  readonly #enginePath: string
  readonly #options: EngineOptions
  readonly #engines = new Set<EngineProcess>()
  /** The one that is given new jobs. */
  #engine: EngineProcess | undefined
  #nextJob = 1

  constructor({ enginePath, onEngineText, ...patience }: PoolOptions = {}) {
    this.#enginePath = enginePath ?? findEngine()
    this.#options = { ...patience, onText: onEngineText ?? (() => {}) }
  }

  /** Process id of the engine, while there is one. */
  get enginePid(): number | undefined {
    return this.#engine?.pid
  }

  /**
   * Runs one job in the engine. One that is cancelled settles, whether it obeys or not.
   * @throws Failure as the job ends with; code `engine` when the engine process dies
   */
  async run<N extends JobName>(name: N, args: Jobs[N]['args'], context: JobContext): Promise<Jobs[N]['result']> {
    if (this.#engine?.isRetired === true) this.#engine = undefined
    const engine = (this.#engine ??= this.#startEngine())
    const job = this.#nextJob++
    const poll = setInterval(() => {
      if (!context.signal.aborted) return
      clearInterval(poll)
      engine.cancel(job)
    }, CANCEL_POLL_MS)
    try {
      return (await engine.run(job, name, args, context)) as Jobs[N]['result']
    } catch (error) {
      if (error instanceof Failure && RETIRING.includes(error.code)) this.#retire(engine)
      throw error
    } finally {
      clearInterval(poll)
    }
  }

  /** Asks the engine to stop what it does and to end; settles when it has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#engines].map((engine) => engine.quit()))
  }

  #startEngine(): EngineProcess {
    const engine = new EngineProcess(this.#enginePath, this.#options)
    this.#engines.add(engine)
    void engine.ended.then(() => {
      this.#engines.delete(engine)
      this.#forget(engine)
    })
    return engine
  }

  #retire(engine: EngineProcess): void {
    this.#forget(engine)
    engine.retire()
  }

  #forget(engine: EngineProcess): void {
    if (this.#engine === engine) this.#engine = undefined
  }
}

/** engine.js beside the running bundle, or one folder up from a chunk of it. */
function findEngine(): string {
  const places = [join(import.meta.dirname, 'engine.js'), join(import.meta.dirname, '..', 'engine.js')]
  return places.find((path) => existsSync(path)) ?? places[0]!
}
