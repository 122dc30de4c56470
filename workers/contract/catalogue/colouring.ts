import { choice, counter, option, readPercent, type AlgorithmDefinition } from './entry.ts'
import { setOptions, sharedOptions } from './options.ts'

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
