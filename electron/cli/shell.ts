import { sep } from 'node:path'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import type { JobRunner } from '../pool/pool.ts'
import { failureLine, type Failure } from '../../workers/base/failure.ts'
import type { JobContext, Progress } from '../../workers/base/job.ts'
import { inCommands } from './failure-text.ts'
import type { ProgressBar } from './progress-bar.ts'
import type { Workplace } from './workplace.ts'

export type { Workplace } from './workplace.ts'

export interface GlobalOptions {
  readonly library?: string | undefined
  readonly json?: boolean | undefined
  readonly debug?: boolean | undefined
}

/** Ctrl+C in a terminal comes twice: from the terminal, and passed on by launch.mjs. */
const SAME_SIGNAL_MS = 200

export type StartRunner = (options: { readonly onEngineText: (text: string) => void }) => JobRunner

/**
 * Answers go to stdout, with --json exactly one document, all else to stderr. Ctrl+C stops the work, a second one the
 * program.
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

  readonly job: JobContext & { readonly signal: AbortSignal } = {
    signal: this.#stop.signal,
    progress: (progress) => this.#show(progress),
    log: (message) => this.remark(message),
  }

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

  /** Does one call of the service. @param show what `--json` prints of its result, and the text */
  ask<N extends CallName>(
    name: N,
    args: CallArgs<N>,
    show: (result: CallResult<N>) => readonly [document: object, text: string],
  ): Promise<void> {
    return this.open(async ({ service }) => this.answer(...show(await service.call(name, args, this.job))))
  }

  async withEngine<T>(work: (runner: JobRunner) => Promise<T>): Promise<T> {
    const runner = this.#startRunner({ onEngineText: (text) => this.#showEngineText(text) })
    try {
      return await work(runner)
    } finally {
      await runner.close()
    }
  }

  /** @param document or what makes it, where that takes a while and may not be asked for */
  answer(document: object | (() => object), text: string): void {
    this.#bar?.clear()
    this.#answered = true
    const made = (): object => (typeof document === 'function' ? (document as () => object)() : document)
    process.stdout.write(this.#options().json === true ? `${JSON.stringify(made())}\n` : `${text}\n`)
  }

  #showEngineText(text: string): void {
    if (this.#options().debug === true) this.note(text.trimEnd())
  }

  #show(progress: Progress): void {
    if (process.stderr.isTTY !== true) return
    if (this.#bar !== undefined) return this.#bar.show(progress)
    void import('./progress-bar.ts').then(({ ProgressBar }) => (this.#bar ??= new ProgressBar(process.stderr)))
  }

  note(message: string): void {
    this.#bar?.clear()
    process.stderr.write(`${message}\n`)
  }

  remark(message: string): void {
    if (process.stderr.isTTY === true || this.#options().debug === true) this.note(message)
  }

  fail(failure: Failure, inJson: boolean): void {
    const error = inCommands(failure.toValue())
    this.note(failureLine({ ...error, where: shortened(error.where) }))
    if (!inJson || this.#answered) return
    this.#answered = true
    process.stdout.write(`${JSON.stringify({ error })}\n`)
  }

  /** @returns what stops it */
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

/** As the user would type them. */
function shortened(where: string | undefined): string | undefined {
  const here = process.cwd() + sep
  return where?.startsWith(here) === true ? where.slice(here.length) : where
}
