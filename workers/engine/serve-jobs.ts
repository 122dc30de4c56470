import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { settleFailure } from '../base/settle-failure.ts'
import type { SettledFailure } from '../base/settle-failure.ts'
import { isFaultDue, spin } from '../base/fault-injection.ts'
import { throttledProgress } from '../base/job.ts'
import type { JobContext } from '../base/job.ts'
import { OverallProgress } from './overall-progress.ts'
import type { EngineReply, EngineRequest, JobName, Jobs } from '../contract/jobs.ts'

type Job<N extends JobName> = (args: Jobs[N]['args'], job: JobContext) => Jobs[N]['result'] | Promise<Jobs[N]['result']>

/** Loads the code of a job, when it is asked for; each entry of the engine serves some of them. */
export type JobTable = { readonly [N in JobName]?: () => Promise<Job<N>> }

/** What a thread of the engine is started with. */
export interface ThreadData {
  /** One word of shared memory: not 0 once the job is to stop. A thread at work sees no message. */
  readonly stop: Int32Array
  /** The job that it will be asked for first, where that is known already. */
  readonly first?: JobName | undefined
  /** What its first run will compute on, likewise. */
  readonly devices?: string | undefined
  /** Of the file that its first job reads, likewise. */
  readonly bytes?: number | undefined
}

/** What it tells the engine, which keeps `rest` to itself: the thread is done with what follows a job, too. */
export type ThreadReply = EngineReply | { readonly type: 'rest' }

/** The stop word of jobs whose process lost its parent. */
export const ABANDONED = 2

/** Serves jobs on the port of this thread, one at a time, as the engine sends them. */
export function serveJobs(table: JobTable): void {
  const port = parentPort
  if (port === null) throw new Error('this file is the entry of a worker thread')
  const { stop, first } = workerData as ThreadData
  port.on('message', (request: EngineRequest) => {
    if (request.type !== 'start') return
    void serve(
      table,
      request.name,
      request.args,
      contextOf(request, stop, (reply) => port.postMessage(reply)),
    ).then((reply) => {
      port.postMessage({ ...reply, job: request.job })
      // The process may be ended without a word to its threads.
      flushCompileCache()
      port.postMessage({ type: 'rest' })
    })
  })
  // What goes wrong here is said by the job.
  if (first !== undefined) table[first]?.().catch(() => {})
}

type Start = Extract<EngineRequest, { type: 'start' }>

function contextOf({ job, name }: Start, stop: Int32Array, send: (reply: EngineReply) => void): JobContext {
  const overall = new OverallProgress(name)
  return {
    signal: {
      get aborted() {
        return Atomics.load(stop, 0) !== 0
      },
      get abandoned() {
        return Atomics.load(stop, 0) === ABANDONED
      },
    },
    progress: throttledProgress((progress) =>
      send({ type: 'progress', job, progress: { ...progress, overall: overall.of(progress) } }),
    ),
    log: (message) => send({ type: 'log', job, message }),
  }
}

type Settled = { type: 'done'; result: Jobs[JobName]['result'] } | ({ type: 'failed' } & SettledFailure)

async function serve(
  table: JobTable,
  name: JobName,
  args: Jobs[JobName]['args'],
  context: JobContext,
): Promise<Settled> {
  try {
    const load = table[name]
    if (load === undefined) throw new Error(`no job ${name} here`)
    if (isFaultDue('endless')) spin()
    const run = (await load()) as Job<JobName>
    return { type: 'done', result: await run(args as never, context) }
  } catch (error) {
    return { type: 'failed', ...settleFailure(error) }
  }
}
