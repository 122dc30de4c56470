// Streams the views of two large graphs from a cold file through a small budget of cpu:0, and compares with reading the same file
// alone, in turns. Prints, for each, both rates, their ratio, and the peak of resident memory; ends with 1 where a ratio is less
// than 0.8 or the peak is above the budget and 300 MB. Needs GNU dd, fincore and /proc (Linux), and the built program (npm run build).
//   node resources/scripts/bench-streaming.mjs [--library DIR] [--memory 16MiB] [--repeats 7]
//                                              [--vertices 3000000,8000000] [--degree 40] | [--scale 21] [--edge-factor 40]
// The graphs are uniform, whose batches are streamed whole; of an R-MAT (--scale) little more than the heads is read, see
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from './bench-figures.mjs'
import { samplePeak } from './process-memory.mjs'

const SAMPLE_MS = 20
const LEAST_RATIO = 0.8
const ROOM_MB = 300
const PART_BYTES = 8 << 20
const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const { values: options } = parseArgs({
  options: {
    library: { type: 'string' },
    vertices: { type: 'string', default: '3000000,8000000' },
    degree: { type: 'string', default: '40' },
    scale: { type: 'string' },
    'edge-factor': { type: 'string', default: '40' },
    memory: { type: 'string', default: '16MiB' },
    repeats: { type: 'string', default: '7' },
  },
})
const library = options.library ?? mkdtempSync(join(tmpdir(), 'bench-streaming-'))
const rmat = options.scale && {
  name: `rmat-${options.scale}-${options['edge-factor']}`,
  model: ['rmat', '--scale', options.scale, '--edge-factor', options['edge-factor']],
}
const uniform = (vertices) => ({
  name: `uniform-${vertices}-${options.degree}`,
  model: ['uniform', '--vertices', vertices, '--degree', options.degree],
})
const graphs = rmat === undefined ? options.vertices.split(',').map(uniform) : [rmat]
const words = (...more) => [launcher, '--library', library, '--json', ...more]
const mb = (bytes) => Math.round(bytes / 1e6)
const mbs = (rate) => Math.round(rate / 1e3)

function answer(...more) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words(...more), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The view that runs by hash use (they read all of it), once it is built, and the answer in memory. */
function prepare({ name, model }) {
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
function streamed(name, { trace, isSampled }) {
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

/** Bytes a millisecond from the first batch to the set. The tail offsets are read before that, and do not count. */
function rateOf({ time, bytes }, view) {
  const header = JSON.parse(readFileSync(view).toString('utf8', 0, 4096))
  return (bytes.read - header.tailOffsets.bytes) / (time.readMs + time.computeMs)
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

/**
 * Takes the file out of the cache, and leaves the system with more memory at hand than a run and the cache take: that of a virtual
 * machine may belong to the host after a second or two, and comes back slower than a disk reads.
 */
function makeCold(view) {
  const files = [join(dirname(dirname(view)), 'graph.gr'), view]
  for (const file of files) sequentialRate(file)
  for (const file of files) dropFromCache(file)
}

async function streamedCold(name, view, hash) {
  const trace = join(library, 'bench-streaming.trace.json')
  makeCold(view)
  const { run } = await streamed(name, { trace, isSampled: false })
  if (run.result.hash !== hash) throw new Error(`the hash differs: ${run.result.hash}, in memory ${hash}`)
  const events = JSON.parse(readFileSync(trace, 'utf8')).traceEvents.filter(({ ph }) => ph === 'X')
  const isRead = ({ cat }) => cat === 'disk read'
  const isWork = ({ cat }) => cat === 'kernel' || cat === 'copy in'
  return { rate: rateOf(run, view), time: run.time, beside: overlapMs(events, isRead, isWork) }
}

/** As long after the file left the cache as a run begins to read, and with as much memory in use meanwhile. */
function readAlone(view) {
  makeCold(view)
  answer('datasets')
  return sequentialRate(view)
}

/** One after the other, and in turns the other way round: what a disk gives depends on what was read of it just before. */
async function compare(name, view, hash, i) {
  const before = i % 2 === 0 ? readAlone(view) : undefined
  const { rate, time, beside } = await streamedCold(name, view, hash)
  const alone = before ?? readAlone(view)
  const ms = (key) => `${Math.round(time[key])} ms`
  console.log(
    `alone ${mbs(alone)} MB/s; streamed ${mbs(rate)} MB/s (wait ${ms('readMs')}, compute ${ms('computeMs')}, of it kernels ${ms('kernelMs')}; ` +
      `in all ${ms('totalMs')}; reads beside work ${Math.round(beside)} ms); ratio ${(rate / alone).toFixed(2)}`,
  )
  return { alone, rate, ratio: rate / alone }
}

/** What the file in the cache allows: reading, checksums and kernels, if the disk were faster. */
async function fromCache(name, view) {
  const rates = []
  for (let i = 0; i < Number(options.repeats); i++)
    rates.push(rateOf((await streamed(name, { trace: undefined, isSampled: false })).run, view))
  return rates
}

async function measure(graph) {
  const { name } = graph
  const { view, hash } = prepare(graph)
  console.log(
    `\n${name}: view of ${mb(statSync(view).size)} MB, --memory ${options.memory}, cpu:0; cold file each time`,
  )
  const rows = []
  for (let i = 0; i < Number(options.repeats); i++) rows.push(await compare(name, view, hash, i))
  const warm = await fromCache(name, view)
  dropFromCache(view)
  const { peakBytes } = await streamed(name, { trace: undefined, isSampled: true })
  const of = (key) => rows.map((row) => row[key])
  const figures = (rates) => `median ${mbs(median(rates))} MB/s, best ${mbs(Math.max(...rates))} MB/s`
  console.log(`read alone, cold: ${figures(of('alone'))}`)
  console.log(`streamed, cold: ${figures(of('rate'))}`)
  console.log(`streamed, from the cache: ${figures(warm)}`)
  const ratio = median(of('ratio'))
  const ofMedians = median(of('rate')) / median(of('alone'))
  console.log(
    `RATIO of streaming to reading alone, ${mb(statSync(view).size)} MB: ${ratio.toFixed(2)} in the median of neighbours ` +
      `(${Math.min(...of('ratio')).toFixed(2)} to ${Math.max(...of('ratio')).toFixed(2)}), ${ofMedians.toFixed(2)} of the medians`,
  )
  console.log(`peak of all processes: ${mb(peakBytes)} MB`)
  const budgetMb = mb(sizeOf(options.memory))
  return { name, isGood: ratio >= LEAST_RATIO && mb(peakBytes) <= budgetMb + ROOM_MB }
}

function sizeOf(text) {
  const [, figure, unit] = /^(\d+)([KMG]iB)$/.exec(text)
  return Number(figure) * { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }[unit]
}

console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]}`)
const found = []
for (const graph of graphs) found.push(await measure(graph))
const bad = found.filter(({ isGood }) => !isGood)
console.log(
  bad.length === 0 ? '\nall within the limits' : `\nbeyond the limits: ${bad.map(({ name }) => name).join(', ')}`,
)
if (bad.length > 0) process.exitCode = 1
if (options.library === undefined) rmSync(library, { recursive: true, force: true })
