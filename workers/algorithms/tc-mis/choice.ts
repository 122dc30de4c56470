import { tcCountsMatrix } from '../../../kernels/tc-mis/tc-counts-matrix.ts'
import type { TcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { tcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { Failure } from '../../base/failure.ts'
import type { Counting, DeviceFacts, Heuristic, RunArgs } from '../../contract/jobs.ts'
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

/** Whether a device multiplies 16 x 32 by 32 x 16 bytes exactly. */
export function hasTensorCores({ features, subgroupMatrices }: DeviceFacts): boolean {
  const fits = (subgroupMatrices ?? []).some(
    ({ component, result, m, n, k }) => component === 'u8' && result === 'u32' && m === 16 && n === 16 && k === 32,
  )
  return fits && (tcCountsMatrix.features ?? []).every((feature) => features.includes(feature))
}

/**
 * The kernel of phase 2: as asked; left open, plain integers, which are faster on every graph measured (docs/decisions/0008):
 * tiles of real graphs hold so few arcs that a matrix product mostly multiplies zeros.
 * @throws Failure (usage) for tensor cores on a device without them
 */
export function countsKernel(facts: DeviceFacts, counting: Counting = 'auto'): TcCounts {
  if (counting !== 'tensor') return tcCounts
  if (hasTensorCores(facts)) return tcCountsMatrix
  throw new Failure({
    code: 'usage',
    where: '--counting tensor',
    what: `${facts.id} (${facts.name}) does not multiply matrices of bytes`,
    remedy: 'Leave it out, or use --counting integer: the set is the same.',
  })
}
