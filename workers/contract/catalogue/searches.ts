import { type AlgorithmDefinition, choice, counter, option, sharedOptions } from './options.ts'

/** Options of every algorithm whose workers are a grid over the adjacency matrix. */
const gridOptions = [
  option(
    'direction',
    'choice',
    'Direction',
    'Which vertices scan their neighbours in a level; the answer is the same.',
    {
      choices: [
        choice(
          'optimising',
          'Either',
          'Those of the frontier while it is small, those not reached yet while it is large.',
        ),
        choice('top-down', 'From the frontier', 'Those of the frontier look for what was not reached.'),
        choice('bottom-up', 'Towards the frontier', 'Those not reached yet look for a neighbour in the frontier.'),
      ],
      default: 'optimising',
    },
  ),
  option(
    'rows',
    'integer',
    'Rows of workers',
    'Workers are a grid of so many rows over the adjacency matrix, which divide their number: 1 is the 1-D partition.',
    { default: 1, min: 1, max: 64 },
  ),
  option('messages', 'choice', 'Messages', 'How vertices are sent between workers; the answer is the same.', {
    choices: [
      choice('shortest', 'Lists or bitmaps', 'A bitmap where a list would be longer.'),
      choice('lists', 'Lists', 'Always lists, to measure against.'),
    ],
    default: 'shortest',
  }),
] as const

/** What searches count. */
const searchCounters = [
  counter('edges', 'Edges traversed', '', 'Edges between the vertices that were reached, in all searches.'),
  counter(
    'teps',
    'Traversed edges a second',
    'edges/s',
    'TEPS as Graph500 counts them: edges reached by the time of the search; of several searches their harmonic mean.',
  ),
  counter('bottomUpLevels', 'Levels towards the frontier', '', 'Levels in which vertices not reached yet scan lists.'),
  counter('listBytes', 'Exchanged as lists', 'bytes', 'Vertices that were sent as lists of ids.'),
  counter('bitmapBytes', 'Exchanged as bitmaps', 'bytes', 'Vertices that were sent as bitmaps, as lists are longer.'),
  counter('transfers', 'Transfers', '', 'Lists and bitmaps that were sent.'),
]

export const bfs = {
  name: 'bfs',
  title: 'Breadth-first search',
  kind: 'values',
  values: {
    title: 'search tree',
    column: 'level',
    label: 'Level',
    of: 'number',
    none: 'not reached',
    figures: [
      counter('reached', 'Reached', 'vertices', 'Vertices that a path joins with the root, the root among them.'),
      counter('depth', 'Depth', 'levels', 'Length of the longest of all shortest paths from the root.'),
    ],
  },
  summary: 'Finds the distance of every vertex from a root, level by level, from whichever side is less work.',
  whenToUse: 'For distances from one vertex, or to measure traversed edges a second as Graph500 does.',
  paper: {
    title: 'Colloquium: Large scale simulations on GPU clusters',
    authors: 'M. Bernaschi, M. Bisson, M. Fatica',
    venue: 'European Physical Journal B 88',
    year: 2015,
  },
  options: [
    option(
      'root',
      'text',
      'Root',
      'The vertex to search from, as the graph calls it; by default one with the most neighbours.',
    ),
    option(
      'searches',
      'integer',
      'Searches',
      'So many searches, the others before from random roots that have neighbours: their times count, and the last one is the answer.',
      { default: 1, min: 1, max: 1024 },
    ),
    ...gridOptions,
    ...sharedOptions,
  ],
  counters: searchCounters,
} as const satisfies AlgorithmDefinition

export const bfsTree = {
  ...bfs,
  name: 'bfs-tree',
  title: 'Breadth-first tree',
  values: { ...bfs.values, column: 'parent', label: 'Parent', of: 'vertex' },
  summary:
    'Finds a shortest path from a root to every vertex: its parent, of the neighbours one level nearer to the root the least; the root is its own.',
  whenToUse: 'For paths, or to measure what Graph500 measures, parents included.',
} as const satisfies AlgorithmDefinition

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
