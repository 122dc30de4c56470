import { distanceMis } from './independent-sets.ts'
import { type AlgorithmDefinition, choice, counter, option, readPercent, setOptions, sharedOptions } from './options.ts'

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

export const colouring = {
  name: 'colouring',
  title: 'Jones-Plassmann colouring',
  kind: 'values',
  values: {
    title: 'proper colouring',
    column: 'colour',
    label: 'Colour',
    of: 'number',
    dense: true,
    figures: [
      counter('colours', 'Colours', '', 'Classes of vertices that are independent sets.'),
      { ...counter('clique', 'Largest clique found', 'vertices', 'No fewer colours do.'), of: 'verification' },
      {
        ...counter(
          'bound',
          'Degeneracy + 1',
          'colours',
          'So many colours always do; only of graphs that fit in memory.',
        ),
        of: 'verification',
      },
      counter('largest', 'Largest class', 'vertices', 'Vertices of the colour that most vertices have.'),
      counter('smallest', 'Smallest class', 'vertices', 'Vertices of the colour that fewest vertices have.'),
    ],
  },
  summary:
    'Colours the vertices so that no two neighbours have one colour: a vertex takes the least free colour once all neighbours of higher priority have theirs.',
  whenToUse: 'To split work into steps in which no two neighbours change at once: each colour is an independent set.',
  paper: {
    title: 'A Parallel Graph Coloring Heuristic',
    authors: 'M. T. Jones, P. E. Plassmann',
    venue: 'SIAM Journal on Scientific Computing 14(3)',
    year: 1993,
  },
  options: [
    option('priority', 'choice', 'Priority', 'Which of two neighbours is coloured first.', {
      choices: [
        choice('largest-first', 'Largest degree first', 'Vertices with many neighbours go first; few colours.'),
        choice(
          'smallest-last',
          'Smallest degree last',
          'The reverse of taking the vertex of least degree away, time and again: at most degeneracy + 1 colours. The graph has to fit in memory.',
        ),
        choice('hash', 'Hash', 'A hash of the vertex id alone decides: fewest rounds.'),
        choice('column', 'Your own', 'The larger value of a column of your own goes first.'),
      ],
      default: 'largest-first',
      recorded: true,
    }),
    setOptions[1],
    setOptions[2],
    option(
      'balance',
      'switch',
      'Balance',
      'Moves vertices from large classes to small ones afterwards; the number of colours stays.',
      { default: false },
    ),
    ...sharedOptions,
  ],
  counters: [
    counter('moved', 'Moved by balancing', 'vertices', 'Vertices that changed their class.'),
    counter('balanceMs', 'Time of balancing', 'ms', 'What the passes took; not part of the compute time.'),
    readPercent,
  ],
} as const satisfies AlgorithmDefinition

export const aggregates = {
  name: 'mis2-aggregates',
  title: 'Aggregates for multigrid',
  kind: 'values',
  values: {
    title: 'aggregates',
    column: 'aggregate',
    label: 'Aggregate',
    of: 'number',
    dense: true,
    figures: [
      counter('aggregates', 'Aggregates', '', 'Vertices of the next coarser level.'),
      counter('largest', 'Largest aggregate', 'vertices', 'Vertices in the aggregate that has most.'),
      counter('smallest', 'Smallest aggregate', 'vertices', 'Vertices in the aggregate that has fewest.'),
    ],
  },
  summary:
    'Gathers the vertices around the members of a distance-2 set, then around those of a second one among what is left; the rest joins the neighbouring aggregate with most edges.',
  whenToUse:
    'For algebraic multigrid: the aggregates, or the prolongation that they are, of a matrix whose graph this is.',
  paper: distanceMis.paper,
  options: [
    distanceMis.options[1],
    option(
      'threshold',
      'number',
      'Strength threshold',
      'Edges count whose weight is at least so many times the geometric mean of the sums of weights at both ends; 0: all.',
      { default: 0, recorded: true, min: 0, max: 1 },
    ),
    ...sharedOptions,
  ],
  counters: [
    counter('secondRoots', 'Roots of the second phase', '', 'Aggregates around a member of the second set.'),
    counter('joined', 'Joined', 'vertices', 'Vertices that joined a neighbouring aggregate at the end.'),
    readPercent,
  ],
} as const satisfies AlgorithmDefinition
