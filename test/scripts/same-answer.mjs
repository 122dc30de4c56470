// Same input, same answer, on whatever GPU there is: every algorithm and order on graphs with hubs, time and again, beside a processor's answer.
// Software adapters run workgroups one after another and hide races, so this runs on a real GPU before a change to a kernel lands.
//   npm run build && node test/scripts/same-answer.mjs
//   --repeats 40      runs of each case on one GPU; the other ways (batches, partitions, beside a processor, packed, two GPUs) take a quarter of them
//   --only TEXT       cases whose words have this text in them, such as ecl-mis, "rmat 18" or priority=hash
//   --case TEXT       one case alone, by the whole of its words, such as "rmat 18 x16 shuffled: luby"
//   --ways TEXT       ways whose words have this text in them, such as gpu:0,gpu:1; alone: one GPU, with all repeats
//   --share 2/8       the second of eight parts of the cases: several processes share one GPU, which only makes timings wilder
//   --devices gpu:0   the GPU that is compared; several with commas are ways of their own
//   --small           the graphs at 1/16 of their size
//   --patience 20     repeats no case for more seconds than these; its line says how many runs it made
//   --deadline 500    begins no case once so many seconds are over, and says which are left; the case under way makes no more runs
//   --answers FILE    the processor's answers: read where FILE has them, else computed and added; a machine with a GPU then computes none
//   --no-gpu          computes the processor's answers alone, for --answers
//   --skip FILE       leaves out the cases that a line of FILE calls the same, with all their repeats: an earlier run's output
// One line for each case, and at the end "N runs of M cases ..."; exit 1 where any answer differs from the processor's, or none comes.
import { appendFileSync, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { ServiceInProcess } from '../support/service-in-process.mjs'

const { values: wanted } = parseArgs({
  options: {
    repeats: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    case: { type: 'string' },
    ways: { type: 'string', default: '' },
    share: { type: 'string', default: '1/1' },
    devices: { type: 'string', default: 'gpu:0' },
    small: { type: 'boolean', default: false },
    patience: { type: 'string', default: 'Infinity' },
    deadline: { type: 'string', default: 'Infinity' },
    skip: { type: 'string' },
    answers: { type: 'string' },
    'no-gpu': { type: 'boolean', default: false },
  },
})
const REPEATS = Number(wanted.repeats)
const PATIENCE_MS = 1000 * Number(wanted.patience)
const SHRUNK = wanted.small ? 4 : 0
const [part, parts] = wanted.share.split('/').map(Number)
const deadlineMs = performance.now() + 1000 * Number(wanted.deadline)

/** R-MAT graphs: hubs, and between them vertices of which hundreds of neighbours are decided at one time. */
const rmat = (scale, edgeFactor, seed, shuffle) => ({
  words: `rmat ${scale} x${edgeFactor}${shuffle ? ' shuffled' : ''}`,
  choice: { model: 'rmat', scale: scale - SHRUNK, edgeFactor, seed, shuffle },
})
const graphs = [
  rmat(18, 16, 77, true),
  rmat(16, 40, 5, false),
  rmat(17, 12, 7, true),
  { words: 'star and rmat 16 x12, weighted', star: 16 - SHRUNK },
  rmat(20, 8, 3, false),
  rmat(22, 8, 11, true),
]

const sets = ['degree', 'ecl', 'hash', 'column'].flatMap((priority) => [
  { algorithm: 'ecl-mis', priority },
  { algorithm: 'mg-mis', priority, partitions: 3 },
])
const matchings = ['hash', 'id', 'degree'].flatMap((ties) =>
  ['unit', 'random3', 'column'].map((weights) => ({ algorithm: 'ld-gpu', ties, weights })),
)
const requests = [
  ...sets,
  { algorithm: 'mg-mis', priority: 'hash', exchange: 'paper', partitions: 3 },
  ...['h1', 'h2', 'h3'].map((priority) => ({ algorithm: 'tc-mis', priority })),
  { algorithm: 'tc-mis', priority: 'h1', seeds: 16 },
  { algorithm: 'luby' },
  ...matchings,
  { algorithm: 'ld-gpu', method: 'rescan', weights: 'unit', ties: 'hash' },
  ...['random', 'degree'].flatMap((priority) => [
    { algorithm: 'distance-mis', priority },
    { algorithm: 'mis2-aggregates', priority },
  ]),
  { algorithm: 'distance-mis', priority: 'random', distance: 3 },
  ...['largest-first', 'smallest-last', 'hash', 'column'].map((priority) => ({ algorithm: 'colouring', priority })),
  ...['optimising', 'top-down', 'bottom-up'].map((direction) => ({ algorithm: 'bfs-tree', direction })),
  { algorithm: 'bfs' },
  { algorithm: 'connected-components' },
  { algorithm: 'k-core' },
  { algorithm: 'b-suitor', capacity: 1, weights: 'column' },
  { algorithm: 'b-suitor', capacity: 5, weights: 'random3', ties: 'degree' },
  { algorithm: 'eccentricities', searches: 4 },
  { algorithm: 'spin-glass', model: 'max-cut', sweeps: 20 },
  { algorithm: 'spin-glass', model: 'independent-set', sweeps: 20 },
  { algorithm: 'ecl-mis', priority: 'degree', quality: 'best', searchSteps: 1 << 22 },
  { algorithm: 'luby', quality: 'better' },
]

/** Ways to compute the same thing. One GPU alone comes first, and takes all repeats. */
const [gpu, ...otherGpus] = wanted.devices.split(',')
const waysOf = (request, arcs) => {
  const all = [
    { device: gpu },
    { device: gpu, batches: 6 },
    { device: gpu, partitions: 3 },
    { device: `${gpu},cpu:0` },
    { device: gpu, packed: true },
    { device: gpu, packed: true, batches: 6 },
    ...(otherGpus.length === 0
      ? []
      : [
          { device: wanted.devices },
          { device: wanted.devices, batches: 6 },
          { device: wanted.devices, packed: true, batches: 6 },
        ]),
  ]
  return all.filter((way) => canTake(request, way, arcs))
}

/** A colouring in batches reads them again for each of thousands of rounds: it takes minutes on larger graphs. */
const MOST_COLOURED_ARCS = 1 << 21

/** Algorithms whose batches a GPU unpacks. */
const unpacking = new Set(['ecl-mis', 'mg-mis', 'ld-gpu'])

/** Options that an algorithm lacks, and those that a case has fixed already. */
function canTake({ algorithm, partitions, seeds, quality }, way, arcs) {
  if (way.packed && (!unpacking.has(algorithm) || quality !== undefined)) return false
  if (way.batches !== undefined && algorithm === 'luby') return false
  if (way.batches !== undefined && algorithm === 'colouring' && arcs > MOST_COLOURED_ARCS) return false
  const isShared = way.partitions !== undefined || way.device.includes(',')
  if (isShared && (algorithm === 'tc-mis' || algorithm === 'luby')) return false
  return way.partitions === undefined || (partitions === undefined && seeds === undefined)
}

/** An edge list of an R-MAT graph with whole weights from 1 to 9, and of a vertex beside all others. */
async function writeStar(path, scale) {
  const n = 1 << scale
  let state = 12345
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const file = createWriteStream(path)
  const send = async (text) => void (file.write(text) || (await once(file, 'drain')))
  let text = ''
  for (let i = 0; i < 12 * n; i++) {
    let [u, v] = [0, 0]
    for (let bit = 1; bit < n; bit *= 2) {
      const at = next()
      // Quadrants of the adjacency matrix: 0.57, 0.19, 0.19, 0.05.
      if (at >= 0.76) u += bit
      if ((at >= 0.57 && at < 0.76) || at >= 0.95) v += bit
    }
    text += `${u} ${v} ${1 + Math.floor(9 * next())}\n`
    if (i % 4096 === 0) {
      await send(text)
      text = ''
    }
  }
  for (let v = 0; v < n; v++) text += `${n} ${v} ${1 + (v % 9)}\n`
  await send(text)
  file.end()
  await once(file, 'finish')
  return n + 1
}

/** A priority for each vertex, many of them equal. */
async function writeColumn(path, vertices) {
  const file = createWriteStream(path)
  let text = ''
  for (let v = 0; v < vertices; v++) text += `${v},${(v * 7919) % 1009}\n`
  file.end(text)
  await once(file, 'finish')
}

const host = new ServiceInProcess()

async function datasetOf({ words, choice, star }) {
  const name = words.replaceAll(/[^a-z0-9]+/g, '-')
  if (star === undefined) return (await host.service.call('datasets.generate', { ...choice, name })).dataset
  const source = join(host.folder, `${name}.txt`)
  await writeStar(source, star)
  return (await host.service.call('datasets.import', { source, name })).dataset
}

/** The name of a dataset whose lists are packed: made at the first call. */
async function packedOf({ choice, star }, name) {
  const packed = `${name}-packed`
  const { datasets } = await host.service.call('datasets.list', {})
  if (datasets.some((found) => found.name === packed)) return packed
  const source = join(host.folder, `${name}.txt`)
  if (star === undefined) await host.service.call('datasets.generate', { ...choice, name: packed, pack: true })
  else await host.service.call('datasets.import', { source, name: packed, pack: true })
  return packed
}

async function hashOf(request) {
  const whole = { seed: 0, verify: false, ...request }
  const { run } = await host.service.call('runs.start', { request: whole })
  const { run: ended } = await host.service.call('runs.wait', { run: run.id })
  if (ended.state !== 'done') throw new Error(`${JSON.stringify(whole)}: ${ended.state}, ${ended.failure?.what ?? ''}`)
  await host.service.call('runs.remove', { run: run.id })
  return ended.hash
}

/** Such as "ld-gpu ties=hash weights=unit". */
const wordsOf = ({ algorithm, device, ...options }) => {
  const named = Object.entries(options).filter(([name]) => name !== 'columnFile')
  return [algorithm, device, ...named.map(([name, value]) => `${name}=${value}`)].filter(Boolean).join(' ')
}
const totals = { runs: 0, cases: 0, whole: 0, wrong: 0, left: [] }

const anyGpu = (words) => words.replaceAll(/gpu:\d/g, 'gpu')

/** Words of the cases that an earlier run made whole; which of two GPUs they began with makes no difference. */
const skipped = new Set()
for (const line of wanted.skip === undefined ? [] : readFileSync(wanted.skip, 'utf8').split('\n')) {
  const found = /^same +(.*): (\d+) of \d+, /.exec(line)
  if (found === null) continue
  const words = anyGpu(found[1])
  if (Number(found[2]) >= (words.endsWith(' on gpu') ? REPEATS : Math.ceil(REPEATS / 4))) skipped.add(words)
}

/** Answers of cpu:0 by the words of their cases: a line of FILE each. */
const answers = new Map()
if (wanted.answers !== undefined && existsSync(wanted.answers)) {
  for (const line of readFileSync(wanted.answers, 'utf8').split('\n').filter(Boolean)) answers.set(...JSON.parse(line))
}

async function answerOf(graph, dataset, request) {
  const words = `${graph.words}${wanted.small ? ' small' : ''}: ${wordsOf(request)}`
  if (!answers.has(words)) {
    const hash = await hashOf({ ...request, dataset: dataset.name, device: 'cpu:0' })
    answers.set(words, hash)
    if (wanted.answers !== undefined) appendFileSync(wanted.answers, `${JSON.stringify([words, hash])}\n`)
  }
  return answers.get(words)
}

const isWanted = (way, i) => (wanted.ways === 'alone' ? i === 0 : wordsOf(way).includes(wanted.ways))

async function compare(graph, dataset, request) {
  let expected
  if (wanted['no-gpu']) return void (await answerOf(graph, dataset, request))
  for (const [i, way] of waysOf(request, dataset.arcs).entries()) {
    const words = `${graph.words}: ${wordsOf(request)} on ${wordsOf(way)}`
    if (!isWanted(way, i) || skipped.has(anyGpu(words))) continue
    if (performance.now() > deadlineMs) {
      totals.left.push(words)
      continue
    }
    expected ??= await answerOf(graph, dataset, request)
    const repeats = Math.ceil(REPEATS / (i === 0 ? 1 : 4))
    const { packed, ...options } = way
    const name = packed ? await packedOf(graph, dataset.name) : dataset.name
    const startMs = performance.now()
    const found = new Map()
    let made = 0
    const endMs = Math.min(startMs + PATIENCE_MS, Math.max(startMs + 1, deadlineMs))
    for (; made < repeats && performance.now() < endMs; made++) {
      const hash = await hashOf({ ...request, ...options, dataset: name }).catch((failed) => failed.message)
      found.set(hash, (found.get(hash) ?? 0) + 1)
    }
    const right = found.get(expected) ?? 0
    totals.cases++
    totals.whole += made === repeats ? 1 : 0
    totals.runs += made
    totals.wrong += made - right
    const meanMs = Math.round((performance.now() - startMs) / made)
    const verdict = right === made ? 'same' : `DIFFERENT in ${made - right} (${found.size} answers)`
    const short = made === repeats ? '' : ` (${repeats} wanted)`
    console.log(`${verdict.padEnd(6)} ${words}: ${right} of ${made}${short}, ${meanMs} ms each`)
    for (const [hash, times] of found) if (hash !== expected) console.log(`       ${times} times ${hash}`)
  }
}

try {
  let turn = 0
  for (const graph of graphs) {
    const column = join(host.folder, `${graph.words}.csv`)
    const chosen = requests
      .filter((request) => request.weights !== 'column' || graph.star !== undefined)
      .map((request) => (request.priority === 'column' ? { ...request, columnFile: column } : request))
      .filter((request) => `${graph.words} ${wordsOf(request)}`.includes(wanted.only))
      .filter((request) => [undefined, `${graph.words}: ${wordsOf(request)}`].includes(wanted.case))
      .filter(() => turn++ % parts === part - 1)
    if (chosen.length === 0) continue
    const dataset = await datasetOf(graph)
    await writeColumn(column, dataset.vertices)
    console.log(`# ${graph.words}: ${dataset.vertices} vertices, ${dataset.arcs / 2} edges`)
    for (const request of chosen) await compare(graph, dataset, request)
  }
} finally {
  await host.close()
}
for (const words of totals.left) console.log(`left   ${words}`)
const verdict = totals.wrong === 0 ? 'every answer is that of cpu:0' : `${totals.wrong} answers differ from cpu:0`
console.log(`${totals.runs} runs of ${totals.cases} cases, ${totals.whole} of them with all repeats: ${verdict}`)
if (totals.wrong > 0 || (totals.runs === 0 && answers.size === 0)) process.exitCode = 1
