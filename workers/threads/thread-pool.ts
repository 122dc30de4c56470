/**
 * The threads of an engine: started once, one task at a time, kept for the next task, as starting one and compiling its code take longer than
 * most tasks. A thread that opened a GPU is kept for that GPU and never ended, which could abort the process. Failures of tasks arrive as
 * values; a thread that dies is a fault of its task. work-board.ts shares out small pieces of work, barrier.ts lets tasks meet.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from 'node:worker_threads'
import { Failure, type SettledFailure, settleFailure } from '../base/failure.ts'
import { fromPost, toPost } from './far-views.ts'

export interface ThreadRequest {
  readonly task: string
  readonly argument: unknown
}

/** What a port gets in place of a request to end its thread. */
export const END = 'end'

export type ThreadReply =
  { readonly type: 'done'; readonly result: unknown } | ({ readonly type: 'failed' } & SettledFailure)

/** What a thread prepares before its first task. */
export interface ThreadStart {
  /** The task whose code it loads. */
  readonly task: string
  /** The device that it opens, or NO_DEVICE. */
  readonly device: string
}

/** @param port to the thread that has it, where another one started it */
export interface ThreadData extends ThreadStart {
  readonly port?: MessagePort
}

/** A thread that opened a GPU is kept for it, and never ended. */
export const NO_DEVICE = ''

/** A worker, or the port to a worker of another thread, which closes where that exits. */
interface Channel {
  postMessage(request: ThreadRequest | typeof END): void
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  ref(): void
  unref(): void
}

const ENTRY = 'task-thread'
const ENDED = 'a thread ended before its task'
const idle: PooledThread[] = []

/** One task at a time. Its code may keep state from one to the next. */
class PooledThread {
  readonly device: string
  readonly #channel: Channel
  readonly #ended = Promise.withResolvers<void>()
  #lost: Failure | undefined
  /** The task under way. */
  #reject: (failure: Failure) => void = () => {}

  constructor(channel: Channel, device: string) {
    this.device = device
    this.#channel = channel
    const leave = (): void => {
      this.#lose(new Error(ENDED))
      this.#ended.resolve()
    }
    channel.on('error', (error) => this.#lose(error))
    channel.on('exit', leave)
    channel.on('close', leave)
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** @throws Failure as the task ends with, or (fault) when the thread does */
  async run<Argument, Result>(task: string, argument: Argument): Promise<Result> {
    if (this.#lost !== undefined) throw this.#lost
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#reject = reject
    const channel = this.#channel
    channel.on('message', resolve)
    // A command that computes in its own process waits for the thread; an idle one keeps no process.
    channel.ref()
    channel.postMessage({ task, argument: toPost(argument) })
    const reply = (await promise.finally(() => {
      channel.off('message', resolve)
      channel.unref()
    })) as ThreadReply
    if (reply.type === 'done') return fromPost(reply.result) as Result
    const failure = new Failure(reply.failure)
    if (reply.stack !== undefined) failure.stack = reply.stack
    throw failure
  }

  /** Ends the thread, between tasks. */
  end(): Promise<void> {
    if (this.#lost === undefined) {
      this.#channel.ref()
      this.#channel.postMessage(END)
    }
    return this.#ended.promise
  }

  /** It must not be given a task. */
  #lose(error: unknown): void {
    this.#lost ??= new Failure(settleFailure(error).failure)
    const at = idle.indexOf(this)
    if (at >= 0) idle.splice(at, 1)
    this.#reject(this.#lost)
  }
}

/** A thread that its user ends. */
export const leaseThread = (): PooledThread => takeThread(NO_DEVICE)

/**
 * @param ends with the task, which frees memory that it shared; never one that opened a device @throws Failure as the
 * task ends with, or (fault) when its thread does
 */
export async function runInThread<Argument, Result>(
  task: string,
  argument: Argument,
  device = NO_DEVICE,
  ends = false,
): Promise<Result> {
  const thread = takeThread(device)
  try {
    return await thread.run(task, argument)
  } finally {
    if (ends) void thread.end()
    else if (!thread.isLost) idle.push(thread)
  }
}

/** Starts threads ahead of their tasks. */
export function warmThreads(count: number, task = ''): void {
  const missing = count - idle.filter(({ device }) => device === NO_DEVICE).length
  for (let i = 0; i < missing; i++) idle.push(new PooledThread(startWorker({ task, device: NO_DEVICE }), NO_DEVICE))
}

function takeThread(device: string): PooledThread {
  const at = idle.findIndex((thread) => thread.device === device)
  return at < 0 ? new PooledThread(startWorker(), device) : idle.splice(at, 1)[0]!
}

function startWorker(workerData: ThreadData = { task: '', device: NO_DEVICE }): Worker {
  const transferList = workerData.port === undefined ? [] : [workerData.port]
  const worker = new Worker(threadEntry(ENTRY), { name: ENTRY, env: SHARE_ENV, workerData, transferList })
  worker.unref()
  return worker
}

/** A thread that waits for the one that adopts it. */
export interface StartedThread {
  readonly device: string
  readonly port: MessagePort
}

/** Makes a thread for another one, which is to adopt it. @returns it, and what starts it, so that the other one can start before */
export function threadFor(start: ThreadStart): { readonly thread: StartedThread; readonly start: () => void } {
  const { port1, port2 } = new MessageChannel()
  // The one that adopted it only sees its port close.
  const report = (error: Error): void => void process.stderr.write(`a thread ended: ${error.stack ?? error.message}\n`)
  const begin = (): void => void startWorker({ ...start, port: port2 }).on('error', report)
  return { thread: { device: start.device, port: port1 }, start: begin }
}

export function adoptThreads(threads: readonly StartedThread[]): void {
  for (const { device, port } of threads) idle.push(new PooledThread(port, device))
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
