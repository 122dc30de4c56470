/**
 * The entries of the algorithms that find pairs: LD-GPU, in which a vertex is in one pair at most, and b-Suitor, in which it may be in several. They
 * share what edges weigh and which of two equal ones comes first. independent-sets.ts has sets, vertex-values.ts and searches.ts values of
 * vertices; catalogue.ts lists all.
 */

import {
  type AlgorithmDefinition,
  choice,
  counter,
  option,
  readPercent,
  searchLimitOptions,
  sharedOptions,
} from './options.ts'

const weightsOption = option(
  'weights',
  'choice',
  'Weights',
  "What edges weigh; by default the graph's own weights, or all alike where it has none.",
  {
    choices: [
      choice('column', 'Of the graph', 'The weights that were imported.'),
      choice('unit', 'All alike', 'Every edge weighs 1: as many pairs as possible.'),
      choice('random3', 'Random', 'Drawn from 0.001 to 1 by the seed, three decimals, as in the paper.'),
    ],
  },
)

const tiesOption = option(
  'ties',
  'choice',
  'Ties',
  'Which of two edges of equal weight comes first; it decides the matching, and the number of rounds.',
  {
    choices: [
      choice('hash', 'Hash', 'By a hash of the edge: few rounds on every graph.'),
      choice(
        'id',
        'Larger id',
        "The larger neighbour, as in the authors' program: with equal weights it may take many rounds.",
      ),
      choice(
        'degree',
        'Smaller degrees',
        'Edges between vertices of few neighbours first: more pairs, and more rounds.',
      ),
    ],
    default: 'hash',
  },
)

const thresholdOption = option('threshold', 'number', 'Least weight', 'Edges that weigh less are left alone.')

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
    option('method', 'choice', 'Method', 'How pointers are found; the matching and its rounds are the same.', {
      choices: [
        choice(
          'ordered',
          'Best neighbours',
          'Every vertex keeps its best neighbours, so each arc is looked at about once.',
        ),
        choice(
          'rescan',
          'As in the paper',
          'Every free vertex looks at all its neighbours in every round, to measure against.',
        ),
      ],
      default: 'ordered',
    }),
    weightsOption,
    tiesOption,
    option('objective', 'choice', 'Objective', 'What the search of --quality best looks for.', {
      choices: [
        choice('weight', 'Heaviest', 'The largest sum of weights.'),
        choice('pairs', 'Most pairs', 'As many pairs as there can be and, of these matchings, the heaviest.'),
        choice(
          'cost',
          'Cheapest',
          'As many pairs as there can be and, of these matchings, the smallest sum of weights.',
        ),
      ],
      default: 'weight',
    }),
    thresholdOption,
    option(
      'quality',
      'text',
      'Quality',
      'fast leaves the matching as it is; better comes within 1 % of the best possible where the graph fits memory; best searches for the heaviest one until --time is up; augment:3 makes three passes over the graph that give up an edge for two.',
      { default: 'fast' },
    ),
    ...searchLimitOptions,
    ...sharedOptions,
  ],
  counters: [
    counter(
      'searchSteps',
      'Steps of search',
      '',
      'Alternating trees that were grown; --steps with it repeats the matching.',
    ),
    counter('searchGain', 'Gained by search', 'weight', 'Weight more than before the search.'),
    counter('searchMs', 'Time of search', 'ms', 'Loading and searching; not part of the compute time.'),
    counter('matchingBound', 'Bound', 'weight', 'No matching weighs more, by the prices of the search.'),
    counter('pairsBound', 'Bound of pairs', 'pairs', 'No matching has more pairs, by the prices of the search.'),
    counter(
      'weightBound',
      'Bound of weight',
      'weight',
      'No matching of as many pairs weighs more (or, of the cheapest, less).',
    ),
    counter('augmentGain', 'Gained by augmentations', 'weight', 'Weight more than before the passes.'),
    counter('augmentSwaps', 'Augmentations', '', 'Edges that were given up for others.'),
    counter('augmentMs', 'Time of augmentations', 'ms', 'What the passes took; not part of the compute time.'),
    counter(
      'mmeps',
      'Matched edges',
      'million a second',
      "Pairs for each second of kernel time: the paper's figure of merit.",
    ),
    counter(
      'arcsTouched',
      'Arcs touched',
      '',
      'Arcs that were looked at again, once all neighbours that a vertex keeps were taken.',
    ),
    counter('arcsTouchedPercent', 'Share of all arcs', '%', 'The same, of all arcs.'),
    counter('workers', 'Workers', '', 'That shared the graph.'),
    counter('readPercent', 'Read', '%', 'Bytes read from the disk, repeats included, as a share of the graph.'),
  ],
} as const satisfies AlgorithmDefinition

export const bSuitor = {
  name: 'b-suitor',
  title: 'b-Suitor',
  kind: 'b-matching',
  summary:
    'Finds a locally dominant b-matching: pairs in which every vertex may occur several times, the heaviest edges first.',
  whenToUse:
    'For assignments where each has several partners: papers and reviewers, records and their likely doubles, sparse graphs of nearest neighbours.',
  paper: {
    title: 'Efficient Approximation Algorithms for Weighted b-Matching',
    authors: 'A. Khan, A. Pothen, M. M. A. Patwary, N. R. Satish, N. Sundaram, F. Manne, M. Halappanavar, P. Dubey',
    venue: 'SIAM Journal on Scientific Computing 38(5)',
    year: 2016,
  },
  options: [
    option('capacity', 'integer', 'Partners', 'How many partners a vertex may have at most; by default 2.', {
      min: 0,
      max: 2 ** 32 - 1,
    }),
    option(
      'columnFile',
      'file',
      'Column of partners',
      'Lines "id,number": how many partners each vertex may have, in place of one number for all.',
    ),
    option(
      'columnName',
      'text',
      'Attribute of partners',
      'An attribute of the vertices in place of a file: whole numbers of 0 or more.',
    ),
    weightsOption,
    tiesOption,
    thresholdOption,
    ...sharedOptions,
  ],
  counters: [
    counter(
      'full',
      'Full vertices',
      'vertices',
      'Vertices that have as many partners as they may have, or neighbours.',
    ),
    readPercent,
  ],
} as const satisfies AlgorithmDefinition
