import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { Failure, type SettledFailure, settleFailure } from '../base/failure.ts'

export interface ThreadRequest {
  readonly task: string
  readonly argument: unknown
}

/** What a thread prepares before its first task. */
export interface ThreadStart {
  /** Whose code it loads. */
  readonly task: string
  /** That it opens, or NO_DEVICE. */
  readonly device: string
}

export type ThreadReply =
  { readonly type: 'done'; readonly result: unknown } | ({ readonly type: 'failed' } & SettledFailure)

/** A thread that opened a GPU is kept for it, and never ended. */
export const NO_DEVICE = ''

interface PooledThread {
  readonly worker: Worker
  readonly device: string
  lost?: unknown
}

const ENTRY = 'task-thread'
const idle: PooledThread[] = []

/** Starts threads ahead of their tasks. */
export function warmThreads(count: number, task = '', device = NO_DEVICE): void {
  const missing = count - idle.filter((thread) => thread.device === device).length
  for (let i = 0; i < missing; i++) idle.push(startThread(device, { task, device }))
}

/**
 * @param ends with the task, which frees memory that it shared; never one that opened a device @throws Failure as the
 * task ends with, or (fault) when its thread does
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

/** Its code may keep state from one task to the next. */
export class LeasedThread {
  readonly #thread = takeIdle(NO_DEVICE) ?? startThread(NO_DEVICE)

  /** @throws Failure as {@link runInThread} */
  run<Argument, Result>(task: string, argument: Argument): Promise<Result> {
    return ask(this.#thread, { task, argument }, () => {})
  }

  async end(): Promise<void> {
    await this.#thread.worker.terminate()
  }
}

/** @param done called before the promise settles */
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

function startThread(device: string, workerData?: ThreadStart): PooledThread {
  const worker = new Worker(threadEntry(ENTRY), { name: ENTRY, env: SHARE_ENV, workerData })
  const thread: PooledThread = { worker, device }
  // It must not be given a task.
  const forget = (reason: unknown): void => {
    thread.lost ??= reason
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  }
  worker.on('error', forget).on('exit', () => forget(new Error(ENDED)))
  worker.unref()
  return thread
}

/** `name`.js beside the running bundle, or one folder up from a chunk of it; else the source. */
export function threadEntry(name: string): string {
  const here = import.meta.dirname
  const places = [join(here, `${name}.js`), join(here, '..', `${name}.js`)]
  return places.find((path) => existsSync(path)) ?? join(here, '../engine', `${name}.ts`)
}

const LOOK_MS = 20

/**
 * A failure stops the others. @param look called now and then meanwhile @throws the first failure other than that of
 * being stopped, which may arrive before it
 */
export async function allDone<T>(
  works: readonly Promise<T>[],
  shared: { stop(): void },
  look?: () => void,
): Promise<T[]> {
  const errors: unknown[] = []
  const watch = look === undefined ? undefined : setInterval(look, LOOK_MS)
  const settled = await Promise.all(
    works.map((work) =>
      work.catch((error: unknown) => {
        errors.push(error)
        shared.stop()
        return undefined
      }),
    ),
  )
  clearInterval(watch)
  if (errors.length > 0) throw errors.find((error) => !isCancelled(error)) ?? errors[0]
  return settled as T[]
}

const isCancelled = (error: unknown): boolean => error instanceof Failure && error.code === 'cancelled'
