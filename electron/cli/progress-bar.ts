import { SingleBar } from 'cli-progress'
import type { Progress } from '../../workers/base/job.ts'
import { bytes, count, duration } from './text.ts'

const BAR_CHARACTERS = 24

interface Payload {
  readonly progress: Progress
  readonly elapsedMs: number
}

/** One line on a terminal, gone at the end. */
export class ProgressBar {
  readonly #bar: SingleBar
  #phase: string | null = null
  #phaseStartMs = 0

  constructor(stream: NodeJS.WriteStream) {
    this.#bar = new SingleBar({
      stream,
      clearOnComplete: true,
      hideCursor: true,
      etaAsynchronousUpdate: false,
      format: (_options, _params, payload: Payload) => progressLine(payload.progress, payload.elapsedMs),
    })
  }

  show(progress: Progress): void {
    const nowMs = performance.now()
    if (progress.phase !== this.#phase) {
      this.#phase = progress.phase
      this.#phaseStartMs = nowMs
    }
    const payload: Payload = { progress, elapsedMs: nowMs - this.#phaseStartMs }
    const total = progress.total ?? Math.max(1, progress.done)
    if (!this.#bar.isActive) this.#bar.start(total, progress.done, payload)
    else {
      this.#bar.setTotal(total)
      this.#bar.update(progress.done, payload)
    }
  }

  clear(): void {
    if (this.#bar.isActive) this.#bar.stop()
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
