import { Failure, type FailureCode } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import type { JobName, Jobs } from '../../workers/contract/jobs.ts'
import { EngineProcess, type EngineOptions } from './engine-process.ts'
import { findEngine } from './engine-node.ts'

const CANCEL_POLL_MS = 50
/** The state of the engine's threads, drivers and memory is unknown then. */
const RETIRING: readonly FailureCode[] = ['engine', 'fault', 'lost']

export interface PoolOptions {
  readonly enginePath?: string
  /** Native code of the engine, such as drivers. */
  readonly onEngineText?: (text: string) => void
  /** Killed after this. */
  readonly quitPatienceMs?: number
  /** Likewise, without another job. */
  readonly cancelPatienceMs?: number
  /** Started ahead of its pool. */
  readonly engine?: EngineProcess | undefined
  /** Does not wait for an idle engine. */
  readonly isLast?: boolean
}

/** One engine at a time, replaced after a broken thread, a lost device or a job that does not stop. */
export class Pool {
  readonly #enginePath: string
  readonly #options: EngineOptions
  readonly #engines = new Set<EngineProcess>()
  #engine: EngineProcess | undefined
  readonly #isLast: boolean
  #nextJob = 1

  constructor({ enginePath, onEngineText, engine, isLast, ...patience }: PoolOptions = {}) {
    this.#enginePath = enginePath ?? findEngine()
    this.#options = { ...patience, onText: onEngineText ?? (() => {}) }
    this.#isLast = isLast ?? false
    if (engine !== undefined) this.#engine = this.#adopted(engine)
  }

  get enginePid(): number | undefined {
    return this.#engine?.pid
  }

  /** Cancelled ones always settle. @throws Failure as the job; `engine` when the process dies */
  async run<N extends JobName>(name: N, args: Jobs[N]['args'], context: JobContext): Promise<Jobs[N]['result']> {
    if (this.#engine?.isRetired === true) this.#engine = undefined
    const engine = (this.#engine ??= this.#startEngine())
    const job = this.#nextJob++
    let isFinishing = false
    const poll = setInterval(() => {
      if (context.signal.enough === true && !isFinishing) {
        isFinishing = true
        engine.finish(job)
      }
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
