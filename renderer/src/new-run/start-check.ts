import { words } from '../words/words.ts'
import type { Planned } from './plan-questions.ts'

/** What the page knows of the runs that it could start. */
interface Wanted {
  readonly datasets: readonly string[]
  /** How many runs the form asks for; 0 where something is missing or does not fit. */
  readonly orders: number
  /** How many fields say that they cannot be read. */
  readonly problems: number
  /** The newest that are known; while others are worked out they may be of datasets that were left out. */
  readonly plans: readonly Planned[]
}

/** Trouble on the way to a plan says nothing about the run. */
const passing: ReadonlySet<string> = new Set(['lost', 'engine', 'fault', 'cancelled'])

/** Why the runs cannot be started, for beside the button; null when they can. */
export function whyNot({ datasets, orders, problems, plans }: Wanted): string | null {
  const { notYet } = words.newRun
  if (datasets.length === 0) return notYet.dataset
  if (orders === 0 || problems > 0) return notYet.option
  const refused = plans.filter(
    ({ dataset, failure }) => failure !== null && !passing.has(failure.code) && datasets.includes(dataset),
  )
  if (refused.length === 0) return null
  return datasets.length === 1 ? notYet.plan : notYet.plans(refused.map(({ dataset }) => `“${dataset}”`).join(', '))
}
