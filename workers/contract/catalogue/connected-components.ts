import { counter, type AlgorithmDefinition } from './entry.ts'
import { sharedOptions } from './options.ts'

export const connectedComponents = {
  name: 'connected-components',
  title: 'Connected components',
  kind: 'values',
  values: {
    title: 'connected components',
    column: 'component',
    label: 'Component',
    of: 'vertex',
    figures: [
      counter('components', 'Components', '', 'Parts of the graph that no edge joins.'),
      counter('largest', 'Largest', 'vertices', 'Vertices of the largest component.'),
      counter('isolated', 'Isolated', 'vertices', 'Components of one vertex.'),
    ],
  },
  summary: 'Names the component of every vertex by its least vertex, in one pass over the graph.',
  whenToUse: 'To see whether a graph hangs together, or to take it apart.',
  paper: {
    title: 'A High-Performance Connected Components Implementation for GPUs',
    authors: 'J. Jaiganesh, M. Burtscher',
    venue: 'High-Performance Parallel and Distributed Computing (HPDC)',
    year: 2018,
  },
  options: sharedOptions,
  counters: [],
} as const satisfies AlgorithmDefinition
