import type { Progress } from '../base/job.ts'
import type { JobName } from '../contract/jobs.ts'

/** Phases of a run in their order, and where the last of each group commonly ends; a run has some of them. */
const endsOfRun: readonly (readonly [end: number, phases: readonly string[]])[] = [
  [0.03, ['open', 'checksum']],
  [0.15, ['order', 'cut tiles']],
  [0.5, ['scan']],
  [0.72, ['match', 'round', 'sweep']],
  [0.77, ['finish']],
  [0.87, ['fill up', 'swap', 'weigh', 'augment', 'complete']],
  [1, ['verify']],
]

/**
 * How far a whole job is, 0 to 1, from what each of its phases tells of itself. It never goes back: a phase that is gone through
 * again, or a way of more stages than it seemed at first, lets it stand until what it shows is reached.
 */
export class OverallProgress {
  readonly #job: JobName
  #reached = 0
  #phase = ''
  /** Where the phase began: it takes the room of those that the run does not have. */
  #began = 0

  constructor(job: JobName) {
    this.#job = job
  }

  /** undefined before the first figure. */
  of(progress: Progress): number | undefined {
    if (progress.phase !== this.#phase) this.#began = this.#reached
    this.#phase = progress.phase
    const reached = this.#job === 'run' ? this.#ofRun(progress) : ofStages(progress)
    this.#reached = Math.min(1, Math.max(this.#reached, reached))
    return this.#reached === 0 && progress.total === undefined ? undefined : this.#reached
  }

  #ofRun(progress: Progress): number {
    const [end] = endsOfRun.find(([, phases]) => phases.includes(progress.phase)) ?? [0]
    return this.#began + (end - this.#began) * ofPhase(progress)
  }
}

/** Of the phase alone. */
const ofPhase = ({ done, total }: Progress): number =>
  total === undefined || total <= 0 ? 0 : Math.min(1, Math.max(0, done / total))

function ofStages(progress: Progress): number {
  const { number, count } = progress.stage ?? { number: 1, count: 1 }
  return (number - 1 + ofPhase(progress)) / count
}
