// Streams the view of a large graph from a cold file through a small budget of cpu:0, and compares with reading the same file
// alone, in turns. Prints both rates, their ratio, and the peak of resident memory. Needs GNU dd, fincore and /proc (Linux), and
// the built program (npm run build).
//   node resources/scripts/bench-streaming.mjs [--library DIR] [--memory 16MiB] [--repeats 7]
//                                              [--vertices 3000000] [--degree 40] | [--scale 21] [--edge-factor 40]
// The graph is uniform, whose batches are streamed whole; of an R-MAT (--scale) little more than the heads is read, see
// docs/decisions/0010-heads-first.md.
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { samplePeak } from './process-memory.mjs'

const SAMPLE_MS = 20
const PART_BYTES = 8 << 20
const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const { values: options } = parseArgs({
  options: {
    library: { type: 'string' },
    vertices: { type: 'string', default: '3000000' },
    degree: { type: 'string', default: '40' },
    scale: { type: 'string' },
    'edge-factor': { type: 'string', default: '40' },
    memory: { type: 'string', default: '16MiB' },
    repeats: { type: 'string', default: '7' },
  },
})
const library = options.library ?? mkdtempSync(join(tmpdir(), 'bench-streaming-'))
const isRmat = options.scale !== undefined
const name = isRmat
  ? `rmat-${options.scale}-${options['edge-factor']}`
  : `uniform-${options.vertices}-${options.degree}`
const model = isRmat
  ? ['rmat', '--scale', options.scale, '--edge-factor', options['edge-factor']]
  : ['uniform', '--vertices', options.vertices, '--degree', options.degree]
const words = (...more) => [launcher, '--library', library, '--json', ...more]
const mb = (bytes) => Math.round(bytes / 1e6)
const median = (values) => values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)]

function answer(...more) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words(...more), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The view that runs by hash use (they read all of it), once it is built, and the answer in memory. */
function prepare() {
  const known = answer('datasets').datasets.some((dataset) => dataset.name === name)
  if (!known) answer('generate', ...model, '--name', name)
  const { result } = answer('run', name, '--devices', 'cpu:0', '--priority', 'hash')
  const { bytes } = answer('datasets', 'views', name).views.find((each) => each.order === 'hash-0')
  const folders = readdirSync(join(library, 'datasets'))
  const views = folders.map((folder) => join(library, 'datasets', folder, 'views', 'oriented-hash-0.view'))
  return { view: views.find((path) => existsSync(path) && statSync(path).size === bytes), hash: result.hash }
}

/** posix_fadvise(DONTNEED), which Node does not have. */
function dropFromCache(path) {
  spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
  const { stdout } = spawnSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', path], { encoding: 'utf8' })
  if (Number(stdout) > 0.01 * statSync(path).size) throw new Error(`${path} stays in the cache`)
}

/** Bytes a millisecond, read from the start to the end in large parts. */
function sequentialRate(path) {
  const file = openSync(path, 'r')
  const part = Buffer.alloc(PART_BYTES, 1)
  const startMs = performance.now()
  let bytes = 0
  for (let count = readSync(file, part); count > 0; count = readSync(file, part)) bytes += count
  closeSync(file)
  return bytes / (performance.now() - startMs)
}

/** Looking at memory takes a good part of a processor, so it has a run of its own. */
function streamed({ trace, isSampled }) {
  return new Promise((resolve, reject) => {
    const traced = trace === undefined ? [] : ['--trace', trace]
    const args = words('run', name, '--devices', 'cpu:0', '--priority', 'hash', '--memory', options.memory, ...traced)
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const peak = isSampled ? samplePeak(child.pid, SAMPLE_MS) : undefined
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => {
      const peakBytes = peak?.stop() ?? 0
      if (code !== 0) reject(new Error(`the run ended with ${code}`))
      else resolve({ run: JSON.parse(output), peakBytes })
    })
  })
}

/** Milliseconds in which both hold: some span of one kind and some of the other. */
function overlapMs(events, isOne, isOther) {
  const edges = events
    .flatMap((event) => [
      { at: event.ts, event, step: 1 },
      { at: event.ts + event.dur, event, step: -1 },
    ])
    .sort((x, y) => x.at - y.at)
  let [one, other, last, both] = [0, 0, 0, 0]
  for (const { at, event, step } of edges) {
    if (one > 0 && other > 0) both += at - last
    last = at
    if (isOne(event)) one += step
    if (isOther(event)) other += step
  }
  return both / 1000
}

const { view, hash } = prepare()
const bytes = statSync(view).size
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]}`)
console.log(`${name}: view of ${mb(bytes)} MB, --memory ${options.memory}, cpu:0; cold file each time`)
const rows = []
const trace = join(library, 'bench-streaming.trace.json')
for (let i = 0; i < Number(options.repeats); i++) {
  dropFromCache(view)
  const alone = sequentialRate(view)
  dropFromCache(view)
  const { run } = await streamed({ trace, isSampled: false })
  if (run.result.hash !== hash) throw new Error(`the hash differs: ${run.result.hash}, in memory ${hash}`)
  const { readMs, computeMs, totalMs } = run.time
  const events = JSON.parse(readFileSync(trace, 'utf8')).traceEvents.filter(({ ph }) => ph === 'X')
  const overlap = overlapMs(
    events,
    ({ cat }) => cat === 'disk read',
    ({ cat }) => cat === 'kernel' || cat === 'copy in',
  )
  const rate = run.bytes.read / (readMs + computeMs)
  rows.push({ alone, rate, ratio: rate / alone })
  console.log(
    `alone ${Math.round(alone / 1e3)} MB/s; streamed ${Math.round(rate / 1e3)} MB/s (wait ${Math.round(readMs)} ms, compute ${Math.round(computeMs)} ms, ` +
      `in all ${Math.round(totalMs)} ms, reads beside work ${Math.round(overlap)} ms); ratio ${(rate / alone).toFixed(2)}`,
  )
}
// The file is in the cache now: what reading, checksums and kernels could do if the disk were faster.
const warm = []
for (let i = 0; i < Number(options.repeats); i++) {
  const { run } = await streamed({ trace: undefined, isSampled: false })
  warm.push(run.bytes.read / (run.time.readMs + run.time.computeMs))
}
dropFromCache(view)
const { peakBytes } = await streamed({ trace: undefined, isSampled: true })
const best = (key) => Math.max(...rows.map((row) => row[key]))
const middle = (key) => median(rows.map((row) => row[key]))
for (const [words, figure] of [
  ['median', middle],
  ['best', best],
])
  console.log(
    `${words}: alone ${Math.round(figure('alone') / 1e3)} MB/s, streamed ${Math.round(figure('rate') / 1e3)} MB/s, ratio of the two ${(figure('rate') / figure('alone')).toFixed(2)}`,
  )
console.log(
  `streamed from the cache: median ${Math.round(median(warm) / 1e3)} MB/s, best ${Math.round(Math.max(...warm) / 1e3)} MB/s`,
)
console.log(
  `median of the ratios ${middle('ratio').toFixed(2)}, best ${best('ratio').toFixed(2)}; peak of all processes ${mb(peakBytes)} MB`,
)
if (options.library === undefined) rmSync(library, { recursive: true, force: true })
