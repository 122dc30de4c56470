import { choice, counter, option, type AlgorithmDefinition } from './entry.ts'
import {
  exchangeCounters,
  scanCounters,
  setOptions,
  setQualityCounters,
  setQualityOptions,
  setWeightOptions,
  sharedOptions,
} from './options.ts'

export const mgMis = {
  name: 'mg-mis',
  title: 'MG-MIS',
  kind: 'independent-set',
  summary:
    'Finds the set that ECL-MIS finds under the same priority, with the vertices shared out among several workers that exchange what they decided.',
  whenToUse:
    'For graphs that do not fit one device; where one device holds the graph, one is fastest, as the paper says too.',
  paper: {
    title: 'A Multi-GPU Algorithm for Computing Maximal Independent Sets in Large Graphs',
    authors: 'A. M. Akathoott, B. V. Xavier, M. Burtscher',
    venue: 'International Conference on Supercomputing (ICS)',
    year: 2025,
  },
  options: [
    option('exchange', 'choice', 'Exchange', 'How the workers exchange what they decided; the set is the same.', {
      choices: [
        choice(
          'replicated',
          'Replicated states',
          'Every worker holds the states of all vertices, and publishes what it changed.',
        ),
        choice(
          'paper',
          'As in the paper',
          'Lists, questions and answers in buffers between each two workers, to measure against.',
        ),
      ],
      default: 'replicated',
    }),
    option(
      'bufferWords',
      'integer',
      'Words of a buffer',
      'Length of the buffer between two workers; what does not fit waits for the next round.',
      { min: 2, when: { option: 'exchange', values: ['paper'] } },
    ),
    ...setOptions,
    ...setQualityOptions,
    ...setWeightOptions,
    ...sharedOptions,
  ],
  counters: [
    counter('movedPercent', 'Moved', '%', 'Bytes that the workers exchanged, as a share of the graph.'),
    counter('transfers', 'Transfers', '', 'Bulk transfers between two workers, under the exchange of the paper.'),
    counter(
      'largestBufferNeed',
      'Largest buffer needed',
      'words',
      'What the largest buffer would have held in any round had there been room for all.',
    ),
    ...scanCounters,
    ...exchangeCounters,
    ...setQualityCounters,
  ],
} as const satisfies AlgorithmDefinition
