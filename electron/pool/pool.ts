import { throwIfCancelled, type JobContext } from '../../workers/base/job.ts'
import type { JobName, Jobs } from '../../workers/contract/jobs.ts'
import { EngineProcess, type EngineOptions } from './engine-process.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

interface PoolOptions extends Pick<EngineOptions, 'quitPatienceMs' | 'cancelPatienceMs'> {
  readonly enginePath?: string
  readonly onEngineText?: EngineOptions['onText']
  /** Started ahead of its pool. */
  readonly engine?: EngineProcess | undefined
  /** Does not wait for an idle engine. */
  readonly isLast?: boolean
}

/** What runs jobs: a pool, or what stands for one in tests. */
export type JobRunner = Pick<Pool, 'run' | 'close'>

/** One engine at a time, replaced after a broken thread, a lost device or a job that does not stop. */
export class Pool {
  readonly #enginePath: string
  readonly #options: EngineOptions
  /** Engines, of which at most one takes jobs. */
  readonly #engines = new Set<EngineProcess>()
  readonly #isLast: boolean
  #isClosed = false

  constructor({ enginePath, onEngineText, engine, isLast, ...patience }: PoolOptions = {}) {
    this.#enginePath = enginePath ?? findEngine()
    this.#options = { ...patience, onText: onEngineText ?? (() => {}) }
    this.#isLast = isLast ?? false
    if (engine !== undefined) this.#adopt(engine)
  }

  get enginePid(): number | undefined {
    return this.#engine?.pid
  }

  /** Cancelled ones always settle. @throws Failure as the job; `engine` when the process dies */
  async run<N extends JobName>(name: N, args: Jobs[N]['args'], context: JobContext): Promise<Jobs[N]['result']> {
    // The second step of work whose first one ended with its engine.
    throwIfCancelled({ aborted: this.#isClosed })
    const engine = this.#engine ?? this.#adopt(new EngineProcess(this.#enginePath, this.#options))
    return engine.run(name, args, context)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const left = [...this.#engines].filter((engine) => !(this.#isLast && engine.release()))
    await Promise.all(left.map((engine) => engine.quit()))
  }

  get #engine(): EngineProcess | undefined {
    return [...this.#engines].find(({ isRetired }) => !isRetired)
  }

  #adopt(engine: EngineProcess): EngineProcess {
    this.#engines.add(engine)
    void engine.ended.then(() => this.#engines.delete(engine))
    return engine
  }
}

export const findEngine = (): string => findEntry('engine.js')

/** Plain Node cannot read the archive of the window's program. */
export function findEntry(name: string): string {
  const here = import.meta.dirname.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked')
  const places = [join(here, name), join(here, '..', name)]
  return places.find((path) => existsSync(path)) ?? places[0]!
}
