import type { Run } from '../../../electron/contract/run.ts'
import { moment } from '../quantity.ts'
import { useAlgorithms } from '../stores/algorithms.ts'

/** The choices that make a run what it is: the first of its algorithm, and others that are not as usual. */
export function runChoices(run: Run): readonly string[] {
  const entry = useAlgorithms().list.find(({ name }) => name === run.algorithm)
  const asked: Readonly<Record<string, unknown>> = { ...run.request, ...run.record?.outcome.options }
  if (entry === undefined) return [run.request.priority]
  return entry.options
    .filter(({ kind }) => kind === 'choice')
    .filter(({ name, default: standard }, at) => at === 0 || (asked[name] ?? standard) !== standard)
    .flatMap(({ name }) => (typeof asked[name] === 'string' ? [asked[name]] : []))
}

/** "ecl-mis degree" */
export const runKind = (run: Run): string => [run.algorithm, ...runChoices(run)].join(' ')

/** The name that somebody gave it, else what it is: "ecl-mis degree, Nov 21, 09:47". */
export function runTitle(run: Run): string {
  return run.name ?? `${runKind(run)}, ${moment(run.createdAt)}`
}
