import type { AlgorithmEntry } from './entry.ts'
import { commonOptions } from './options.ts'

export const ldGpu = {
  name: 'ld-gpu',
  title: 'LD-GPU',
  kind: 'matching',
  summary:
    'Finds a locally dominant matching: every vertex points to its heaviest free neighbour, and two that point to each other are matched.',
  whenToUse:
    'For pairs that share no vertex and weigh much together: at least half of the best possible, usually well over nine tenths.',
  paper: {
    title: 'Efficient Weighted Graph Matching on GPUs',
    authors: 'M. Mandulak, S. Ghosh, S M Ferdous, M. Halappanavar, G. Slota',
    venue: 'International Conference for High Performance Computing, Networking, Storage, and Analysis (SC)',
    year: 2024,
  },
  options: [
    {
      name: 'method',
      flag: '--method',
      label: 'Method',
      explanation: 'How pointers are found; the matching and its rounds are the same.',
      kind: 'choice',
      choices: [
        {
          value: 'ordered',
          label: 'Best neighbours',
          explanation: 'Every vertex keeps its best neighbours, so each arc is looked at about once.',
        },
        {
          value: 'rescan',
          label: 'As in the paper',
          explanation: 'Every free vertex looks at all its neighbours in every round, to measure against.',
        },
      ],
      default: 'ordered',
    },
    {
      name: 'weights',
      flag: '--weights',
      label: 'Weights',
      explanation: "What edges weigh; left out, the graph's own weights, or all alike where it has none.",
      kind: 'choice',
      choices: [
        { value: 'column', label: 'Of the graph', explanation: 'The weights that were imported.' },
        { value: 'unit', label: 'All alike', explanation: 'Every edge weighs 1: as many pairs as possible.' },
        {
          value: 'random3',
          label: 'Random',
          explanation: 'Drawn from 0.001 to 1 by the seed, three decimals, as in the paper.',
        },
      ],
    },
    {
      name: 'ties',
      flag: '--ties',
      label: 'Ties',
      explanation: 'Which of two edges of equal weight comes first; it decides the matching, and the number of rounds.',
      kind: 'choice',
      choices: [
        { value: 'hash', label: 'Hash', explanation: 'By a hash of the edge: few rounds on every graph.' },
        {
          value: 'id',
          label: 'Larger id',
          explanation: "The larger neighbour, as in the authors' program: with equal weights it may take many rounds.",
        },
        {
          value: 'degree',
          label: 'Smaller degrees',
          explanation: 'Edges between vertices of few neighbours first: more pairs, and more rounds.',
        },
      ],
      default: 'hash',
    },
    {
      name: 'threshold',
      flag: '--threshold',
      label: 'Least weight',
      explanation: 'Edges that weigh less are left alone.',
      kind: 'number',
      min: 0,
    },
    {
      name: 'quality',
      flag: '--quality',
      label: 'Quality',
      explanation:
        'fast leaves the matching as it is; augment:3 makes it heavier in three passes over the graph that give up an edge for two.',
      kind: 'text',
      default: 'fast',
    },
    ...commonOptions,
  ],
  counters: [
    {
      name: 'augmentGain',
      label: 'Gained by augmentations',
      unit: 'weight',
      explanation: 'Weight more than before the passes.',
    },
    { name: 'augmentSwaps', label: 'Augmentations', unit: '', explanation: 'Edges that were given up for others.' },
    {
      name: 'augmentMs',
      label: 'Time of augmentations',
      unit: 'ms',
      explanation: 'What the passes took; not part of the compute time.',
    },
    {
      name: 'mmeps',
      label: 'Matched edges',
      unit: 'million a second',
      explanation: "Pairs for each second of kernel time: the paper's figure of merit.",
    },
    {
      name: 'arcsTouched',
      label: 'Arcs touched',
      unit: '',
      explanation: 'Arcs that were looked at again, once all neighbours that a vertex keeps were taken.',
    },
    { name: 'arcsTouchedPercent', label: 'Share of all arcs', unit: '%', explanation: 'The same, of all arcs.' },
    { name: 'workers', label: 'Workers', unit: '', explanation: 'That shared the graph.' },
    {
      name: 'readPercent',
      label: 'Read',
      unit: '%',
      explanation: 'Bytes read from the disk, repeats included, as a share of the graph.',
    },
  ],
} as const satisfies AlgorithmEntry
