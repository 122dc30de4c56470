import { choice, counter, readPercent, type OptionDefinition } from './entry.ts'

export const MAX_SEED = 2 ** 32 - 1
export const MAX_PARTITIONS = 64

export const setOptions = [
  {
    name: 'priority',
    label: 'Priority',
    explanation: 'Which of two neighbours joins the set where both could.',
    kind: 'choice',
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
  },
  {
    name: 'columnFile',
    label: 'Column of priorities',
    explanation: 'Lines "id,value"; the highest value goes first.',
    kind: 'file',
    when: { option: 'priority', values: ['column'] },
  },
  {
    name: 'columnName',
    label: 'Attribute of priorities',
    explanation: 'An attribute of the vertices in place of a file; the highest number goes first.',
    kind: 'text',
    when: { option: 'priority', values: ['column'] },
  },
  {
    name: 'keepFile',
    label: 'Keep',
    explanation: 'Vertices, one id a line, that must be in the set.',
    kind: 'file',
  },
  {
    name: 'excludeFile',
    label: 'Exclude',
    explanation: 'Vertices, one id a line, that must not be in the set.',
    kind: 'file',
  },
  {
    name: 'keepWhere',
    label: 'Keep where',
    explanation: "A condition on attributes, such as group = 'A': vertices for which it holds must be in the set.",
    kind: 'text',
  },
  {
    name: 'excludeWhere',
    label: 'Exclude where',
    explanation: 'A condition on attributes: vertices for which it holds must not be in the set.',
    kind: 'text',
  },
] as const satisfies readonly OptionDefinition[]

export const searchLimitOptions = [
  {
    name: 'searchSeconds',
    label: 'Time limit, in seconds',
    explanation:
      'How long --quality best searches, such as 60s, 5min or 1h; 60 s by default. The answer then depends on the machine.',
    kind: 'seconds',
    min: 0,
  },
  {
    name: 'searchSteps',
    label: 'Steps',
    explanation: 'Steps of --quality best in place of a time: the same number gives the same answer on every machine.',
    kind: 'integer',
    min: 0,
  },
] as const satisfies readonly OptionDefinition[]

export const setWeightOptions = [
  {
    name: 'weights',
    label: 'Weights',
    explanation: 'Vertices weigh what their column of priorities says, 0 or more; better and best make the set heavy.',
    kind: 'choice',
    choices: [choice('column', 'Of the vertices', 'The column of priorities.')],
  },
] as const satisfies readonly OptionDefinition[]

export const setQualityOptions = [
  {
    name: 'quality',
    label: 'Quality',
    explanation:
      'fast leaves the set as it is; better reduces the graph and searches a little; best searches until --time is up; swap:3 makes three passes over the graph that swap one member for two, and swap:10:60s begins none after 60 seconds.',
    kind: 'text',
    default: 'fast',
  },
  ...searchLimitOptions,
] as const satisfies readonly OptionDefinition[]

export const seedOption = {
  name: 'seed',
  label: 'Seed',
  explanation: 'Another seed breaks ties in another way; the same seed always gives the same answer.',
  kind: 'integer',
  default: 0,
  recorded: true,
  min: 0,
  max: MAX_SEED,
} as const satisfies OptionDefinition

export const partitionsOption = {
  name: 'partitions',
  label: 'Partitions',
  explanation: 'Workers that share the graph and take the devices in turn; by default one for each device.',
  kind: 'integer',
  min: 1,
  max: MAX_PARTITIONS,
} as const satisfies OptionDefinition

export const memoryOption = {
  name: 'memoryBytes',
  label: 'Memory per device',
  explanation: 'The run keeps to this much memory of each device, and streams what does not fit.',
  kind: 'bytes',
  min: 1,
} as const satisfies OptionDefinition

export const batchesOption = {
  name: 'batches',
  label: 'Batches',
  explanation: 'Cuts the graph into this many parts; by default as few as fit.',
  kind: 'integer',
  min: 1,
} as const satisfies OptionDefinition

export const verifyOption = {
  name: 'verify',
  label: 'Verify',
  explanation: 'Checks the result afterwards against the graph, by other code, and gives a bound.',
  kind: 'switch',
  default: true,
  recorded: true,
} as const satisfies OptionDefinition

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
  counter('kernelVertices', 'Kernel', 'vertices', 'Vertices that exact reductions left; 0: the set is a largest one.'),
  counter('kernelEdges', 'Edges of the kernel', 'edges', 'Edges between them.'),
  counter(
    'searchSteps',
    'Steps of search',
    '',
    'Steps of local search on the kernel; --steps with it repeats the set.',
  ),
  counter(
    'searchGain',
    'Gained by search',
    '',
    'Members, for a heavy set weight, more than before reductions and search.',
  ),
  counter('searchMs', 'Time of search', 'ms', 'Reductions and search; not part of the compute time.'),
  counter(
    'setBound',
    'Bound',
    '',
    'No independent set has more members, or for a heavy set more weight, by reductions, cliques and matchings.',
  ),
]
