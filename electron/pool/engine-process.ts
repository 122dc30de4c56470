import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { Failure } from '../../workers/failure.ts'
import type { JobContext } from '../../workers/job.ts'
import type { EngineReply, EngineRequest, JobName, Jobs } from '../../workers/jobs.ts'
import { engineNode } from './engine-node.ts'

type Result = Jobs[JobName]['result']

interface Pending extends PromiseWithResolvers<Result> {
  readonly context: JobContext
}

/** Characters of the engine's output that are kept for the message about its death. */
const LAST_WORDS = 4096
/**
 * An engine that was asked to end and has no job left is waited for this long. A thread may hang in a driver; and Node itself now and then
 * waits for ever at the end of a process, for a thread that compiles and waits for it in turn (nodejs/node issue 54918).
 */
const QUIT_PATIENCE_MS = 5000
/** Threads of the engine compile each for itself what they do often, in threads that they share; Node has four of these by default. */
const COMPILERS = Math.max(4, Math.min(32, Math.floor(availableParallelism() / 2)))

/** One engine process with the jobs that it was given: its messages become promises, and so does its death. */
export class EngineProcess {
  readonly #child: ChildProcess
  readonly #pending = new Map<number, Pending>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #patienceMs: number
  #lastWords = ''
  #isQuitting = false

  /**
   * @param onText hears what native code in the engine prints
   * @param patienceMs how long an engine that is asked to end may take for it once its jobs have ended
   */
  constructor(path: string, onText: (text: string) => void, patienceMs = QUIT_PATIENCE_MS) {
    this.#patienceMs = patienceMs
    this.#child = fork(path, {
      execPath: engineNode(),
      execArgv: [`--v8-pool-size=${COMPILERS}`],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString()
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS)
      onText(text)
    }
    this.#child.stdout?.on('data', hear)
    this.#child.stderr?.on('data', hear)
    this.#child.on('message', (reply: EngineReply) => this.#receive(reply))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('exit', (code, signal) => this.#end(signal === null ? `exit code ${code}` : `signal ${signal}`))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Settles when the process has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Starts a job. @throws Failure as the job ends with; code `engine` when the process dies */
  async run<N extends JobName>(job: number, name: N, args: Jobs[N]['args'], context: JobContext): Promise<Result> {
    const pending: Pending = { ...Promise.withResolvers<Result>(), context }
    this.#pending.set(job, pending)
    this.#post({ type: 'start', job, name, args })
    try {
      return await pending.promise
    } finally {
      this.#pending.delete(job)
      if (this.#isQuitting) this.#quitWhenIdle()
    }
  }

  cancel(job: number): void {
    this.#post({ type: 'cancel', job })
  }

  /** Asks the process to stop what it does and to end; settles when it has. */
  quit(): Promise<void> {
    if (this.#pending.size > 0) this.#post({ type: 'quit' })
    this.retire()
    return this.ended
  }

  /** Ends the process once its jobs have ended; it is given no more. */
  retire(): void {
    this.#isQuitting = true
    this.#quitWhenIdle()
  }

  #quitWhenIdle(): void {
    if (this.#pending.size > 0) return
    this.#post({ type: 'quit' })
    // Nothing of ours is in it any more.
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), this.#patienceMs).unref()
    void this.ended.then(() => clearTimeout(timer))
  }

  #receive(reply: EngineReply): void {
    if (reply.type === 'ready') return
    const pending = this.#pending.get(reply.job)
    if (pending === undefined) return
    switch (reply.type) {
      case 'progress':
        return pending.context.progress(reply.progress)
      case 'log':
        return pending.context.log(reply.message)
      case 'done':
        return pending.resolve(reply.result)
      case 'failed': {
        const failure = new Failure(reply.failure)
        if (reply.stack !== undefined) failure.stack = reply.stack
        return pending.reject(failure)
      }
    }
  }

  #end(reason: string): void {
    const failure = new Failure({
      code: 'engine',
      what: `the engine process ended unexpectedly (${[reason, lastLine(this.#lastWords)].filter(Boolean).join(': ')})`,
      remedy:
        'Run it again: a fresh engine starts by itself. If it happens again, update the GPU driver or use --devices cpu:0.',
    })
    for (const { reject } of this.#pending.values()) reject(failure)
    this.#pending.clear()
    this.#ended.resolve()
  }

  /** A message to a process that has just died is dropped; its exit settles the job. */
  #post(request: EngineRequest): void {
    if (this.#child.connected) this.#child.send(request, () => {})
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? ''
}
