import { gridOptions, searchCounters } from './bfs.ts'
import { counter, option, type AlgorithmDefinition } from './entry.ts'
import { sharedOptions } from './options.ts'

export const eccentricities = {
  name: 'eccentricities',
  title: 'Eccentricities',
  kind: 'values',
  values: {
    title: 'lower bounds of eccentricities',
    column: 'eccentricity',
    label: 'Eccentricity at least',
    of: 'number',
    figures: [
      counter('diameter', 'Diameter at least', '', 'The longest shortest path that was found.'),
      counter('diameterBound', 'Diameter at most', '', 'No two vertices of a component are further apart.'),
      counter(
        'radius',
        'Radius at most',
        '',
        'The least distance to the farthest vertex that was found, of the component searched first.',
      ),
      counter('exact', 'Known exactly', 'vertices', 'Vertices whose bounds meet.'),
    ],
  },
  summary:
    'Bounds for every vertex the distance to the vertex farthest from it, by searches from a few vertices that are chosen to tell most.',
  whenToUse: 'For the diameter of a graph, nearly always exactly, by a handful of searches.',
  paper: {
    title: 'Computing the Eccentricity Distribution of Large Graphs',
    authors: 'F. W. Takes, W. A. Kosters',
    venue: 'Algorithms 6(1)',
    year: 2013,
  },
  options: [
    option('searches', 'integer', 'Searches', 'At most so many searches; fewer where all is known before.', {
      default: 16,
      min: 1,
      max: 1024,
    }),
    ...gridOptions,
    ...sharedOptions,
  ],
  counters: searchCounters,
} as const satisfies AlgorithmDefinition
