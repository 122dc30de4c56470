// Measures LD-GPU on the graphs of docs/benchmarks.md: R-MAT 2^21 x48, 2^22 x8 and 2^24 x16, uniform 2^23 and grid 4096^2, with random3
// weights. Prints kernel and compute times (median of the repeats), the time to prepare, pairs a second of kernel time,
// and writes nothing but its library, which it removes unless it was named. Needs the built program (npm run build) and Node 24.
//   node resources/scripts/bench-matching.mjs [--devices gpu:0] [--library DIR] [--only rmat21,grid] [--repeats 9] [--ties hash]
//     [--method ordered|rescan] [--batches N] [--partitions N] [--memory SIZE] [--scale-down K] [--vite DIR]
// --scale-down K makes every graph 2^K times smaller. --vite DIR writes each graph with its random3 weights as DIR/NAME.bin for
// programs that read Vite binary, such as the authors' (sumac).
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { weighedLists } from '../../workers/graph/weighed-lists.ts'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const { values: options } = parseArgs({
  options: {
    devices: { type: 'string', default: 'gpu:0' },
    library: { type: 'string' },
    only: { type: 'string' },
    repeats: { type: 'string', default: '9' },
    ties: { type: 'string', default: 'hash' },
    method: { type: 'string', default: 'ordered' },
    batches: { type: 'string' },
    partitions: { type: 'string' },
    memory: { type: 'string' },
    'scale-down': { type: 'string', default: '0' },
    vite: { type: 'string' },
  },
})
const down = Number(options['scale-down'])
const side = Math.round(4096 / 2 ** (down / 2))
const rmat = (scale, factor) => ['rmat', '--scale', scale - down, '--edge-factor', factor]
const models = {
  rmat21: rmat(21, 48),
  rmat22: rmat(22, 8),
  uniform23: ['uniform', '--vertices', 2 ** (23 - down), '--degree', 8],
  grid: ['grid', '--rows', side, '--columns', side],
  rmat24: rmat(24, 16),
}
const wanted = options.only?.split(',') ?? Object.keys(models)
const library = options.library ?? mkdtempSync(join(tmpdir(), 'bench-matching-'))

function answer(...more) {
  const words = [launcher, '--library', library, '--json', ...more.map(String)]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`${more.join(' ')} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Vite binary, written in pieces: i64 n, i64 m, i64 offsets [n + 1], then i64 target and f64 weight of each arc. */
function writeVite(name) {
  const folder = readdirSync(join(library, 'datasets')).find((each) => each.startsWith(`${name}-`))
  const graph = GaloisGr.open(join(library, 'datasets', folder, 'graph.gr'))
  mkdirSync(options.vite, { recursive: true })
  const file = openSync(join(options.vite, `${name}.bin`), 'w')
  const put = (array) => writeSync(file, new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  put(BigInt64Array.of(BigInt(graph.vertices), BigInt(graph.arcs)))
  const step = 1 << 20
  put(BigInt64Array.of(0n))
  for (let first = 0; first < graph.vertices; first += step) {
    const last = Math.min(graph.vertices, first + step)
    put(BigInt64Array.from(graph.readOffsets(first, last).subarray(1), BigInt))
  }
  // Targets below 2^53 as two words of 32 bits.
  const room = new ArrayBuffer(1 << 24)
  const [words, doubles] = [new Uint32Array(room), new Float64Array(room)]
  let filled = 0
  const job = { signal: { aborted: false }, progress: () => {}, log: () => {} }
  const order = { weights: 'random3', seed: 0 }
  for (const { neighbours, weights } of weighedLists(graph, order, 'write', job))
    for (let i = 0; i < neighbours.length; i++) {
      words[4 * filled] = neighbours[i]
      doubles[2 * filled + 1] = weights[i] / 1000
      if (++filled < room.byteLength / 16) continue
      put(words)
      filled = 0
    }
  put(words.subarray(0, 4 * filled))
  closeSync(file)
  graph.close()
}

function measure(name) {
  const known = answer('datasets').datasets.some((dataset) => dataset.name === name)
  if (!known) answer('generate', ...models[name], '--seed', 1, '--name', name)
  if (options.vite !== undefined) writeVite(name)
  const given = ['devices', 'repeats', 'ties', 'method', 'batches', 'partitions', 'memory']
  const flags = given.flatMap((flag) => (options[flag] === undefined ? [] : [`--${flag}`, options[flag]]))
  const { rows } = answer('bench', 'ld-gpu', name, '--weights', 'random3', ...flags)
  for (const { graph, device, deviceName, prepareMs, kernelMs, computeMs, readMs, rounds, result, counters } of rows)
    console.log(
      JSON.stringify({
        graph: name,
        vertices: graph.vertices,
        arcs: 2 * graph.edges,
        device: `${device} ${deviceName}`,
        kernelMs,
        computeMs,
        readMs: readMs.median,
        prepareMs,
        rounds,
        pairs: result.pairs,
        weight: result.weight,
        hash: result.hash,
        mmeps: Number((result.pairs / kernelMs.median / 1000).toFixed(1)),
        arcsTouchedPercent: counters.arcsTouchedPercent,
        readPercent: counters.readPercent,
      }),
    )
}

try {
  const { devices } = answer('devices')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const { method, ties, batches, partitions, memory } = options
  const drivers = devices.map(({ id, name, driver }) => `${id} ${name} (${driver})`)
  console.log(JSON.stringify({ version, devices: drivers, method, ties, batches, partitions, memory, down }))
  for (const name of wanted) measure(name)
} finally {
  if (options.library === undefined) rmSync(library, { recursive: true, force: true })
}
