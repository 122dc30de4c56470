import type { Run } from '../../../electron/contract/run.ts'
import type { OptionEntry, OptionValue } from '../new-run/run-form.ts'
import { byteSize, exactly, moment } from '../quantity.ts'
import { useAlgorithms } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'

/** Told by where the run computed. */
const ofPlaces = ['partitions']

/** What makes a run what it is: the first choice of its algorithm, and all other options that are not as usual. */
function runChoices(run: Run): readonly string[] {
  const entry = useAlgorithms().list.find(({ name }) => name === run.algorithm)
  const asked: Readonly<Record<string, unknown>> = run.request
  if (entry === undefined) return []
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

export const runKind = (run: Run): string => [run.algorithm, ...runChoices(run)].join(' ')

export const runLabel = (run: Run): string => [...(run.name === null ? [] : [run.name]), runKind(run)].join(', ')

export function runTitle(run: Run): string {
  return run.name ?? `${runKind(run)}, ${moment(run.createdAt)}`
}

/** The value of an option as a person reads it: the label of a choice, a size with its unit. */
export function optionWords(option: OptionEntry, value: OptionValue): string {
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (typeof value === 'number') return option.kind === 'bytes' ? byteSize(value) : exactly(value)
  return option.choices?.find((choice) => choice.value === value)?.label ?? value ?? ''
}

/** More stand one by one in a title, and on the page of the run. */
const MOST_NAMED = 2

/** Several devices in a few letters: "gpu:0, gpu:1", "4 GPUs", "8 on CPU", "5 devices" of both kinds. */
export function deviceWords(ids: readonly string[]): string {
  if (ids.length <= MOST_NAMED) return ids.join(', ')
  const { devices } = words
  const kinds = new Set(ids.map((id) => id.split(':')[0]))
  if (kinds.size > 1) return devices.several(ids.length)
  return kinds.has('gpu') ? devices.graphicsCards(ids.length) : devices.processorWorkers(ids.length)
}
