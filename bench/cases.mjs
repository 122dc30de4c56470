// The questions that are measured: for each its options with their defaults, and the module that answers it. An option of the command
// line is the key of `options`; all values are text.
const GPU_AND_CPU = 'gpu:0,cpu:0'
const FIVE = 'rmat21x48,rmat22x8,uniform23,grid4096,rmat24x16'
const CODES_AND_PLANTED = [
  ...['1dc', '2dc', '1tc', '1et', '1zc'].flatMap((kind) => [512, 1024, 2048].map((vertices) => `${kind}.${vertices}`)),
  '1zc.4096',
  ...[40, 45, 50, 53].flatMap((variables) => [1, 2, 3, 4, 5].map((seed) => `frb${variables}-${seed}`)),
  ...['frb56-1', 'frb56-2', 'frb59-1', 'frb59-2'],
].join()
/** Graphs of 2^10 to 2^24 vertices. */
const TWELVE = [
  ...['uniform24', 'rmat24x16', 'geometric22', 'uniform20', 'rmat20x16', 'grid1024'],
  ...['kout19', 'rmat18x16', 'uniform16', 'geometric14', '1zc.4096', '1zc.1024'],
].join()
/** Each model that draws, with 17 to 34 million edges. */
const GENERATED = [
  ...['rmat21x16', 'rmat21x16-shuffled', 'uniform22x16', 'uniform22x16-shuffled', 'kout22x16', 'regular22x16'],
  ...['geometric22x16', 'chains24'],
].join()
/** Runs side by side, and the cores of each. */
const PLACES = { side: '1', cores: '2' }

export const cases = {
  across: {
    question:
      'How long does a run across ranks take here, and on nodes of a cluster by a model? Network: Gbit/s and microseconds.',
    options: {
      graphs: 'rmat22x8,uniform20',
      algorithms: 'mg-mis,ld-gpu',
      ranks: '1,2,4,8',
      nodes: '4,16,64',
      network: '100',
      latency: '10',
      launcher: 'mpirun --bind-to none',
      repeats: '3',
    },
    load: () => import('./cases/across.mjs'),
  },
  answers: {
    question: "How long does a person wait, from a file and from the library, beside the authors' program?",
    options: { graphs: FIVE, devices: GPU_AND_CPU, algorithms: 'ecl-mis,ld-gpu', repeats: '3', authors: '' },
    load: () => import('./cases/answers.mjs'),
  },
  kernels: {
    question: "How long do the kernels take, the graph on the device, beside the authors' program?",
    options: { graphs: FIVE, device: 'gpu:0', repeats: '7', authors: '', vite: '' },
    load: () => import('./cases/kernels.mjs'),
  },
  'out-of-core': {
    question: 'How long does a graph take that is larger than the memory it may use, and how much memory is it?',
    options: {
      graphs: 'rmat26x16,uniform26',
      devices: GPU_AND_CPU,
      algorithms: 'ecl-mis,ld-gpu',
      memory: '4GiB',
      repeats: '1',
    },
    load: () => import('./cases/out-of-core.mjs'),
  },
  packed: {
    question: 'What does a packed graph take of the disk, and of the time of a run, beside the raw one?',
    options: {
      graphs: 'rmat26x16,rmat27x16,geometric26,web26',
      devices: GPU_AND_CPU,
      algorithms: 'ecl-mis,ld-gpu',
      memory: '4GiB,8GiB,all',
      repeats: '3',
      limit: '120',
    },
    load: () => import('./cases/packed.mjs'),
  },
  colouring: {
    question: "How many colours does a graph take, and how long, beside the authors' ECL-GC?",
    options: { graphs: FIVE, devices: 'gpu:0', priorities: 'largest-first', repeats: '5', authors: '' },
    load: () => import('./cases/colouring.mjs'),
  },
  devices: {
    question: 'What does another GPU gain?',
    options: {
      graphs: 'rmat24x16,uniform24',
      devices: 'gpu:0,gpu:1,gpu:2,gpu:3',
      counts: '1,2,4',
      algorithms: 'mg-mis,ld-gpu',
      memory: '',
      repeats: '5',
    },
    load: () => import('./cases/devices.mjs'),
  },
  'rank-gpus': {
    question: 'How long do ranks of this machine with a GPU each take, beside one process with all of them?',
    options: {
      graphs: 'rmat24x16',
      devices: 'gpu:0,gpu:1',
      algorithms: 'mg-mis,ld-gpu',
      launcher: 'mpirun --bind-to none',
      repeats: '5',
    },
    load: () => import('./cases/rank-gpus.mjs'),
  },
  'paper-exchange': {
    question: 'How much does the exchange of the MG-MIS paper move?',
    options: {
      graphs: 'rmat20x16,rmat22x16',
      devices: 'cpu:0',
      counts: '2,4',
      shares: '0.03125,0.0625,0.125,1',
      repeats: '1',
      figure: '',
    },
    load: () => import('./cases/paper-exchange.mjs'),
  },
  canonical: {
    question: 'How long does a canonical file take that is linked, or stored, beside a copy by the system?',
    options: { graphs: 'rmat24x16', formats: 'egr', threads: '16', repeats: '3' },
    load: () => import('./cases/canonical.mjs'),
  },
  imports: {
    question: 'How fast is a text file imported, by number of threads, and how much slower with attributes?',
    options: { lines: '64000000', scale: '24', files: 'text,gzip', threads: '1,2,4,8,16', memory: '', repeats: '1' },
    load: () => import('./cases/imports.mjs'),
  },
  generators: {
    question: 'How long does a graph take that is generated, beside its import as an edge list and as METIS?',
    options: { graphs: GENERATED, formats: 'edge-list,metis', threads: '', memory: '', repeats: '3' },
    load: () => import('./cases/generators.mjs'),
  },
  quality: {
    question: 'How far are sets and matchings from the best, before and after they are improved?',
    options: { folder: 'test/fixtures/graphs', passes: '3' },
    load: () => import('./cases/quality.mjs'),
  },
  best: {
    question: 'How large do sets become in a given time, and how far from the best are they at most?',
    options: {
      graphs: 'uniform20,rmat20x16,grid1024',
      radii: '10,50',
      files: '',
      seconds: '1,10,60',
      qualities: 'fast,swap:3,better',
      ...PLACES,
    },
    load: () => import('./cases/best.mjs'),
  },
  seeds: {
    question: 'How far do the sets of twenty seeds differ?',
    options: { seeds: '20', radius: '10' },
    load: () => import('./cases/seeds.mjs'),
  },
  hard: {
    question: 'How near do sets of codes and planted instances come to the best that is known?',
    options: { graphs: CODES_AND_PLANTED, limits: TWELVE, seconds: '10,60', planted: '60', ...PLACES },
    load: () => import('./cases/hard.mjs'),
  },
  weighted: {
    question: 'How heavy do sets of vehicle routing become, beside CHILS (--chils PROGRAM)?',
    options: {
      graphs: 'routes100x40-1,routes300x100-1,routes1000x20-1,routes2000x8-1',
      seconds: '10,60',
      chils: '',
      ...PLACES,
    },
    load: () => import('./cases/weighted.mjs'),
  },
  limits: {
    question: 'Does a person wait no longer than the time limit of a search, verification included?',
    options: { graphs: TWELVE, seconds: '1,10,60', ...PLACES },
    load: () => import('./cases/limits.mjs'),
  },
  search: {
    question: 'How many edges a second does a breadth-first search traverse, and what do its workers exchange?',
    options: {
      graphs: 'rmat24x16',
      devices: 'gpu:0,gpu:1',
      counts: '1,2,4',
      algorithm: 'bfs',
      directions: 'optimising,top-down',
      messages: 'shortest,lists',
      searches: '16',
    },
    load: () => import('./cases/search.mjs'),
  },
  spins: {
    question: 'How many spins of a lattice are drawn a second, or what is their energy at a temperature?',
    options: {
      sides: '512',
      devices: 'gpu:0,gpu:1',
      counts: '1,2',
      sweeps: '200',
      samples: '0',
      temperature: '1.1019',
      repeats: '3',
    },
    load: () => import('./cases/spins.mjs'),
  },
  'tc-mis': {
    question: 'How long does TC-MIS take beside ECL-MIS, and 16 seeds beside one?',
    options: { graphs: 'kout19,geometric22,rmat20x8', device: 'gpu:0', priority: 'h3', seeds: '1,16', repeats: '9' },
    load: () => import('./cases/tc-mis.mjs'),
  },
  traffic: {
    question: 'How fast do threads read the page cache into fresh memory, into used memory, and compute checksums?',
    options: { mebibytes: '2048', threads: '1,2,4,8,16', repeats: '3' },
    load: () => import('./cases/traffic.mjs'),
  },
  verify: {
    question:
      'How long does the verification of a set and of a matching take, by itself and in a run, by number of threads?',
    options: { graphs: 'rmat22x16', devices: 'cpu:0', results: 'set,matching', threads: '1,2', repeats: '5' },
    load: () => import('./cases/verify.mjs'),
  },
  window: {
    question: 'How soon is the window useful, and is scrolling smooth?',
    options: { repeats: '5' },
    load: () => import('./cases/window.mjs'),
  },
}
