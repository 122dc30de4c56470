import { Failure } from '../../workers/base/failure.ts'
import type { FailureCode } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import type { JobName, Jobs } from '../../workers/contract/jobs.ts'
import { EngineProcess } from './engine-process.ts'
import type { EngineOptions } from './engine-process.ts'
import { findEngine } from './find-engine.ts'

const CANCEL_POLL_MS = 50
/** After these nobody knows what state the engine's threads, drivers and memory are in. */
const RETIRING: readonly FailureCode[] = ['engine', 'fault', 'lost']

export interface PoolOptions {
  readonly enginePath?: string
  /** Hears what native code in the engine prints (drivers do); it never reaches this process's own output by itself. */
  readonly onEngineText?: (text: string) => void
  /** An engine that does not end in this time is killed. */
  readonly quitPatienceMs?: number
  /** So is one whose job does not stop in this time, when it has no other. */
  readonly cancelPatienceMs?: number
  /** The first engine, where it was started ahead of its pool. */
  readonly engine?: EngineProcess | undefined
  /** Whether this program ends with the pool: then it does not wait for an engine that has nothing to do. */
  readonly isLast?: boolean
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
  readonly #isLast: boolean
  #nextJob = 1

  constructor({ enginePath, onEngineText, engine, isLast, ...patience }: PoolOptions = {}) {
    this.#enginePath = enginePath ?? findEngine()
    this.#options = { ...patience, onText: onEngineText ?? (() => {}) }
    this.#isLast = isLast ?? false
    if (engine !== undefined) this.#engine = this.#adopted(engine)
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
    const left = [...this.#engines].filter((engine) => !(this.#isLast && engine.release()))
    await Promise.all(left.map((engine) => engine.quit()))
  }

  #startEngine(): EngineProcess {
    return this.#adopted(new EngineProcess(this.#enginePath, this.#options))
  }

  #adopted(engine: EngineProcess): EngineProcess {
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
