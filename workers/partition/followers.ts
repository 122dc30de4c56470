import { SHARE_ENV, Worker } from 'node:worker_threads'
import { stopWaiting } from '../threads/barrier.ts'
import { Failure } from '../base/failure.ts'
import { settleFailure } from '../engine/serve-jobs.ts'
import type { PartReply, PartReport, VerifyTask, WorkerReport, WorkerTask } from './part-task.ts'
import { threadEntry } from '../threads/thread-entry.ts'

/** A thread, and the device of its last part, which it still has open. */
interface Follower {
  readonly worker: Worker
  readonly device: string
}

/** In place of the device of threads that need none. */
const HOST: VerifyTask['device'] = 'host'

/** Threads that wait for a part. They are kept: a thread that held a GPU is never ended. */
const idle: Follower[] = []

/**
 * Runs the leader's part here and one part in a thread for each task; settles when all have. When one fails the others stop
 * waiting for it.
 * @throws the failure of the worker that failed first of its own
 */
export async function withFollowers<T, Task extends WorkerTask>(
  tasks: readonly Task[],
  lead: () => Promise<T>,
): Promise<{ led: T; reports: ReportOf<Task>[] }> {
  const parts = tasks.map(startPart)
  const leading = lead().catch((error: unknown) => {
    for (const { shared } of tasks) stopWaiting(shared.control)
    return new Stopped(error)
  })
  const [led, ...replies] = await Promise.all([leading, ...parts])
  const failures = replies.filter((reply) => reply.type === 'failed').map(({ failure }) => new Failure(failure))
  const cause = failures.find(({ code }) => code !== 'cancelled')
  if (cause !== undefined) throw cause
  if (led instanceof Stopped) throw led.error
  if (failures[0] !== undefined) throw failures[0]
  return { led, reports: replies.flatMap((reply) => (reply.type === 'done' ? [reply.report as ReportOf<Task>] : [])) }
}

/** What a thread says of such a task. */
type ReportOf<Task extends WorkerTask> = Task extends VerifyTask ? Exclude<WorkerReport, PartReport> : PartReport

class Stopped {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

function startPart(task: WorkerTask): Promise<PartReply> {
  const worker = idleWorker(task.device) ?? newWorker(task.device === HOST ? 'lists-worker' : 'part-worker')
  return new Promise((resolve) => {
    const settle = (reply: PartReply): void => {
      worker.off('message', take).off('error', lose).off('exit', leave)
      resolve(reply)
    }
    const take = (reply: PartReply): void => {
      settle(reply)
      if (task.kind !== 'verify' || !task.ends) idle.push({ worker, device: task.device })
    }
    const lose = (error: unknown): void => {
      stopWaiting(task.shared.control)
      settle({ type: 'failed', ...settleFailure(error) })
    }
    const leave = (): void => lose(new Error('a worker thread ended before its part'))
    worker.on('message', take).on('error', lose).on('exit', leave)
    worker.postMessage(task)
  })
}

/** A thread that waits, rather one that has the device open already. Those of hosts cannot open any. */
function idleWorker(device: string): Worker | undefined {
  const same = idle.findIndex((follower) => follower.device === device)
  const at = same < 0 && device !== HOST ? idle.findIndex((follower) => follower.device !== HOST) : same
  const [found] = at < 0 ? [] : idle.splice(at, 1)
  return found?.worker
}

function newWorker(name: 'part-worker' | 'lists-worker'): Worker {
  const worker = new Worker(threadEntry(name), { name, env: SHARE_ENV })
  // One that ends while it waits must not be given a part, nor take this thread along.
  const forget = (): void => {
    const at = idle.findIndex((follower) => follower.worker === worker)
    if (at >= 0) idle.splice(at, 1)
  }
  return worker.on('error', forget).on('exit', forget)
}
