import { Failure } from '../base/failure.ts'
import type { Priority, RunArgs } from '../contract/jobs.ts'
import { priorities } from '../contract/jobs.ts'
import { augmentRounds } from './ld-gpu/augment-option.ts'
import { parseSetQuality } from './quality/quality-option.ts'
import { tcChoiceOf } from './tc-mis/choice.ts'

type Asked = Pick<RunArgs, 'algorithm' | 'priority' | 'quality' | 'seeds' | 'device' | 'partitions' | 'columnFile'>

/** The options of a run by themselves, whatever its graph and its devices. @throws Failure (usage) for what it does not take */
export function requireOptions(asked: Asked): void {
  if (asked.algorithm === 'tc-mis') tcChoiceOf(asked)
  else if (asked.algorithm === 'ld-gpu') augmentRounds(asked.quality)
  else {
    const priority = requirePriority(asked.priority)
    parseSetQuality(asked.quality)
    if (priority === 'column' && asked.columnFile === undefined) throw columnMissing()
  }
}

/** The priority of a set. @throws Failure (usage) for a heuristic of TC-MIS */
export function requirePriority(priority: RunArgs['priority']): Priority {
  const known = priorities.find((each) => each === priority)
  if (known !== undefined) return known
  throw new Failure({
    code: 'usage',
    where: `--priority ${priority}`,
    what: 'this order belongs to tc-mis',
    remedy: `Use one of ${priorities.join(', ')}.`,
  })
}

function columnMissing(): Failure {
  return new Failure({
    code: 'usage',
    what: 'priority "column" needs a value for every vertex',
    remedy: 'Name a file of label,value lines with --column.',
  })
}
