import { distanceMis } from './distance-mis.ts'
import { counter, option, readPercent, type AlgorithmDefinition } from './entry.ts'
import { sharedOptions } from './options.ts'

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
