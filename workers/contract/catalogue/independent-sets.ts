/**
 * The entries of the algorithms that make independent sets: name, paper, words, options, counters. The command line, the contract, the forms and
 * pages of the window and the documents are made from them; the engine reads names and options. What several of them have is in options.ts.
 * catalogue.ts lists all entries; the code of each is in the folder of its name in workers/algorithms.
 */

import {
  type AlgorithmDefinition,
  batchesOption,
  choice,
  counter,
  exchangeCounters,
  memoryOption,
  option,
  readPercent,
  scanCounters,
  seedOption,
  setOptions,
  setQualityCounters,
  setQualityOptions,
  setWeightOptions,
  sharedOptions,
  verifyOption,
} from './options.ts'

export const eclMis = {
  name: 'ecl-mis',
  title: 'ECL-MIS',
  kind: 'independent-set',
  summary:
    'Finds a maximal independent set by asynchronous sweeps: a vertex joins as soon as all neighbours of higher priority are out.',
  whenToUse: 'The first choice for a maximal independent set on one device, or on several that share the graph.',
  paper: {
    title: 'A High-Quality and Fast Maximal Independent Set Implementation for GPUs',
    authors: 'M. Burtscher, S. Devale, S. Azimi, J. Jaiganesh, E. Powers',
    venue: 'ACM Transactions on Parallel Computing 5(2)',
    year: 2018,
  },
  options: [...setOptions, ...setQualityOptions, ...setWeightOptions, ...sharedOptions],
  counters: [...scanCounters, ...exchangeCounters, ...setQualityCounters],
} as const satisfies AlgorithmDefinition

export const mgMis = {
  name: 'mg-mis',
  title: 'MG-MIS',
  kind: 'independent-set',
  summary:
    'Finds the set that ECL-MIS finds under the same priority, with the vertices shared out among several workers that exchange what they decided.',
  whenToUse:
    'For graphs that do not fit one device; where one device holds the graph, one is fastest, as the paper says too.',
  paper: {
    title: 'A Multi-GPU Algorithm for Computing Maximal Independent Sets in Large Graphs',
    authors: 'A. M. Akathoott, B. V. Xavier, M. Burtscher',
    venue: 'International Conference on Supercomputing (ICS)',
    year: 2025,
  },
  options: [
    option('exchange', 'choice', 'Exchange', 'How the workers exchange what they decided; the set is the same.', {
      choices: [
        choice(
          'replicated',
          'Replicated states',
          'Every worker holds the states of all vertices, and publishes what it changed.',
        ),
        choice(
          'paper',
          'As in the paper',
          'Lists, questions and answers in buffers between each two workers, to measure against.',
        ),
      ],
      default: 'replicated',
    }),
    option(
      'bufferWords',
      'integer',
      'Words of a buffer',
      'Length of the buffer between two workers; what does not fit waits for the next round.',
      { min: 2, when: { option: 'exchange', values: ['paper'] } },
    ),
    ...eclMis.options,
  ],
  counters: [
    counter('movedPercent', 'Moved', '%', 'Bytes that the workers exchanged, as a share of the graph.'),
    counter('transfers', 'Transfers', '', 'Bulk transfers between two workers, under the exchange of the paper.'),
    counter(
      'largestBufferNeed',
      'Largest buffer needed',
      'words',
      'What the largest buffer would have held in any round had there been room for all.',
    ),
    ...eclMis.counters,
  ],
} as const satisfies AlgorithmDefinition

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

export const luby = {
  name: 'luby',
  title: 'Luby',
  kind: 'independent-set',
  summary:
    'Finds a maximal independent set in few rounds: each draws new random priorities, and a vertex above all its neighbours joins.',
  whenToUse: 'To compare with the textbook.',
  paper: {
    title: 'A Simple Parallel Algorithm for the Maximal Independent Set Problem',
    authors: 'M. Luby',
    venue: 'SIAM Journal on Computing 15(4)',
    year: 1986,
  },
  options: [...setQualityOptions, seedOption, memoryOption, verifyOption],
  counters: setQualityCounters,
} as const satisfies AlgorithmDefinition

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
