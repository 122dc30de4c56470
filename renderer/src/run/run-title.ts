import type { Run } from '../../../electron/contract/run.ts'
import { moment } from '../quantity.ts'

/** The name that somebody gave it, else what it is: "ecl-mis degree, Nov 21, 09:47". */
export function runTitle(run: Run): string {
  if (run.name !== null) return run.name
  return `${run.algorithm} ${run.request.priority}, ${moment(run.createdAt)}`
}
