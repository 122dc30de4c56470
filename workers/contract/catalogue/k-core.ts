import { counter, type AlgorithmDefinition } from './entry.ts'
import { sharedOptions } from './options.ts'

export const kCore = {
  name: 'k-core',
  title: 'Core numbers',
  kind: 'values',
  values: {
    title: 'core numbers',
    column: 'core',
    label: 'Core number',
    of: 'number',
    figures: [
      counter('degeneracy', 'Degeneracy', '', 'The largest core number: no part of the graph has higher least degree.'),
      counter('inmost', 'Inmost core', 'vertices', 'Vertices with the largest core number.'),
    ],
  },
  summary:
    'Finds for every vertex the largest k of a part of the graph that it is in, and in which every vertex has k neighbours.',
  whenToUse: 'For the dense middle of a network, or a bound on colours and cliques: degeneracy + 1.',
  paper: {
    title: 'The H-index of a network node and its relation to degree and coreness',
    authors: 'L. Lu, T. Zhou, Q.-M. Zhang, H. E. Stanley',
    venue: 'Nature Communications 7',
    year: 2016,
  },
  options: sharedOptions,
  counters: [counter('fallen', 'Bounds lowered', '', 'How often the bound of a vertex fell, in all sweeps.')],
} as const satisfies AlgorithmDefinition
