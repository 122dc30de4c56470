import type { AlgorithmDefinition } from './entry.ts'
import { memoryOption, seedOption, setQualityCounters, setQualityOptions, verifyOption } from './options.ts'

export const luby = {
  name: 'luby',
  title: 'Luby',
  kind: 'independent-set',
  summary:
    'Finds a maximal independent set in few rounds: each draws new random priorities, and a vertex above all its neighbours joins.',
  whenToUse: 'To compare with the textbook.',
  paper: {
    title: 'A Simple Parallel Algorithm for the Maximal Independent Set Problem',
    authors: 'M. Luby',
    venue: 'SIAM Journal on Computing 15(4)',
    year: 1986,
  },
  options: [...setQualityOptions, seedOption, memoryOption, verifyOption],
  counters: setQualityCounters,
} as const satisfies AlgorithmDefinition
