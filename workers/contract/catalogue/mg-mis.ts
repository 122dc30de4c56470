import type { AlgorithmEntry } from './entry.ts'
import {
  commonOptions,
  exchangeCounters,
  setOptions,
  setQualityCounters,
  setQualityOption,
  scanCounters,
} from './options.ts'

export const mgMis = {
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
    ...scanCounters,
    ...exchangeCounters,
    ...setQualityCounters,
  ],
} as const satisfies AlgorithmEntry
