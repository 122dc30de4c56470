import { type AlgorithmDefinition, choice, counter, MAX_SEED, option, sharedOptions } from './options.ts'
import { bfs } from './searches.ts'

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
