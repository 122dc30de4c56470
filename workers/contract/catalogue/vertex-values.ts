/**
 * The entries of the algorithms that give every vertex a value: components, cores, colours, aggregates, spins. Each says what a value means, and
 * by which figures the result is described and verified. searches.ts has those of breadth-first searches and eccentricities, independent-sets.ts
 * and matchings.ts the others; catalogue.ts lists all.
 */

import { distanceMis } from './independent-sets.ts'
import {
  type AlgorithmDefinition,
  choice,
  counter,
  MAX_SEED,
  option,
  readPercent,
  setOptions,
  sharedOptions,
} from './options.ts'
import { bfs } from './searches.ts'

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
      { ...counter('components', 'Components', '', 'Parts of the graph that no edge joins.'), one: 'component' },
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
    better: 'less',
    figures: [
      { ...counter('colours', 'Colours', '', 'Classes of vertices that are independent sets.'), one: 'colour' },
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
          'The reverse of taking all vertices of few neighbours away, time and again, where the limit only ever rises: at most degeneracy + 1 colours. The graph has to fit in memory.',
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
      { ...counter('aggregates', 'Aggregates', '', 'Vertices of the next coarser level.'), one: 'aggregate' },
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

export const spinGlass = {
  name: 'spin-glass',
  title: 'Spin glass',
  kind: 'values',
  values: {
    title: 'spins of low energy',
    column: 'spin',
    label: 'Spin',
    of: 'number',
    names: ['-1', '+1'],
    better: 'less',
    figures: [
      counter(
        'energy',
        'Energy',
        '',
        'Of the best spins that any replica had, flipped one by one until no flip lowers it.',
      ),
      counter('perVertex', 'Energy per vertex', '', 'The energy by the number of vertices.'),
      counter(
        'cut',
        'Cut',
        '',
        'Of max-cut what the edges between -1 and +1 weigh, else the sizes of their couplings.',
      ),
      counter('up', 'Spins up', 'vertices', 'Vertices at +1: of independent-set its members.'),
    ],
  },
  summary:
    'Looks for the least energy of spins on the vertices by simulated heat: spin glasses, maximum cuts, independent sets; 32 replicas at once.',
  whenToUse:
    'For ground states of Ising models and large cuts, or for mean energies at a temperature with their errors.',
  paper: bfs.paper,
  options: [
    option('model', 'choice', 'Model', 'What the energy is of.', {
      choices: [
        choice('bimodal', 'Spin glass', 'Couplings of +1 and -1 at random: the Edwards-Anderson model on a lattice.'),
        choice('ising', 'Ferromagnet', 'All couplings +1.'),
        choice('couplings', 'Couplings of the graph', 'What edges weigh, less --zero.'),
        choice('max-cut', 'Maximum cut', 'Couplings are the negative weights: the least energy is the largest cut.'),
        choice('independent-set', 'Independent set', 'A vertex is worth 1, an edge between two members costs 2.'),
      ],
      default: 'bimodal',
      recorded: true,
    }),
    option('method', 'choice', 'Method', 'Temperatures of the 32 replicas.', {
      choices: [
        choice('tempering', 'Parallel tempering', 'A ladder of temperatures, on which neighbours are swapped.'),
        choice('annealing', 'Annealing', 'All fall from the hottest to the coldest.'),
        choice('heat-bath', 'Heat bath', 'All stay at one temperature, for its mean energy.'),
      ],
      default: 'tempering',
    }),
    option(
      'temperature',
      'number',
      'Temperature',
      'Of the heat bath, in the unit of the energy; by default that of the transition of the cubic spin glass.',
      { default: 1.1019, when: { option: 'method', values: ['heat-bath'] } },
    ),
    option('coldest', 'number', 'Coldest', 'The lowest temperature; by default 0.3 of a mean coupling.', {
      when: { option: 'method', values: ['tempering', 'annealing'] },
    }),
    option(
      'hottest',
      'number',
      'Hottest',
      'The highest temperature; by default 1.7 of a mean coupling, and more where vertices have more than six neighbours.',
      { when: { option: 'method', values: ['tempering', 'annealing'] } },
    ),
    option('sweeps', 'integer', 'Sweeps', 'How often every spin is drawn anew.', {
      default: 1000,
      recorded: true,
      min: 1,
      max: 1_000_000_000,
    }),
    option('every', 'integer', 'Measured every', 'Energies are measured, and replicas swapped, after so many sweeps.', {
      default: 4,
      min: 1,
      max: 1_000_000_000,
    }),
    option(
      'disorder',
      'integer',
      'Disorder',
      'Seed of the couplings of the spin glass: another one is another sample.',
      { default: 0, min: 0, max: MAX_SEED, when: { option: 'model', values: ['bimodal'] } },
    ),
    option(
      'weights',
      'choice',
      'Weights',
      'Of max-cut: what edges weigh; by default what the graph says, if it has weights.',
      {
        choices: [
          choice('column', 'From the graph', 'The weights that the graph was imported with.'),
          choice('unit', 'All alike', 'Every edge weighs 1.'),
        ],
        when: { option: 'model', values: ['max-cut'] },
      },
    ),
    option(
      'zero',
      'number',
      'Zero',
      'Taken from every weight: 2 gives those of -1 and 1 their signs back that were imported with --weight-rule shift.',
      { default: 0, when: { option: 'model', values: ['couplings', 'max-cut'] } },
    ),
    ...sharedOptions,
  ],
  counters: [
    counter(
      'meanEnergy',
      'Mean energy per vertex',
      '',
      'At the temperature of the heat bath, or the coldest; of the second half of the sweeps.',
    ),
    counter('meanError', 'Its standard error', '', 'From the spread of replicas, or of blocks of sweeps.'),
    counter('swapPercent', 'Swaps accepted', '%', 'Of the swaps of neighbouring temperatures that were tried.'),
    counter('updatesPerSecond', 'Spins drawn a second', 'spins/s', 'Of all replicas, measurements included.'),
    counter('colours', 'Colours', '', 'Spins of one colour are drawn together.'),
    counter('settlingFlips', 'Flips at the end', '', 'That lowered the energy of the best spins.'),
  ],
} as const satisfies AlgorithmDefinition
