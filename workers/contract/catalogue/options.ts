/**
 * How the entry of an algorithm is written, and the options and counters that several entries have in the same words. An option has a name, from
 * which its flag follows, its kind, limits and choices, and what it means in a sentence; a counter its unit. Types of requests follow from these
 * literals, so a misspelt option does not compile. The files beside it have the entries.
 */

import type { AlgorithmEntry, CounterEntry, OptionEntry } from '../schema.ts'

/** Its flag follows from its name. */
export type OptionDefinition = Omit<OptionEntry, 'flag'>

export interface AlgorithmDefinition extends Omit<AlgorithmEntry, 'options'> {
  readonly options: readonly OptionDefinition[]
}

type OptionDetails = Omit<OptionDefinition, 'name' | 'kind' | 'label' | 'explanation'>

export const option = <
  const N extends string,
  const K extends OptionEntry['kind'],
  const D extends OptionDetails = object,
>(
  name: N,
  kind: K,
  label: string,
  explanation: string,
  details?: D,
) => ({ name, kind, label, explanation, ...(details as D) })

export const choice = <const V extends string>(value: V, label: string, explanation: string) => ({
  value,
  label,
  explanation,
})

export const counter = (name: string, label: string, unit: string, explanation: string): CounterEntry => ({
  name,
  label,
  unit,
  explanation,
})

export const readPercent = counter(
  'readPercent',
  'Read of the file',
  '%',
  'Bytes read of the graph, repeats included, as a share of its file; pieces of 1 MiB are read whole.',
)

export const MAX_SEED = 2 ** 32 - 1
const MAX_PARTITIONS = 64

export const setOptions = [
  option('priority', 'choice', 'Priority', 'Which of two neighbours joins the set where both could.', {
    choices: [
      choice('degree', 'Degree', 'Vertices with few neighbours go first; this gives large sets.'),
      choice(
        'ecl',
        'ECL-MIS',
        'The order of the ECL-MIS program, by degree and average degree; a US patent (10,599,638) concerns such orders.',
      ),
      choice('hash', 'Hash', 'A hash of the vertex id alone decides, whatever the degrees.'),
      choice('column', 'Your own', 'The larger value of a column of your own goes first.'),
    ],
    default: 'degree',
    recorded: true,
  }),
  option('columnFile', 'file', 'Column of priorities', 'Lines "id,value"; the highest value goes first.', {
    when: { option: 'priority', values: ['column'] },
  }),
  option(
    'columnName',
    'text',
    'Attribute of priorities',
    'An attribute of the vertices in place of a file; the highest number goes first.',
    { when: { option: 'priority', values: ['column'] } },
  ),
  option('keepFile', 'file', 'Keep', 'Vertices, one id a line, that must be in the set.'),
  option('excludeFile', 'file', 'Exclude', 'Vertices, one id a line, that must not be in the set.'),
  option(
    'keepWhere',
    'text',
    'Keep where',
    "A condition on attributes, such as group = 'A': vertices for which it holds must be in the set.",
  ),
  option(
    'excludeWhere',
    'text',
    'Exclude where',
    'A condition on attributes: vertices for which it holds must not be in the set.',
  ),
] as const

export const searchLimitOptions = [
  option(
    'searchSeconds',
    'seconds',
    'Time limit, in seconds',
    'How long a run with --quality best may take, with loading and verification, such as 60s, 5min or 1h; 60 s by default. The answer then depends on the machine.',
    { min: 0 },
  ),
  option(
    'searchSteps',
    'integer',
    'Steps',
    'Steps of --quality best in place of a time: the same number gives the same answer on every machine.',
    { min: 0 },
  ),
] as const

export const setWeightOptions = [
  option(
    'weights',
    'choice',
    'Weights',
    'Vertices weigh what their column of priorities says, 0 or more; better and best make the set heavy.',
    { choices: [choice('column', 'Of the vertices', 'The column of priorities.')] },
  ),
] as const

export const setQualityOptions = [
  option(
    'quality',
    'text',
    'Quality',
    'fast leaves the set as it is; better reduces the graph and searches a little; best searches until --time is up; swap:3 makes three passes over the graph that swap one member for two, and swap:10:60s begins none after 60 seconds.',
    { default: 'fast' },
  ),
  ...searchLimitOptions,
] as const

export const seedOption = option(
  'seed',
  'integer',
  'Seed',
  'Another seed breaks ties in another way; the same seed always gives the same answer.',
  { default: 0, recorded: true, min: 0, max: MAX_SEED },
)

const partitionsOption = option(
  'partitions',
  'integer',
  'Partitions',
  'Workers that share the graph and take the devices in turn; by default one for each device.',
  { min: 1, max: MAX_PARTITIONS },
)

export const memoryOption = option(
  'memoryBytes',
  'bytes',
  'Memory per device',
  'The run keeps to this much memory of each device, and streams what does not fit.',
  { min: 1 },
)

export const batchesOption = option(
  'batches',
  'integer',
  'Batches',
  'Cuts the graph into this many parts; by default as few as fit.',
  { min: 1 },
)

export const verifyOption = option(
  'verify',
  'switch',
  'Verify',
  'Checks the result afterwards against the graph, by other code, and gives a bound.',
  { default: true, recorded: true },
)

export const sharedOptions = [seedOption, partitionsOption, memoryOption, batchesOption, verifyOption] as const

export const scanCounters = [
  readPercent,
  counter(
    'finished',
    'Decided at the end',
    '',
    'Vertices that were undecided when all lists had been read; the host decided them in order of priority.',
  ),
]

export const exchangeCounters = [
  counter('listBytes', 'Exchanged as changes', 'bytes', 'Lists of changes, while few states changed.'),
  counter(
    'wholeBytes',
    'Exchanged as states',
    'bytes',
    'The states of all vertices of a worker, when many had changed.',
  ),
]

export const setQualityCounters = [
  counter('swapPasses', 'Passes of swaps', '', 'Passes over the graph that swapped members.'),
  counter('swapGain', 'Gained by swaps', 'vertices', 'Members more than before the passes.'),
  counter('swapMs', 'Time of swaps', 'ms', 'What the passes took; not part of the compute time.'),
  counter(
    'kernelVertices',
    'Reduced graph',
    'vertices',
    'Vertices that exact reductions left; 0: no set with these lists is larger.',
  ),
  counter('kernelEdges', 'Edges of the reduced graph', 'edges', 'Edges between them.'),
  counter(
    'searchSteps',
    'Steps of search',
    '',
    'Steps of local search on the reduced graph; --steps with it repeats the set.',
  ),
  counter(
    'searchGain',
    'Gained by search',
    '',
    'Members, of a weighted set weight, more than before reductions and search.',
  ),
  counter('searchMs', 'Time of search', 'ms', 'Reductions and search; not part of the compute time.'),
  counter(
    'setBound',
    'Bound',
    '',
    'No independent set with these lists has more members, or of a weighted set more weight, by reductions, cliques and matchings.',
  ),
]
