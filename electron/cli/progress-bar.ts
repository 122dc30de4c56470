import type { Progress } from '../../workers/base/job.ts'
import { bytes, count, duration } from './text.ts'

const BAR_CHARACTERS = 24
const USUAL_COLUMNS = 80

/** One line on a terminal, gone at the end. */
export class ProgressBar {
  readonly #stream: NodeJS.WriteStream
  #phase: string | null = null
  #phaseStartMs = 0

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  show(progress: Progress): void {
    const nowMs = performance.now()
    if (progress.phase !== this.#phase) this.#phaseStartMs = nowMs
    this.#phase = progress.phase
    const line = progressLine(progress, nowMs - this.#phaseStartMs)
    this.#stream.cursorTo(0)
    // One that is wrapped would stay.
    this.#stream.write(line.slice(0, (this.#stream.columns || USUAL_COLUMNS) - 1))
    this.#stream.clearLine(1)
  }

  clear(): void {
    if (this.#phase === null) return
    this.#stream.cursorTo(0)
    this.#stream.clearLine(0)
    this.#phase = null
  }
}

export function progressLine({ phase, done, total, unit, round, stage, overall }: Progress, elapsedMs: number): string {
  const amount = (value: number): string => (unit === 'bytes' ? bytes(value) : `${count(Math.round(value))} ${unit}`)
  const perSecond = elapsedMs > 200 ? (1000 * done) / elapsedMs : 0
  const parts = [stage === undefined ? phase.padEnd(8) : `stage ${stage.number} of ${stage.count}: ${phase.padEnd(9)}`]
  const part = overall ?? (total !== undefined && total > 0 ? Math.min(1, done / total) : undefined)
  if (part !== undefined) {
    const filled = Math.round(BAR_CHARACTERS * part)
    parts.push(
      `[${'='.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}]`,
      `${Math.floor(100 * part)} %`.padStart(5),
    )
  } else if (done > 0) parts.push(amount(done))
  if (round !== undefined) parts.push(`round ${round}`)
  if (perSecond > 0) parts.push(`${amount(perSecond)}/s`)
  if (perSecond > 0 && total !== undefined && total > done)
    parts.push(`${duration((1000 * (total - done)) / perSecond)} left`)
  return parts.join('  ')
}
