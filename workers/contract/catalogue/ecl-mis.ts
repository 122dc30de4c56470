import type { AlgorithmDefinition } from './entry.ts'
import {
  exchangeCounters,
  scanCounters,
  setOptions,
  setQualityCounters,
  setQualityOptions,
  setWeightOptions,
  sharedOptions,
} from './options.ts'

export const eclMis = {
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
  options: [...setOptions, ...setQualityOptions, ...setWeightOptions, ...sharedOptions],
  counters: [...scanCounters, ...exchangeCounters, ...setQualityCounters],
} as const satisfies AlgorithmDefinition
