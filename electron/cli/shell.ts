import { sep } from 'node:path'
import type { JobRunner } from '../service/job-runner.ts'
import { failureLine } from '../../workers/base/failure.ts'
import type { Failure } from '../../workers/base/failure.ts'
import type { JobContext, Progress } from '../../workers/base/job.ts'
import { inCommands } from './failure-text.ts'
import type { ProgressBar } from './progress-bar.ts'
import type { Workplace } from './workplace.ts'

export type { Workplace } from './workplace.ts'

/** Options that every command takes. */
export interface GlobalOptions {
  readonly library?: string | undefined
  readonly json?: boolean | undefined
  readonly debug?: boolean | undefined
}

/** Ctrl+C in a terminal comes twice: from the terminal, and passed on by launch.mjs. Closer than this they are one. */
const SAME_SIGNAL_MS = 200

/** Starts what does the jobs of a command. */
export type StartRunner = (options: { readonly onEngineText: (text: string) => void }) => JobRunner

/**
 * Where a command meets the terminal: answers go to stdout, everything else to stderr. With --json stdout holds exactly one
 * document. Ctrl+C asks the work to stop; a second one ends the program at once, and its engine with it.
 * What only some commands need is loaded when they do.
 */
export class Shell {
  readonly #options: () => GlobalOptions
  readonly #startRunner: StartRunner
  readonly #stop = new AbortController()
  #bar: ProgressBar | undefined
  #answered = false

  constructor(options: () => GlobalOptions, startRunner: StartRunner) {
    this.#options = options
    this.#startRunner = startRunner
  }

  /** What long operations take: stops with Ctrl+C, draws the progress bar. */
  readonly job: JobContext & { readonly signal: AbortSignal } = {
    signal: this.#stop.signal,
    progress: (progress) => this.#show(progress),
    log: (message) => this.remark(message),
  }

  /** Opens the library for a piece of work and closes everything afterwards. */
  async open<T>(work: (place: Workplace) => Promise<T>, folder?: string): Promise<T> {
    const { openWorkplace } = await import('./workplace.ts')
    const onEngineText = (text: string): void => this.#showEngineText(text)
    const { place, close } = openWorkplace(
      folder ?? this.#options().library,
      () => this.#startRunner({ onEngineText }),
      (line) => this.remark(line),
    )
    try {
      return await work(place)
    } finally {
      this.#bar?.clear()
      await close()
    }
  }

  /** Work of an engine alone, without a library. */
  async withEngine<T>(work: (runner: JobRunner) => Promise<T>): Promise<T> {
    const runner = this.#startRunner({ onEngineText: (text) => this.#showEngineText(text) })
    try {
      return await work(runner)
    } finally {
      await runner.close()
    }
  }

  /** The one answer of a command: a document with --json, else text for people. */
  answer(document: object, text: string): void {
    this.#bar?.clear()
    this.#answered = true
    process.stdout.write(this.#options().json === true ? `${JSON.stringify(document)}\n` : `${text}\n`)
  }

  #showEngineText(text: string): void {
    if (this.#options().debug === true) this.note(text.trimEnd())
  }

  /** Draws how far the work is, on a terminal. */
  #show(progress: Progress): void {
    if (process.stderr.isTTY !== true) return
    if (this.#bar !== undefined) return this.#bar.show(progress)
    void import('./progress-bar.ts').then(({ ProgressBar }) => (this.#bar ??= new ProgressBar(process.stderr)))
  }

  /** A line beside the answer, for whoever reads stderr. */
  note(message: string): void {
    this.#bar?.clear()
    process.stderr.write(`${message}\n`)
  }

  /** A line for a person who watches; piped, stderr holds failures only. */
  remark(message: string): void {
    if (process.stderr.isTTY === true || this.#options().debug === true) this.note(message)
  }

  /** One line for a failure; with --json also its document, unless the command has answered already. */
  fail(failure: Failure, inJson: boolean): void {
    const error = inCommands(failure.toValue())
    this.note(failureLine({ ...error, where: shortened(error.where) }))
    if (!inJson || this.#answered) return
    this.#answered = true
    process.stdout.write(`${JSON.stringify({ error })}\n`)
  }

  /** Starts listening for Ctrl+C and termination; returns the function that stops it. */
  catchSignals(): () => void {
    const signals = ['SIGINT', 'SIGTERM'] as const
    let firstMs = 0
    const onSignal = (): void => {
      if (!this.#stop.signal.aborted) {
        firstMs = performance.now()
        if (process.stderr.isTTY === true) this.note('Stopping; Ctrl+C once more ends at once.')
        this.#stop.abort()
      } else if (performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(130)
    }
    for (const signal of signals) process.on(signal, onSignal)
    return () => {
      for (const signal of signals) process.off(signal, onSignal)
    }
  }
}

/** Paths below the working folder are told as the user would type them. */
function shortened(where: string | undefined): string | undefined {
  const here = process.cwd() + sep
  return where?.startsWith(here) === true ? where.slice(here.length) : where
}
