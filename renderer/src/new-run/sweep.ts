import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'
import type { OptionValues } from './run-form.ts'

/** Lists as they are typed, one value of each for every run of a sweep; an empty one leaves what the form says. */
export interface SweepTexts {
  sweepAlgorithms: string
  sweepQualities: string
  sweepSeconds: string
  sweepSeeds: string
}

export const noSweep: Readonly<SweepTexts> = {
  sweepAlgorithms: '',
  sweepQualities: '',
  sweepSeconds: '',
  sweepSeeds: '',
}

type SweepField = keyof SweepTexts
export const sweepFields = Object.keys(noSweep) as readonly SweepField[]
export const isSweepField = (name: string): name is SweepField => Object.hasOwn(noSweep, name)

/** What is computed of a dataset: an algorithm with its options. */
export interface Variant {
  readonly entry: AlgorithmEntry
  readonly values: OptionValues
}

export const MOST_RUNS = 500
const text = words.newRun.sweep

const partsOf = (typed: string): readonly string[] => typed.split(/[\s,;]+/).filter((part) => part !== '')

/** Whole numbers and ranges of them, as "1-20, 25"; null where it is something else. */
export function readSeeds(typed: string): readonly number[] | null {
  const seeds: number[] = []
  for (const part of partsOf(typed)) {
    const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part) ?? []
    if (first === undefined || Number(first) > Number(last)) return null
    for (let seed = Number(first); seed <= Number(last) && seeds.length <= MOST_RUNS; seed++) seeds.push(seed)
  }
  return seeds
}

function readSeconds(typed: string): readonly number[] | null {
  const seconds = partsOf(typed).map(Number)
  return seconds.every((one) => Number.isFinite(one) && one > 0) ? seconds : null
}

/** What is wrong in each list of a sweep, for beside its field. */
export function sweepFaults(
  form: SweepTexts,
  entry: AlgorithmEntry,
  entries: readonly AlgorithmEntry[],
): Readonly<Partial<Record<SweepField, string>>> {
  const has = (option: string): boolean => entry.options.some(({ name }) => name === option)
  const stranger = partsOf(form.sweepAlgorithms).find((name) => rivalOf(name, entry, entries) === undefined)
  return {
    ...(stranger === undefined ? {} : { sweepAlgorithms: text.noSuchAlgorithm(stranger, rivals(entry, entries)) }),
    ...(has('searchSeconds') && readSeconds(form.sweepSeconds) === null ? { sweepSeconds: text.notSeconds } : {}),
    ...(has('seed') && readSeeds(form.sweepSeeds) === null ? { sweepSeeds: text.notSeeds } : {}),
  }
}

const rivals = (entry: AlgorithmEntry, entries: readonly AlgorithmEntry[]): readonly string[] =>
  entries.filter(({ kind }) => kind === entry.kind).map(({ name }) => name)

const rivalOf = (name: string, entry: AlgorithmEntry, entries: readonly AlgorithmEntry[]): AlgorithmEntry | undefined =>
  entries.find((one) => one.name === name && one.kind === entry.kind)

/** `values` for another algorithm: what both have, where it fits, and its own defaults. */
function valuesFor({ options }: AlgorithmEntry, values: OptionValues): OptionValues {
  return Object.fromEntries(
    options.map(({ name, choices, default: standard = null }) => {
      const given = values[name] ?? null
      const fits = given !== null && (choices === undefined || choices.some(({ value }) => value === given))
      return [name, fits ? given : standard]
    }),
  )
}

/**
 * Every algorithm with every quality, limit and seed of the lists, in that order. An option that an algorithm lacks, and a time limit of what does not
 * search, make no runs of their own.
 */
export function sweepOf(
  form: SweepTexts,
  first: readonly Variant[],
  entries: readonly AlgorithmEntry[],
): readonly Variant[] {
  const lists = [
    ['quality', partsOf(form.sweepQualities)],
    ['searchSeconds', readSeconds(form.sweepSeconds) ?? []],
    ['seed', readSeeds(form.sweepSeeds) ?? []],
  ] as const
  const begun = first.flatMap(({ entry, values }) => {
    const others = partsOf(form.sweepAlgorithms).flatMap((name) => rivalOf(name, entry, entries) ?? [])
    if (others.length === 0) return [{ entry, values }]
    return others.map((other) => ({ entry: other, values: other === entry ? values : valuesFor(other, values) }))
  })
  return lists.reduce<readonly Variant[]>(
    // Too many are refused, which takes no more than one too many.
    (variants, [option, list]) => variants.flatMap((variant) => spread(variant, option, list)).slice(0, MOST_RUNS + 1),
    begun,
  )
}

function spread(variant: Variant, option: string, list: readonly (string | number)[]): readonly Variant[] {
  const { entry, values } = variant
  const isSearch = option !== 'searchSeconds' || values['quality'] === 'best'
  if (list.length === 0 || !isSearch || !entry.options.some(({ name }) => name === option)) return [variant]
  return list.map((value) => ({ entry, values: { ...values, [option]: value } }))
}
