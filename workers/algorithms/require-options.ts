import { Failure } from '../base/failure.ts'
import { algorithmEntries, algorithmEntry } from '../contract/catalogue.ts'
import type { PlannedOptions } from '../contract/jobs.ts'
import type { Algorithm } from './algorithm.ts'

/** Lists of vertices that change the result. */
const lists = ['columnFile', 'keepFile', 'excludeFile'] as const

/** The options by themselves, whatever the graph and the devices. @throws Failure (usage) for what the algorithm does not take */
export function requireOptions(algorithm: Algorithm, options: PlannedOptions): void {
  for (const list of lists) if (options[list] !== undefined) requireTaken(options.algorithm, list)
  algorithm.requireOptions(options)
}

function requireTaken(algorithm: string, list: (typeof lists)[number]): void {
  const taken = (name: string) => algorithmEntry(name)?.options.find((option) => option.name === list)
  if (taken(algorithm) !== undefined) return
  const others = algorithmEntries.map(({ name }) => name).filter((name) => taken(name) !== undefined)
  throw new Failure({
    code: 'usage',
    where: taken(others[0]!)?.flag,
    what: `${algorithm} takes no such list: its result would be another than the one that was asked for`,
    remedy: `Leave it out, or use ${others.join(' or ')}.`,
  })
}
