import { choice, option, readPercent, type AlgorithmDefinition } from './entry.ts'
import { sharedOptions } from './options.ts'

export const distanceMis = {
  name: 'distance-mis',
  title: 'Distance-k MIS',
  kind: 'independent-set',
  summary:
    'Finds a maximal set of vertices of which no two are within a distance, two by default: in each round a vertex joins whose random word is the least within it.',
  whenToUse:
    'For roots of aggregates in algebraic multigrid, for packings, and where stations need more than one edge between them.',
  paper: {
    title: 'Parallel, Portable Algorithms for Distance-2 Maximal Independent Set and Graph Coarsening',
    authors: 'B. Kelley, S. Rajamanickam',
    venue: 'International Parallel and Distributed Processing Symposium (IPDPS)',
    year: 2022,
  },
  options: [
    option(
      'distance',
      'integer',
      'Distance',
      'Members are further than so many edges from each other, and every vertex has one within it.',
      { default: 2, recorded: true, min: 2, max: 8 },
    ),
    option(
      'priority',
      'choice',
      'Priority',
      'Which of two vertices within the distance joins the set where both could.',
      {
        choices: [
          choice('random', 'Random', 'Drawn anew in each round: few rounds. The sets of Kokkos Kernels, MIS2_FAST.'),
          choice('degree', 'Degree', 'Vertices with few neighbours go first: larger sets, more rounds.'),
        ],
        default: 'random',
        recorded: true,
      },
    ),
    ...sharedOptions,
  ],
  counters: [readPercent],
} as const satisfies AlgorithmDefinition
