import { ldGpu } from './catalogue-ld-gpu.ts'
import { priorities } from './jobs.ts'
import type { AlgorithmName, RunArgs } from './jobs.ts'

/**
 * The registry of algorithms, as plain data: what each one is, what may be chosen, and what its counters mean. The command line's
 * options, the checks of the service and the pages of the window are made from these entries.
 */

/** A field of a run that an option sets. */
export type OptionName = Exclude<
  keyof RunArgs,
  | 'folder'
  | 'checksum'
  | 'algorithm'
  | 'device'
  | 'resultFile'
  | 'checkpointFile'
  | 'checkpointEveryMs'
  | 'resume'
  | 'traceFile'
>

export interface OptionChoice {
  readonly value: string
  readonly label: string
  /** One sentence. */
  readonly explanation: string
}

export interface OptionEntry {
  readonly name: OptionName
  /** On the command line, with two hyphens. */
  readonly flag: string
  readonly label: string
  /** One sentence, for where the option stands. */
  readonly explanation: string
  readonly kind: 'choice' | 'integer' | 'number' | 'bytes' | 'file' | 'text' | 'switch'
  readonly choices?: readonly OptionChoice[] | undefined
  /** Absent: the algorithm chooses, or nothing. */
  readonly default?: string | number | boolean | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Only where another option has one of these values. */
  readonly when?: { readonly option: OptionName; readonly values: readonly string[] } | undefined
}

export interface CounterEntry {
  readonly name: string
  readonly label: string
  /** "bytes", "ms", "%", or "" for a plain count. */
  readonly unit: string
  readonly explanation: string
}

export interface AlgorithmEntry {
  readonly name: AlgorithmName
  readonly title: string
  readonly kind: 'independent-set' | 'matching'
  readonly summary: string
  readonly whenToUse: string
  readonly paper: {
    readonly title: string
    readonly authors: string
    readonly venue: string
    readonly year: number
  }
  readonly options: readonly OptionEntry[]
  readonly counters: readonly CounterEntry[]
}

const MAX_SEED = 2 ** 32 - 1

export const priorityChoices: readonly OptionChoice[] = [
  { value: 'degree', label: 'Degree', explanation: 'Vertices with few neighbours go first; this gives large sets.' },
  { value: 'hash', label: 'Hash', explanation: 'A hash of the vertex id alone decides, whatever the degrees.' },
  {
    value: 'ecl',
    label: 'ECL-MIS',
    explanation:
      'The order of the ECL-MIS program, by degree and average degree; a US patent (10,599,638) concerns such orders.',
  },
  { value: 'column', label: 'Your own', explanation: 'The larger value of a column of your own goes first.' },
]

/** Options that every set algorithm on the oriented view has. */
export const setOptions: readonly OptionEntry[] = [
  {
    name: 'priority',
    flag: '--priority',
    label: 'Priority',
    explanation: 'Who goes first where two neighbours could both join the set.',
    kind: 'choice',
    choices: priorityChoices,
    default: priorities[0],
  },
  {
    name: 'columnFile',
    flag: '--column',
    label: 'Column of priorities',
    explanation: 'Lines "id,value"; the highest value goes first.',
    kind: 'file',
    when: { option: 'priority', values: ['column'] },
  },
  {
    name: 'keepFile',
    flag: '--keep',
    label: 'Keep',
    explanation: 'Vertices, one id a line, that must be in the set.',
    kind: 'file',
  },
  {
    name: 'excludeFile',
    flag: '--exclude',
    label: 'Exclude',
    explanation: 'Vertices, one id a line, that must not be in the set.',
    kind: 'file',
  },
]

/** Of every algorithm that makes sets: passes of swaps afterwards. */
export const setQualityOption: OptionEntry = {
  name: 'quality',
  flag: '--quality',
  label: 'Quality',
  explanation:
    'fast leaves the set as it is; swap:3 makes it larger in three passes over the graph that swap one member for two; swap:10:60s begins none after 60 seconds.',
  kind: 'text',
  default: 'fast',
}

/** What passes of swaps count. */
export const setQualityCounters: readonly CounterEntry[] = [
  {
    name: 'swapPasses',
    label: 'Passes of swaps',
    unit: '',
    explanation: 'Passes over the graph that swapped members.',
  },
  { name: 'swapGain', label: 'Gained by swaps', unit: 'vertices', explanation: 'Members more than before the passes.' },
  {
    name: 'swapMs',
    label: 'Time of swaps',
    unit: 'ms',
    explanation: 'What the passes took; not part of the compute time.',
  },
]

/** Options of every algorithm. */
export const commonOptions: readonly OptionEntry[] = [
  {
    name: 'seed',
    flag: '--seed',
    label: 'Seed',
    explanation: 'Another seed breaks ties in another way; the same seed always gives the same answer.',
    kind: 'integer',
    default: 0,
    min: 0,
    max: MAX_SEED,
  },
  {
    name: 'partitions',
    flag: '--partitions',
    label: 'Partitions',
    explanation: 'Workers that share the graph and take the devices in turn; left empty, one for each device.',
    kind: 'integer',
    min: 1,
    max: 64,
  },
  {
    name: 'memoryBytes',
    flag: '--memory',
    label: 'Memory per device',
    explanation: 'The run keeps to this much memory of each device, and streams what does not fit.',
    kind: 'bytes',
    min: 1,
  },
  {
    name: 'batches',
    flag: '--batches',
    label: 'Batches',
    explanation: 'Cuts the graph into this many parts; left empty, as few as fit.',
    kind: 'integer',
    min: 1,
  },
  {
    name: 'verify',
    flag: '--verify',
    label: 'Verify',
    explanation: 'Checks the result afterwards against the graph, by other code, and gives a bound.',
    kind: 'switch',
    default: true,
  },
]

const eclMis: AlgorithmEntry = {
  name: 'ecl-mis',
  title: 'ECL-MIS',
  kind: 'independent-set',
  summary:
    'Finds a maximal independent set by asynchronous sweeps: a vertex joins as soon as all neighbours of higher priority are out.',
  whenToUse: 'The first choice for a maximal independent set on one device, or on several that share the graph.',
  paper: {
    title: 'A High-Quality and Fast Maximal Independent Set Implementation for GPUs',
    authors: 'M. Burtscher, S. Devale, S. Azimi, J. Jaiganesh, E. Powers',
    venue: 'ACM Transactions on Parallel Computing 5(2)',
    year: 2018,
  },
  options: [...setOptions, setQualityOption, ...commonOptions],
  counters: setQualityCounters,
}

const mgMis: AlgorithmEntry = {
  name: 'mg-mis',
  title: 'MG-MIS',
  kind: 'independent-set',
  summary:
    'Finds the set that ECL-MIS finds under the same priority, with the vertices shared out among several workers that tell each other what they decided.',
  whenToUse:
    'For graphs that do not fit one device; where one device holds the graph, one is fastest, as the paper says too.',
  paper: {
    title: 'A Multi-GPU Algorithm for Computing Maximal Independent Sets in Large Graphs',
    authors: 'A. M. Akathoott, B. V. Xavier, M. Burtscher',
    venue: 'International Conference on Supercomputing (ICS)',
    year: 2025,
  },
  options: [
    {
      name: 'exchange',
      flag: '--exchange',
      label: 'Exchange',
      explanation: 'How the workers tell each other what they decided; the set is the same.',
      kind: 'choice',
      choices: [
        {
          value: 'replicated',
          label: 'Replicated states',
          explanation: 'Every worker holds the states of all vertices, and gives away what it changed.',
        },
        {
          value: 'paper',
          label: 'As in the paper',
          explanation: 'Lists, questions and answers in buffers between each two workers, to measure against.',
        },
      ],
      default: 'replicated',
    },
    {
      name: 'bufferWords',
      flag: '--buffer-words',
      label: 'Words of a buffer',
      explanation: 'Length of the buffer between two workers; what does not fit waits for the next round.',
      kind: 'integer',
      min: 2,
      when: { option: 'exchange', values: ['paper'] },
    },
    ...setOptions,
    setQualityOption,
    ...commonOptions,
  ],
  counters: [
    {
      name: 'movedPercent',
      label: 'Moved',
      unit: '%',
      explanation: 'Bytes that the workers exchanged, as a share of the graph.',
    },
    {
      name: 'transfers',
      label: 'Transfers',
      unit: '',
      explanation: 'Bulk transfers between two workers, under the exchange of the paper.',
    },
    {
      name: 'largestBufferNeed',
      label: 'Largest buffer needed',
      unit: 'words',
      explanation: 'What the largest buffer would have held in any round had there been room for all.',
    },
    ...setQualityCounters,
  ],
}

/** Every algorithm that this version has, the plainest first. */
export const algorithmEntries: readonly AlgorithmEntry[] = [
  eclMis,
  mgMis,
  { ...ldGpu, options: [...ldGpu.options, ...commonOptions] },
]

export function algorithmEntry(name: string): AlgorithmEntry | undefined {
  return algorithmEntries.find((entry) => entry.name === name)
}
