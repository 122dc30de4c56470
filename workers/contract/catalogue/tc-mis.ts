import { choice, counter, option, type AlgorithmDefinition } from './entry.ts'
import { batchesOption, memoryOption, seedOption, verifyOption } from './options.ts'

export const tcMis = {
  name: 'tc-mis',
  title: 'TC-MIS',
  kind: 'independent-set',
  summary:
    'Finds a maximal independent set in synchronous rounds: the adjacency matrix is stored in tiles of bits, and the neighbours of the candidates are counted as a matrix product, by integer code or on tensor cores.',
  whenToUse:
    'To compute the sets of up to 16 seeds at once and keep the largest, and to measure tensor cores against ECL-MIS.',
  paper: {
    title: 'TC-MIS: Maximal Independent Set on Tensor-cores',
    authors: 'P. Nijhara, D. S. Banerjee',
    venue: 'arXiv:2605.29604',
    year: 2026,
  },
  options: [
    option('priority', 'choice', 'Heuristic', 'Which of two neighbours joins the set where both could.', {
      choices: [
        choice('h3', 'H3', 'Vertices with few neighbours go first, ties are broken by a hash; this gives large sets.'),
        choice('h2', 'H2', 'Few neighbours first, by degree against the average degree and a hash.'),
        choice('h1', 'H1', 'A hash of the vertex id alone decides, whatever the degrees.'),
      ],
      default: 'h3',
      recorded: true,
    }),
    option(
      'seeds',
      'integer',
      'Seeds',
      'Computes the sets of this many seeds at once and keeps the largest; a matrix product has room for 16.',
      { default: 1, min: 1, max: 16 },
    ),
    option('counting', 'choice', 'Counting', 'What counts the candidates beside a vertex; the set is the same.', {
      choices: [
        choice(
          'auto',
          'What is faster',
          'Integers: tiles of real graphs are too empty for a matrix product to be faster.',
        ),
        choice('tensor', 'Tensor cores', 'A matrix product; needs a GPU whose driver offers it.'),
        choice('integer', 'Integers', 'Plain integer code, on any device.'),
      ],
      default: 'auto',
    }),
    seedOption,
    memoryOption,
    batchesOption,
    verifyOption,
  ],
  counters: [
    counter('phase1Ms', 'Phase 1: candidates', 'ms', 'Time on the device of choosing candidates.'),
    counter(
      'phase2Ms',
      'Phase 2: counts',
      'ms',
      'Time on the device of counting the candidates next to each vertex, as a matrix product.',
    ),
    counter(
      'phase3Ms',
      'Phase 3: update',
      'ms',
      'Time on the device of taking candidates in and their neighbours out.',
    ),
    counter(
      'tensorCores',
      'Tensor cores',
      '',
      '1 where the products ran on tensor cores, 0 where plain integer code counted.',
    ),
    counter('tiles', 'Tiles', '', 'Tiles of 16 by 32 cells that hold an edge.'),
    counter('fill', 'Fill', '%', 'Share of the cells of these tiles that are edges.'),
    counter('tileBytes', 'Bytes of tiles', 'bytes', 'What the tiles take, a bit for a cell, with their index.'),
    counter(
      'tilesRead',
      'Tiles read',
      '',
      'Over all rounds, tiles whose bits phase 2 read; the others had no candidate or nothing to decide.',
    ),
    counter('phase2Bytes', 'Bytes of phase 2', 'bytes', 'What phase 2 had to read of the tiles, over all rounds.'),
    counter('keysMs', 'Time of keys', 'ms', 'What sorting the vertices by priority took.'),
    counter('bestSeed', 'Seed kept', '', 'The seed, counted from the first, whose set is the largest.'),
  ],
} as const satisfies AlgorithmDefinition
