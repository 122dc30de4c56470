import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../workers/failure.ts'
import type { JobContext } from '../../workers/job.ts'
import type { EngineReply, EngineRequest, JobName, Jobs } from '../../workers/jobs.ts'
import { engineNode } from './engine-node.ts'

interface Pending {
  readonly context: JobContext
  resolve(result: Jobs[JobName]['result']): void
  reject(failure: Failure): void
}

const CANCEL_POLL_MS = 50
/** Characters of the engine's output that are kept for the message about its death. */
const LAST_WORDS = 4096

/** Owns the engine process: starts it at the first job, starts a fresh one after a crash, and turns its messages into promises. */
export class Pool {
  readonly #enginePath: string
  /** What native code in the engine prints (drivers do); it never reaches this process's own output by itself. */
  readonly #onEngineText: (text: string) => void
  readonly #pending = new Map<number, Pending>()
  #engine: ChildProcess | undefined
  #nextJob = 1

  constructor(options: { enginePath?: string; onEngineText?: (text: string) => void } = {}) {
    this.#enginePath = options.enginePath ?? findEngine()
    this.#onEngineText = options.onEngineText ?? (() => {})
  }

  /** Process id of the engine, while there is one. */
  get enginePid(): number | undefined {
    return this.#engine?.pid
  }

  /** Runs one job in the engine. @throws Failure as the job ends with; code `engine` when the engine process dies. */
  async run<N extends JobName>(name: N, args: Jobs[N]['args'], context: JobContext): Promise<Jobs[N]['result']> {
    const engine = (this.#engine ??= this.#startEngine())
    const job = this.#nextJob++
    let asked = false
    const poll = setInterval(() => {
      if (asked || !context.signal.aborted) return
      asked = true
      post(engine, { type: 'cancel', job })
    }, CANCEL_POLL_MS)
    try {
      return await new Promise<Jobs[N]['result']>((resolve, reject) => {
        this.#pending.set(job, { context, resolve: resolve as Pending['resolve'], reject })
        post(engine, { type: 'start', job, name, args })
      })
    } finally {
      clearInterval(poll)
      this.#pending.delete(job)
    }
  }

  /** Asks the engine to stop what it does and to end; settles when it has ended. */
  async close(): Promise<void> {
    const engine = this.#engine
    if (engine === undefined) return
    const ended = new Promise<void>((resolve) => engine.once('exit', () => resolve()))
    post(engine, { type: 'quit' })
    await ended
  }

  #startEngine(): ChildProcess {
    const engine = fork(this.#enginePath, {
      execPath: engineNode(),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let lastWords = ''
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString()
      lastWords = `${lastWords}${text}`.slice(-LAST_WORDS)
      this.#onEngineText(text)
    }
    engine.stdout?.on('data', hear)
    engine.stderr?.on('data', hear)
    engine.on('message', (reply: EngineReply) => this.#receive(reply))
    engine.on('error', (error) => this.#engineEnded(engine, error.message))
    engine.on('exit', (code, signal) =>
      this.#engineEnded(engine, signal === null ? `exit code ${code}` : `signal ${signal}`, lastWords),
    )
    return engine
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

  #engineEnded(engine: ChildProcess, reason: string, lastWords = ''): void {
    if (this.#engine === engine) this.#engine = undefined
    const failure = new Failure({
      code: 'engine',
      what: `the engine process ended unexpectedly (${[reason, lastLine(lastWords)].filter(Boolean).join(': ')})`,
      remedy:
        'Run it again: a fresh engine starts by itself. If it happens again, update the GPU driver or use --devices cpu:0.',
    })
    for (const pending of this.#pending.values()) pending.reject(failure)
    this.#pending.clear()
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? ''
}

/** A message to an engine that has just died is dropped; its exit settles the job. */
function post(engine: ChildProcess, request: EngineRequest): void {
  if (engine.connected) engine.send(request, () => {})
}

/** engine.js beside the running bundle, or one folder up from a chunk of it. */
function findEngine(): string {
  const places = [join(import.meta.dirname, 'engine.js'), join(import.meta.dirname, '..', 'engine.js')]
  return places.find((path) => existsSync(path)) ?? places[0]!
}
