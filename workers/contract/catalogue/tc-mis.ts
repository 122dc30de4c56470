import type { AlgorithmEntry } from './entry.ts'
import { commonOptions } from './options.ts'

export const tcMis = {
  name: 'tc-mis',
  title: 'TC-MIS',
  kind: 'independent-set',
  summary:
    'Finds a maximal independent set in synchronous rounds: the adjacency matrix lies in tiles of bits, and the neighbours of the candidates are counted as a matrix product, by integer code or on tensor cores.',
  whenToUse:
    'To compute the sets of up to 16 seeds at once and keep the largest, and to measure tensor cores against ECL-MIS.',
  paper: {
    title: 'TC-MIS: Maximal Independent Set on Tensor-cores',
    authors: 'P. Nijhara, D. S. Banerjee',
    venue: 'arXiv:2605.29604',
    year: 2026,
  },
  options: [
    {
      name: 'priority',
      flag: '--priority',
      label: 'Heuristic',
      explanation: 'Who goes first where two neighbours could both join the set.',
      kind: 'choice',
      choices: [
        {
          value: 'h3',
          label: 'H3',
          explanation: 'Vertices with few neighbours go first, ties are broken by a hash; this gives large sets.',
        },
        {
          value: 'h2',
          label: 'H2',
          explanation: 'Few neighbours first, by degree against the average degree and a hash.',
        },
        { value: 'h1', label: 'H1', explanation: 'A hash of the vertex id alone decides, whatever the degrees.' },
      ],
      default: 'h3',
    },
    {
      name: 'seeds',
      flag: '--seeds',
      label: 'Seeds',
      explanation:
        'Computes the sets of this many seeds at once and keeps the largest; a matrix product has room for 16.',
      kind: 'integer',
      default: 1,
      min: 1,
      max: 16,
    },
    {
      name: 'counting',
      flag: '--counting',
      label: 'Counting',
      explanation: 'What counts the candidates beside a vertex; the set is the same.',
      kind: 'choice',
      choices: [
        {
          value: 'auto',
          label: 'What is faster',
          explanation: 'Integers: tiles of real graphs are too empty for a matrix product to be faster.',
        },
        {
          value: 'tensor',
          label: 'Tensor cores',
          explanation: 'A matrix product; needs a GPU whose driver offers it.',
        },
        { value: 'integer', label: 'Integers', explanation: 'Plain integer code, on any device.' },
      ],
      default: 'auto',
    },
    ...commonOptions.filter(({ name }) => name !== 'partitions'),
  ],
  counters: [
    {
      name: 'phase1Ms',
      label: 'Phase 1: candidates',
      unit: 'ms',
      explanation: 'Time on the device of choosing candidates.',
    },
    {
      name: 'phase2Ms',
      label: 'Phase 2: counts',
      unit: 'ms',
      explanation: 'Time on the device of counting the candidates next to each vertex, as a matrix product.',
    },
    {
      name: 'phase3Ms',
      label: 'Phase 3: update',
      unit: 'ms',
      explanation: 'Time on the device of taking candidates in and their neighbours out.',
    },
    {
      name: 'tensorCores',
      label: 'Tensor cores',
      unit: '',
      explanation: '1 where the products ran on tensor cores, 0 where plain integer code counted.',
    },
    { name: 'tiles', label: 'Tiles', unit: '', explanation: 'Tiles of 16 by 32 cells that hold an edge.' },
    { name: 'fill', label: 'Fill', unit: '%', explanation: 'Share of the cells of these tiles that are edges.' },
    {
      name: 'tileBytes',
      label: 'Bytes of tiles',
      unit: 'bytes',
      explanation: 'What the tiles take, a bit for a cell, with their index.',
    },
    {
      name: 'tilesRead',
      label: 'Tiles read',
      unit: '',
      explanation: 'Over all rounds, tiles whose bits phase 2 read; the others had no candidate or nothing to decide.',
    },
    {
      name: 'phase2Bytes',
      label: 'Bytes of phase 2',
      unit: 'bytes',
      explanation: 'What phase 2 had to read of the tiles, over all rounds.',
    },
    { name: 'keysMs', label: 'Time of keys', unit: 'ms', explanation: 'What sorting the vertices by priority took.' },
    {
      name: 'bestSeed',
      label: 'Seed kept',
      unit: '',
      explanation: 'The seed, counted from the first, whose set is the largest.',
    },
  ],
} as const satisfies AlgorithmEntry
