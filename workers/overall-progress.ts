import type { Progress } from './job.ts'
import type { JobName } from './jobs.ts'

/** Phases that stand at one place of a job, and what share of its time that place commonly takes. */
interface Part {
  readonly phases: readonly string[]
  readonly share: number
}

/** A run in the order of its phases; of each part it has some or none. What its result takes is most of it. */
const partsOfRun: readonly Part[] = [
  { phases: ['open', 'checksum'], share: 0.03 },
  { phases: ['index', 'read graph', 'rank', 'order', 'count tiles', 'cut tiles', 'build view'], share: 0.12 },
  { phases: ['scan', 'match', 'point', 'round', 'sweep'], share: 0.55 },
  { phases: ['finish'], share: 0.05 },
  { phases: ['fill up', 'swap', 'weigh', 'augment', 'complete'], share: 0.1 },
  { phases: ['verify'], share: 0.15 },
]

/**
 * How far a whole job is, 0 to 1, from what each of its phases tells of itself. It never goes back: a phase that is gone through
 * again, or a way of more stages than it seemed at first, lets it stand until what it shows is reached.
 */
export class OverallProgress {
  readonly #job: JobName
  #reached = 0

  constructor(job: JobName) {
    this.#job = job
  }

  /** undefined before the first figure. */
  of(progress: Progress): number | undefined {
    const reached = this.#job === 'run' ? ofRun(progress) : ofStages(progress)
    this.#reached = Math.min(1, Math.max(this.#reached, reached))
    return this.#reached === 0 && progress.total === undefined ? undefined : this.#reached
  }
}

/** Of the phase alone. */
const ofPhase = ({ done, total }: Progress): number =>
  total === undefined || total <= 0 ? 0 : Math.min(1, Math.max(0, done / total))

function ofRun(progress: Progress): number {
  const at = partsOfRun.findIndex(({ phases }) => phases.includes(progress.phase))
  if (at < 0) return 0
  const before = partsOfRun.slice(0, at).reduce((sum, { share }) => sum + share, 0)
  return before + partsOfRun[at]!.share * ofPhase(progress)
}

function ofStages(progress: Progress): number {
  const { number, count } = progress.stage ?? { number: 1, count: 1 }
  return (number - 1 + ofPhase(progress)) / count
}
