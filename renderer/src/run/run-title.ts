import type { Run } from '../../../electron/contract/run.ts'
import { moment } from '../quantity.ts'
import { useAlgorithms } from '../stores/algorithms.ts'
import { optionWords } from './option-words.ts'

/** Told by where the run computed. */
const ofPlaces = ['partitions']

/** What makes a run what it is: the first choice of its algorithm, and all other options that are not as usual. */
function runChoices(run: Run): readonly string[] {
  const entry = useAlgorithms().list.find(({ name }) => name === run.algorithm)
  const asked: Readonly<Record<string, unknown>> = run.request
  if (entry === undefined) return [run.request.priority]
  return entry.options
    .filter(({ name, kind, default: standard }, at) => {
      const isUsual = (asked[name] ?? standard) === standard
      return kind !== 'switch' && !ofPlaces.includes(name) && ((at === 0 && kind === 'choice') || !isUsual)
    })
    .flatMap((option) => {
      const value = asked[option.name] ?? option.default
      if (typeof value !== 'string' && typeof value !== 'number') return []
      return [option.kind === 'choice' ? String(value) : `${option.label.toLowerCase()} ${optionWords(option, value)}`]
    })
}

/** "ecl-mis degree" */
export const runKind = (run: Run): string => [run.algorithm, ...runChoices(run)].join(' ')

/** The name that somebody gave it, else what it is: "ecl-mis degree, Nov 21, 09:47". */
export function runTitle(run: Run): string {
  return run.name ?? `${runKind(run)}, ${moment(run.createdAt)}`
}
