import { SHARE_ENV, Worker } from 'node:worker_threads'
import { Failure } from '../base/failure.ts'
import type { FailureValue } from '../base/failure.ts'
import { settleFailure } from '../base/settle-failure.ts'
import { threadEntry } from './thread-entry.ts'

/** What a thread is asked to do: the name of a task in the table of its entry (workers/engine/task-thread.ts), and its argument. */
export interface ThreadRequest {
  readonly task: string
  readonly argument: unknown
}

/** What it is started with: the task that it will be asked for first, where that is known. */
export interface ThreadStart {
  readonly task: string | undefined
}

export type ThreadReply =
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly failure: FailureValue; readonly stack?: string | undefined }

/** Threads without a device take any task that needs none; a thread that opened a GPU is kept for it, and never ended. */
export const NO_DEVICE = ''

interface PooledThread {
  readonly worker: Worker
  readonly device: string
  /** Why it ended, where it did. */
  lost?: unknown
}

const ENTRY = 'task-thread'
/** Threads that wait for a task. */
const idle: PooledThread[] = []

/**
 * Starts threads that will be wanted soon: it takes them tens of milliseconds.
 * @param task whose code they load at once
 */
export function warmThreads(count: number, task?: string): void {
  const missing = count - idle.filter(({ device }) => device === NO_DEVICE).length
  for (let i = 0; i < missing; i++) idle.push(startThread(NO_DEVICE, task))
}

/**
 * Runs a task in a thread of its own.
 * @param device that the thread opens; {@link NO_DEVICE} for none
 * @param ends whether the thread ends with it, so that memory that it shared is freed; never one that opened a device
 * @throws Failure as the task ends with, or (fault) when its thread does
 */
export function runInThread<Argument, Result>(
  task: string,
  argument: Argument,
  device = NO_DEVICE,
  ends = false,
): Promise<Result> {
  const thread = takeIdle(device) ?? startThread(device)
  const free = (): void => {
    if (ends) void thread.worker.terminate()
    else idle.push(thread)
  }
  return ask(thread, { task, argument }, free)
}

/** A thread that one owner asks for task after task; their code may keep what one needs of the other. */
export class LeasedThread {
  readonly #thread = takeIdle(NO_DEVICE) ?? startThread(NO_DEVICE)

  /** @throws Failure as {@link runInThread} */
  run<Argument, Result>(task: string, argument: Argument): Promise<Result> {
    return ask(this.#thread, { task, argument }, () => {})
  }

  /** Ends the thread, and what its tasks kept with it. */
  async end(): Promise<void> {
    await this.#thread.worker.terminate()
  }
}

/** @param done called when the thread is free again, before the promise settles */
function ask<Result>(thread: PooledThread, request: ThreadRequest, done: () => void): Promise<Result> {
  const { worker } = thread
  if (thread.lost !== undefined) return Promise.reject(lostFailure(thread.lost))
  return new Promise((resolve, reject) => {
    const settle = (): void => void worker.off('message', receive).off('error', lose).off('exit', leave)
    const receive = (reply: ThreadReply): void => {
      settle()
      done()
      if (reply.type === 'done') return resolve(reply.result as Result)
      const failure = new Failure(reply.failure)
      if (reply.stack !== undefined) failure.stack = reply.stack
      reject(failure)
    }
    const lose = (error: unknown): void => {
      settle()
      reject(lostFailure(error))
    }
    const leave = (): void => lose(new Error(ENDED))
    worker.on('message', receive).on('error', lose).on('exit', leave)
    worker.postMessage(request)
  })
}

const ENDED = 'a thread ended before its task'
const lostFailure = (error: unknown): Failure => new Failure(settleFailure(error).failure)

function takeIdle(device: string): PooledThread | undefined {
  const at = idle.findIndex((thread) => thread.device === device)
  return at < 0 ? undefined : idle.splice(at, 1)[0]
}

function startThread(device: string, task?: string): PooledThread {
  const workerData: ThreadStart = { task }
  const worker = new Worker(threadEntry(ENTRY), { name: ENTRY, env: SHARE_ENV, workerData })
  const thread: PooledThread = { worker, device }
  // One that ends while it waits must not be given a task, nor take this thread along.
  const forget = (reason: unknown): void => {
    thread.lost ??= reason
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  }
  worker.on('error', forget).on('exit', () => forget(new Error(ENDED)))
  worker.unref()
  return thread
}
