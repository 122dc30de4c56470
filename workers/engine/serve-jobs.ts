import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { settleFailure } from '../base/failure.ts'
import { isFaultDue, spin } from '../base/fault-injection.ts'
import { ABANDONED, ENOUGH, type JobContext, type Progress, throttledProgress } from '../base/job.ts'
import type { EngineReply, EngineRequest, JobName, Jobs, SettledJob } from '../contract/jobs.ts'
import type { StartedThread } from '../threads/thread-pool.ts'

type Job<N extends JobName> = (args: Jobs[N]['args'], job: JobContext) => Jobs[N]['result'] | Promise<Jobs[N]['result']>

export type JobTable = { readonly [N in JobName]: () => Promise<Job<N>> }

/** What a first job is known of before its arguments. */
export interface FirstJob {
  readonly first: JobName
  /** Devices as --devices lists them. */
  readonly devices: string
  /** Threads to be started if it runs on the processor. */
  readonly scanThreads: number
}

export interface JobThreadData {
  /** Not 0 once the job is to stop: a thread at work receives no message. */
  readonly stop: Int32Array
  readonly ahead?: FirstJob | undefined
  /** Started for it. */
  readonly threads: readonly StartedThread[]
}

/** A reply; `rest`: also what follows a job is done. */
export type JobReply = EngineReply | { readonly type: 'rest' }

/** One at a time. */
export function serveJobs(table: JobTable): void {
  const port = parentPort
  if (port === null) throw new Error('this file is the entry of a worker thread')
  const { stop, ahead } = workerData as JobThreadData
  port.on('message', (request: EngineRequest) => {
    if (request.type !== 'start') return
    const later: (() => void)[] = []
    const afterwards = (work: () => void): void => void later.push(work)
    const context = { ...contextOf(request, stop, (reply) => port.postMessage(reply)), afterwards }
    void serve(table, request.name, request.args, context).then((reply) => {
      port.postMessage({ ...reply, job: request.job })
      for (const work of later) work()
      // The process may be ended without notice.
      flushCompileCache()
      port.postMessage({ type: 'rest' })
    })
  })
  // The job reports it.
  if (ahead !== undefined) table[ahead.first]().catch(() => {})
}

type Start = Extract<EngineRequest, { type: 'start' }>

function contextOf({ job }: Start, stop: Int32Array, send: (reply: EngineReply) => void): JobContext {
  return {
    signal: {
      get aborted() {
        const word = Atomics.load(stop, 0)
        return word !== 0 && word !== ENOUGH
      },
      get abandoned() {
        return Atomics.load(stop, 0) === ABANDONED
      },
      get enough() {
        return Atomics.load(stop, 0) === ENOUGH
      },
    },
    progress: (progress) => send({ type: 'progress', job, progress }),
    log: (message) => send({ type: 'log', job, message }),
  }
}

/** Does a job in this thread. */
export async function serve(
  table: JobTable,
  name: JobName,
  args: Jobs[JobName]['args'],
  context: JobContext,
): Promise<SettledJob> {
  const overall = new OverallProgress(name, 'quality' in args && args.quality === 'best')
  const progress = throttledProgress((step) => context.progress({ ...step, overall: overall.of(step) }))
  try {
    if (isFaultDue('endless')) spin()
    const run = (await table[name]()) as Job<JobName>
    return { type: 'done', result: await run(args as never, { ...context, progress }) }
  } catch (error) {
    return { type: 'failed', ...settleFailure(error) }
  }
}

/** Phases of a run in groups, and where the last of each group commonly ends. */
const endsOfRun: readonly (readonly [end: number, phases: readonly string[]])[] = [
  [0.03, ['open', 'checksum']],
  [0.15, ['order', 'cut tiles']],
  [0.5, ['scan']],
  [0.72, ['match', 'round', 'sweep', 'gather']],
  [0.77, ['finish', 'balance']],
  [0.87, ['load', 'reduce', 'search', 'fill up', 'swap', 'weigh', 'augment', 'complete']],
  [1, ['verify']],
]
/** Groups of phases for a run that searches for a given time, which outlasts all else. */
const endsOfSearch: typeof endsOfRun = [
  ...endsOfRun.slice(0, 5).map(([end, phases]) => [end / 5, phases] as const),
  [0.2, ['load', 'reduce', 'weigh']],
  [0.97, ['search', 'fill up', 'swap', 'augment', 'complete']],
  [1, ['verify']],
]

/** 0 to 1, never back, though a phase may come again. */
export class OverallProgress {
  readonly #job: JobName
  readonly #ends: typeof endsOfRun
  #reached = 0
  #phase = ''
  /** It covers phases that the run does not have. */
  #began = 0

  constructor(job: JobName, searches = false) {
    this.#job = job
    this.#ends = searches ? endsOfSearch : endsOfRun
  }

  of(progress: Progress): number | undefined {
    if (progress.phase !== this.#phase) this.#began = this.#reached
    this.#phase = progress.phase
    const reached = this.#job === 'run' ? this.#ofRun(progress) : ofStages(progress)
    this.#reached = Math.min(1, Math.max(this.#reached, reached))
    return this.#reached === 0 && progress.total === undefined ? undefined : this.#reached
  }

  #ofRun(progress: Progress): number {
    const [end] = this.#ends.find(([, phases]) => phases.includes(progress.phase)) ?? [0]
    return this.#began + (end - this.#began) * ofPhase(progress)
  }
}

const ofPhase = ({ done, total }: Progress): number =>
  total === undefined || total <= 0 ? 0 : Math.min(1, Math.max(0, done / total))

function ofStages(progress: Progress): number {
  const { number, count } = progress.stage ?? { number: 1, count: 1 }
  return (number - 1 + ofPhase(progress)) / count
}
