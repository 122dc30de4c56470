import { Failure } from '../../base/failure.ts'
import type { Heuristic, RunArgs } from '../../contract/jobs.ts'
import { heuristics } from '../../contract/jobs.ts'

const MOST_SEEDS = 16

/** What TC-MIS takes of a run's arguments, checked. */
export interface TcChoice {
  readonly heuristic: Heuristic
  readonly seeds: number
}

type Asked = Pick<RunArgs, 'priority' | 'seeds' | 'device' | 'partitions'>

/** @throws Failure (usage) for what TC-MIS does not take */
export function tcChoiceOf({ priority, seeds = 1, device, partitions = 1 }: Asked): TcChoice {
  const heuristic = heuristics.find((known) => known === priority)
  if (heuristic === undefined) throw refusal('--priority', priority, heuristics)
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > MOST_SEEDS) throw refusal('--seeds', `${seeds}`, ['1 to 16'])
  if (device.includes(',') || partitions > 1)
    throw new Failure({
      code: 'usage',
      where: device.includes(',') ? '--devices' : '--partitions',
      what: 'TC-MIS runs on one device',
      remedy: 'Name one device, or use mg-mis for several.',
    })
  return { heuristic, seeds }
}

function refusal(flag: string, value: string, known: readonly string[]): Failure {
  return new Failure({
    code: 'usage',
    where: `${flag} ${value}`,
    what: 'TC-MIS does not take this value',
    remedy: `Use one of ${known.join(', ')}.`,
  })
}
