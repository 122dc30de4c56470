import { distanceMis, eclMis, luby, mgMis, tcMis } from './catalogue/independent-sets.ts'
import { bSuitor, ldGpu } from './catalogue/matchings.ts'
import { type AlgorithmDefinition, MAX_SEED, type OptionDefinition, setOptions } from './catalogue/options.ts'
import type { AlgorithmEntry } from './schema.ts'
import { bfs, bfsTree, eccentricities } from './catalogue/searches.ts'
import { spinGlass, aggregates, colouring, connectedComponents, kCore } from './catalogue/vertex-values.ts'

export type { AlgorithmEntry, CounterEntry, OptionEntry, ValuesEntry } from './schema.ts'
export { MAX_SEED }

/** Flags that are not the names of their options. */
const flags: Readonly<Record<string, string>> = {
  columnFile: '--column',
  columnName: '--attribute',
  device: '--devices',
  excludeFile: '--exclude',
  keepFile: '--keep',
  memoryBytes: '--memory',
  searchSeconds: '--time',
  searchSteps: '--steps',
}

/** What the command line calls an option of a request. */
export const flagOf = (option: string): string =>
  flags[option] ?? `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const entries = [
  eclMis,
  mgMis,
  tcMis,
  luby,
  ldGpu,
  bSuitor,
  bfs,
  bfsTree,
  connectedComponents,
  kCore,
  eccentricities,
  spinGlass,
  distanceMis,
  aggregates,
  colouring,
] as const

type Entry = (typeof entries)[number]
type OptionOf<E extends Entry> = E['options'][number]
type ValueOf<O extends OptionDefinition> = O extends { readonly choices: readonly { readonly value: infer V }[] }
  ? V
  : O['kind'] extends 'integer' | 'number' | 'bytes' | 'seconds'
    ? number
    : O['kind'] extends 'switch'
      ? boolean
      : string
type Recorded = { readonly recorded: true }

export type AlgorithmName = Entry['name']
type OptionName = OptionOf<Entry>['name']

type RequestOf<E extends Entry> = { readonly algorithm: E['name'] } & {
  readonly [O in Extract<OptionOf<E>, Recorded> as O['name']]: ValueOf<O>
} & { readonly [O in Exclude<OptionOf<E>, Recorded> as O['name']]?: ValueOf<O> | undefined }

/** An algorithm with its options: a union by algorithm. */
export type AlgorithmRequest = { [E in Entry as E['name']]: RequestOf<E> }[AlgorithmName]

/** Absent where an algorithm lacks them. */
export type AnyOptions = {
  readonly [N in OptionName]?: ValueOf<Extract<OptionOf<Entry>, { readonly name: N }>> | undefined
}

type NamedEntry = AlgorithmEntry & { readonly name: AlgorithmName }
type NamedDefinition = AlgorithmDefinition & { readonly name: AlgorithmName }

/** The plainest first. Requests, options of the command line and forms are made from these. */
export const algorithmEntries: readonly NamedEntry[] = (entries as readonly NamedDefinition[]).map((entry) => ({
  ...entry,
  options: entry.options.map((option) => ({ ...option, flag: flagOf(option.name) })),
}))
export const algorithmNames: readonly AlgorithmName[] = entries.map(({ name }) => name)

export function algorithmEntry(name: string): NamedEntry | undefined {
  return algorithmEntries.find((entry) => entry.name === name)
}

const valuesOf = <V extends string>(choices: readonly { readonly value: V }[]): readonly V[] =>
  choices.map(({ value }) => value)

/** Total orders on the vertices; see docs/sets.md and workers/graph/set-order.ts for their exact definitions. */
export const priorities = valuesOf(setOptions[0].choices)
export type Priority = (typeof priorities)[number]
/** The heuristics of TC-MIS, which it takes in place of a priority. */
export const heuristics = valuesOf(tcMis.options[0].choices)
export type Heuristic = (typeof heuristics)[number]
export type Counting = ValueOf<(typeof tcMis.options)[2]>
/** What edges weigh in a matching; workers/graph/edge-order.ts defines each. */
export const edgeWeights = valuesOf(ldGpu.options[1].choices)
export type EdgeWeights = (typeof edgeWeights)[number]
export const edgeTies = valuesOf(ldGpu.options[2].choices)
export type EdgeTies = (typeof edgeTies)[number]
