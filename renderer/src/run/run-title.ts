/**
 * Runs in a few words, for titles, lists, pickers and axes: what a run is by the choices in which it is not as usual, where it computes, how large
 * its result is, and what was verified of it. Words of algorithms and options are those of the catalogue; a name that a person gave goes first.
 * run-times.ts has the times, proofs.ts the sentences about bounds.
 */

import type { Work } from '../../../electron/contract/work.ts'
import {
  complementedBy,
  isFinal,
  isOfPairs,
  optionsOf,
  type Run,
  shareOfBound,
} from '../../../electron/contract/run.ts'
import type { OptionEntry, OptionValue } from '../new-run/run-form.ts'
import { atLeastPercent, byteSize, exactly, momentWithSeconds, percent, quantity, wholePercent } from '../quantity.ts'
import { type AlgorithmEntry, useAlgorithms } from '../stores/algorithms.ts'
import { overallOf } from '../stores/work.ts'
import { words } from '../words/words.ts'

/** Told by where the run computed. */
const ofPlaces = ['partitions']

type Entry = NonNullable<ReturnType<ReturnType<typeof useAlgorithms>['byName']['get']>>

/** The choices of runs, kept while their algorithm's entry is the same: pages with hundreds of runs ask for them again and again. */
const kept = new WeakMap<Run, { readonly entry: Entry; readonly choices: Map<string, string> }>()

/** What makes a run what it is: its algorithm, the first choice of that, and all other options that are not as usual. */
function kindWithout(run: Run, leaveOut: readonly string[] = []): string {
  const entry = useAlgorithms().byName.get(run.algorithm)
  if (entry === undefined) return run.algorithm
  const known = kept.get(run)
  const { choices } = known?.entry === entry ? known : { choices: new Map<string, string>() }
  if (known?.entry !== entry) kept.set(run, { entry, choices })
  const key = leaveOut.join()
  const kind = choices.get(key) ?? [run.algorithm, ...choicesOf(run, entry, leaveOut)].join(' ')
  choices.set(key, kind)
  return kind
}

function choicesOf(run: Run, { options }: Entry, leaveOut: readonly string[]): readonly string[] {
  const asked: Readonly<Record<string, unknown>> = run.request
  return options
    .filter(({ name, kind, default: standard }, at) => {
      const isUsual = (asked[name] ?? standard) === standard
      return (
        kind !== 'switch' && ![...ofPlaces, ...leaveOut].includes(name) && ((at === 0 && kind === 'choice') || !isUsual)
      )
    })
    .flatMap((option) => {
      const value = asked[option.name] ?? option.default
      if (typeof value !== 'string' && typeof value !== 'number') return []
      if (option.kind === 'choice' || option.name === 'quality') return [String(value)]
      // What has a unit says what it is by it.
      return [
        option.kind === 'seconds'
          ? `${exactly(Number(value))} s`
          : `${option.label.toLowerCase()} ${optionWords(option, value)}`,
      ]
    })
}

export const runKind = (run: Run): string => kindWithout(run)

/** What runs of other seeds have in common. */
export const runKindWithoutSeed = (run: Run): string => kindWithout(run, ['seed'])

/** What runs of other seeds and time limits have in common. */
export const questionOf = (run: Run): string => kindWithout(run, ['seed', 'searchSeconds'])

export const runLabel = (run: Run): string => [...(run.name === null ? [] : [run.name]), runKind(run)].join(', ')

export function runTitle(run: Run): string {
  return run.name ?? `${runKind(run)}, ${momentWithSeconds(run.createdAt)}`
}

/** The beginning of the names of all files that a run gives. */
export const stemOfRun = ({
  id,
  name,
  dataset,
  algorithm,
}: Pick<Run, 'id' | 'name' | 'dataset' | 'algorithm'>): string => `${dataset}-${name ?? algorithm}-${id}`.slice(0, 200)

/** The value of an option as a person reads it: the label of a choice, a size with its unit. */
export function optionWords(option: OptionEntry, value: OptionValue): string {
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (typeof value === 'number') return option.kind === 'bytes' ? byteSize(value) : exactly(value)
  return option.choices?.find((choice) => choice.value === value)?.label ?? value ?? ''
}

/** More stand one by one in a title, and on the page of the run. */
const MOST_NAMED = 2

/** As it was given them, "auto" resolved where that is known. */
export const devicesOf = ({ queue, request }: Run): readonly string[] => queue.devices ?? request.device.split(',')

/** Several devices in a few letters: "gpu:0, gpu:1", "4 GPUs", "8 on CPU", "5 devices" of both kinds. */
export function deviceWords(ids: readonly string[]): string {
  if (ids.length <= MOST_NAMED) return ids.join(', ')
  const { devices } = words
  const kinds = new Set(ids.map((id) => id.split(':')[0]))
  if (kinds.size > 1) return devices.several(ids.length)
  return kinds.has('gpu') ? devices.graphicsCards(ids.length) : devices.processorWorkers(ids.length)
}

export function stateWords(run: Run, progress: Work['progress'], cancelling: boolean): string {
  const moving = run.state === 'running' || run.state === 'verifying'
  if (cancelling && !isFinal(run.state)) return words.states.cancelling
  const overall = moving ? overallOf(progress) : null
  const state = words.states[run.state]
  return overall === null ? state : `${state} ${wholePercent(overall)}`
}

type ValueFigure = NonNullable<AlgorithmEntry['values']>['figures'][number]

const memberWords = ({ record }: Pick<Run, 'record'>): string =>
  record !== null && complementedBy(record) !== null ? words.runs.cliqueMembers : words.runs.members

/** The size of a result, as lists and pickers of runs say it: "52,900 in the set", "4,321 pairs". */
export function sizeWords({ algorithm, record, size }: Pick<Run, 'algorithm' | 'record' | 'size'>): string {
  const kind = record?.outcome.result.kind
  if (kind === undefined || size === null) return ''
  if (kind === 'matching' || kind === 'b-matching') return words.results.pairs(exactly(size))
  return kind === 'values' ? figureWords({ algorithm, size }) : `${exactly(size)} ${memberWords({ record })}`
}

/** The word beside the first figure of values: "colours", and "colour" beside 1. */
export function figureName(figure: ValueFigure | undefined, size: number): string {
  const many = figure?.label.toLowerCase() ?? ''
  return size === 1 ? (figure?.one ?? many) : many
}

/** The first figure of values with what it is: "85 colours", "84 degeneracy". */
function figureWords({ algorithm, size }: Pick<Run, 'algorithm' | 'size'>): string {
  const figure = useAlgorithms().byName.get(algorithm)?.values?.figures[0]
  return size === null ? '' : `${exactly(size)} ${figureName(figure, size)}`.trim()
}

/** "38.2 % in the set" for a finished set, "52,900 pairs" for a matching, the first figure of values. */
export function runSummary(run: Run): string {
  const result = run.record?.outcome.result
  if (result === undefined) return words.states[run.state]
  if (isOfPairs(result)) return words.results.pairs(quantity(result.pairs))
  if (result.kind === 'values') return figureWords(run)
  return `${percent(result.fraction)} ${memberWords(run)}`
}

/** What a search gains, as an axis of it says. */
export function gainMeasure({ algorithm, request }: Pick<Run, 'algorithm' | 'request'>): string {
  const { charts, table } = words.compare
  const { weights, objective = 'weight' } = optionsOf(request)
  const kind = useAlgorithms().byName.get(algorithm)?.kind
  if (kind === 'independent-set') return weights === undefined ? charts.sizeMeasure : table.weight
  return kind === undefined || objective !== 'weight' ? charts.growthMeasure : table.weight
}

/** The bound of a result that meets it has no percentage: nothing better exists. */
export const bestOrAtLeast = (share: number): string => (share >= 1 ? words.results.optimum : atLeastPercent(share))

/** `underHead`: that it was verified is said above. */
export function verdictWords(
  run: Run,
  underHead = false,
): { readonly text: string; readonly tone: 'good' | 'bad' | 'none' } {
  const verification = run.record?.outcome.verification
  if (verification === undefined || verification === null) return { text: '', tone: 'none' }
  if (!verification.verified) return { text: words.results.broken(verification.law), tone: 'bad' }
  const share = shareOfBound(verification)
  if (share === null) return { text: words.results.verified, tone: 'good' }
  const { best, optimum, bound, ofBest } = words.results
  if (share >= 1) return { text: underHead ? optimum : best, tone: 'good' }
  return { text: (underHead ? ofBest : bound)(atLeastPercent(share)), tone: 'good' }
}
