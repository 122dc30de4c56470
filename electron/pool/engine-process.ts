import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { Failure, ON_PROCESSOR, REPEAT } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import type { EngineReply, EngineRequest, JobName, Jobs } from '../../workers/contract/jobs.ts'
import { OUTPUT_UMASK } from '../../workers/base/output-file.ts'
import { compiledCodeLocation } from '../library/location.ts'
import { engineNode } from './engine-node.ts'

type Result = Jobs[JobName]['result']

interface Pending extends PromiseWithResolvers<Result> {
  readonly context: JobContext
}

export interface EngineOptions {
  /** Hears what native code in the engine prints. */
  readonly onText: (text: string) => void
  /** How long an engine that is asked to end may take for it. */
  readonly quitPatienceMs?: number | undefined
  /** How long a job that is asked to stop may take for it. */
  readonly cancelPatienceMs?: number | undefined
  /** What to start before the first job: workers/engine/engine.ts says what there is. */
  readonly ahead?: readonly string[] | undefined
}

/** Characters of the engine's output that are kept for the message about its death. */
const LAST_WORDS = 4096
/**
 * An engine that was asked to end is waited for this long. A thread may hang in a driver or in a loop; and Node itself now and then
 * waits for ever at the end of a process, for a thread that compiles and waits for it in turn (nodejs/node issue 54918).
 */
const QUIT_PATIENCE_MS = 5000
/** Cancelled runs settle within a second; what takes longer than this does not look whether it was cancelled. */
const CANCEL_PATIENCE_MS = 5000
/** A signal to the whole process group may end an engine that has not started yet before this process hears of it. */
const SAME_SIGNAL_MS = 250
/** Threads of the engine compile each for itself what they do often, in threads that they share; Node has four of these by default. */
const COMPILERS = Math.max(4, Math.min(32, Math.floor(availableParallelism() / 2)))
/**
 * Nearly all time of a run is spent in a few loops, in every thread: with many of them the compiler between the first and the last one only
 * takes processors from the work (16 cores: cold runs 5 to 15 % faster without it; two cores: no difference).
 */
const MANY_THREADS = 8
const TIERS = availableParallelism() >= MANY_THREADS ? ['--no-maglev', '--no-osr-from-maglev'] : []
/** Reads that may be under way at a time, of all threads of the engine together; Node has four of these by default. */
const READERS = 16

/** What an engine finds in its environment: Node keeps there what it compiled, for all its threads and for the next one. */
const surroundings = (): NodeJS.ProcessEnv => ({
  NODE_COMPILE_CACHE: compiledCodeLocation(tmpdir()),
  UV_THREADPOOL_SIZE: String(READERS),
  ...process.env,
})

/** Behind the four descriptors of an engine: that of a launcher of MPI (MPICH's), through which the engine meets the other ranks. */
function launcherDescriptor(): { readonly stdio: readonly number[]; readonly env: NodeJS.ProcessEnv } {
  const fd = process.env['PMI_FD']
  return fd === undefined ? { stdio: [], env: {} } : { stdio: [Number(fd)], env: { PMI_FD: '4' } }
}

/**
 * One engine process with the jobs that it was given: its messages become promises, and so does its death. It never outlives this
 * process: it ends by itself when this one was killed, and is killed when this one exits.
 */
export class EngineProcess {
  readonly #child: ChildProcess
  readonly #pending = new Map<number, Pending>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #options: EngineOptions
  readonly #kill = (): void => void this.#child.kill('SIGKILL')
  #lastWords = ''
  #hasPlace = false
  #isQuitting = false
  /** A thread of it did not stop when it was asked to. */
  #isStuck = false
  #endSignal: NodeJS.Signals | null = null

  constructor(path: string, options: EngineOptions) {
    this.#options = options
    const launcher = launcherDescriptor()
    this.#child = fork(path, options.ahead ?? [], {
      execPath: engineNode(),
      env: { ...surroundings(), ...launcher.env },
      execArgv: [`--v8-pool-size=${COMPILERS}`, ...TIERS],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...launcher.stdio],
    })
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString()
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS)
      options.onText(text)
    }
    this.#child.stdout?.on('data', hear)
    this.#child.stderr?.on('data', hear)
    this.#child.on('message', (reply: EngineReply) => this.#receive(reply))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('exit', (code, signal) => {
      this.#endSignal = signal
      this.#end(signal === null ? `exit code ${code}` : `signal ${signal}`)
    })
    process.once('exit', this.#kill)
    void this.ended.then(() => process.off('exit', this.#kill))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether it is given no more jobs. */
  get isRetired(): boolean {
    return this.#isQuitting
  }

  /** Settles when the process has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Starts a job. @throws Failure as the job ends with; code `engine` when the process dies, `cancelled` where that was asked for */
  async run<N extends JobName>(job: number, name: N, args: Jobs[N]['args'], context: JobContext): Promise<Result> {
    const pending: Pending = { ...Promise.withResolvers<Result>(), context }
    this.#pending.set(job, pending)
    // It may have been started before this process took on the permissions of a library.
    if (!this.#hasPlace) this.#post({ type: 'masks', library: process.umask(), own: process.env[OUTPUT_UMASK] })
    this.#hasPlace = true
    this.#post({ type: 'start', job, name, args })
    try {
      return await pending.promise
    } catch (error) {
      const died = error instanceof Failure && error.code === 'engine'
      throw died && (await this.#wasAskedToStop(context)) ? cancelled() : error
    } finally {
      this.#pending.delete(job)
      if (this.#isQuitting) this.#quitWhenIdle()
    }
  }

  /**
   * Asks a job to stop. Threads cannot be ended one by one: where it does not obey, the process is killed, but not before the other
   * jobs in it have ended.
   */
  cancel(job: number): void {
    this.#post({ type: 'cancel', job })
    const timer = setTimeout(() => this.#giveUp(job), this.#options.cancelPatienceMs ?? CANCEL_PATIENCE_MS)
    void this.#pending
      .get(job)
      ?.promise.catch(() => {})
      .then(() => clearTimeout(timer))
  }

  /** Asks the process to stop what it does and to end; settles when it has. */
  quit(): Promise<void> {
    if (this.#pending.size > 0) this.#post({ type: 'quit' })
    this.#isQuitting = true
    this.#killLater()
    this.#quitWhenIdle()
    return this.ended
  }

  /**
   * Lets go of the process: without a job it ends by itself, and nobody waits for it.
   * @returns false where it has one
   */
  release(): boolean {
    if (this.#pending.size > 0) return false
    this.#isQuitting = true
    process.off('exit', this.#kill)
    if (this.#child.connected) this.#child.disconnect()
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
    this.#child.unref()
    return true
  }

  /** Ends the process once its jobs have ended; it is given no more. */
  retire(): void {
    this.#isQuitting = true
    this.#quitWhenIdle()
  }

  #giveUp(job: number): void {
    const pending = this.#pending.get(job)
    if (pending === undefined) return
    this.#isQuitting = true
    this.#isStuck = true
    // Its end rejects the job, so that nothing of it writes any more when whoever asked for it cleans up.
    if (this.#pending.size === 1) return this.#kill()
    this.#pending.delete(job)
    pending.reject(cancelled())
  }

  #quitWhenIdle(): void {
    if (this.#pending.size > 0) return
    if (this.#isStuck) return this.#kill()
    this.#post({ type: 'quit' })
    // Nothing of ours is in it any more.
    this.#killLater()
  }

  #killLater(): void {
    const timer = setTimeout(() => this.#kill(), this.#options.quitPatienceMs ?? QUIT_PATIENCE_MS).unref()
    void this.ended.then(() => clearTimeout(timer))
  }

  async #wasAskedToStop({ signal }: JobContext): Promise<boolean> {
    if (!signal.aborted && (this.#endSignal === 'SIGINT' || this.#endSignal === 'SIGTERM')) await after(SAME_SIGNAL_MS)
    return signal.aborted
  }

  #receive(reply: EngineReply): void {
    if (reply.type === 'ready') return
    const pending = this.#pending.get(reply.job)
    if (pending === undefined) return
    switch (reply.type) {
      case 'progress':
        return this.#guarded(reply.job, pending, () => pending.context.progress(reply.progress))
      case 'log':
        return this.#guarded(reply.job, pending, () => pending.context.log(reply.message))
      case 'done':
        return pending.resolve(reply.result)
      case 'failed': {
        const failure = new Failure(reply.failure)
        if (reply.stack !== undefined) failure.stack = reply.stack
        return pending.reject(failure)
      }
    }
  }

  /** What whoever hears of a job throws ends that job, not this program. */
  #guarded(job: number, pending: Pending, hear: () => void): void {
    try {
      hear()
    } catch (error) {
      this.cancel(job)
      pending.reject(error)
    }
  }

  #end(reason: string): void {
    const failure = new Failure({
      code: 'engine',
      what: `the engine process ended unexpectedly (${[reason, lastLine(this.#lastWords)].filter(Boolean).join(': ')})`,
      remedy: 'A fresh engine starts by itself. If it happens again, update the GPU driver.',
      fixes: [REPEAT, ON_PROCESSOR],
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

function cancelled(): Failure {
  return new Failure({ code: 'cancelled', what: 'cancelled', remedy: '', fixes: [REPEAT] })
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? ''
}
