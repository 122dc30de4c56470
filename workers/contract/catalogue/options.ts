import { priorities } from '../jobs.ts'
import type { CounterEntry, OptionChoice, OptionEntry } from './entry.ts'

const MAX_SEED = 2 ** 32 - 1

const priorityChoices: readonly OptionChoice[] = [
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

/** Options that every set algorithm in one pass has. */
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

/** Of one pass over the lists. */
export const scanCounters: readonly CounterEntry[] = [
  {
    name: 'readPercent',
    label: 'Read of the file',
    unit: '%',
    explanation: 'Bytes read of the graph, as a share of its file.',
  },
  {
    name: 'finished',
    label: 'Decided at the end',
    unit: '',
    explanation: 'Vertices that were open when all lists had been read, and were decided in one walk on the host.',
  },
]

/** What workers with replicated states count. */
export const exchangeCounters: readonly CounterEntry[] = [
  {
    name: 'listBytes',
    label: 'Told as changes',
    unit: 'bytes',
    explanation: 'What the workers told one another as lists of changes, while few states changed.',
  },
  {
    name: 'wholeBytes',
    label: 'Told as states',
    unit: 'bytes',
    explanation: 'What the workers told one another as the states of all their vertices, when many had changed.',
  },
]

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
