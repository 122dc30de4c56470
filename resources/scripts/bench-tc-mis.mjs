// Measures TC-MIS beside ECL-MIS on graphs of the classes of the paper's Table 1, for docs/benchmarks.md. Warm: views are on disk and tiles
// on the device, and the device copies memory until right before every run that is timed; medians of the repeats. Prints a line of
// JSON a measurement as it comes, and the tables as Markdown at the end. Needs Node 24, no build. "In all" is timed with all phases in one
// pass, as ECL-MIS is; the phases are timed apart, in passes of their own, of which each takes its start and its end besides ("passMs",
// measured with a kernel that does nothing).
//   node resources/scripts/bench-tc-mis.mjs [--device gpu:0] [--repeats 5] [--only road,rmat] [--orders none,rcm,cluster] [--seeds 1,16]
//     [--counting integer,tensor] [--scratch DIR] [--graph NAME=FOLDER]... [--jobs N] [--scale-down K] [--authors PROGRAM]...
//     [--sizes road=24,kron=20]
// --sizes sets the binary logarithm of the vertices of a class. --graph takes a folder with a graph.gr that is there, in place of the
// class of that name or as one more. Graphs, views and tiles that are in --scratch already are not made again. --authors names a
// program that reads ECL's format and prints "compute time" (the authors' ECL-MIS); it is run on every graph as often as the rest.
// --scale-down K makes every graph 2^K times smaller. Other orders than "none" are measured with the first number of seeds, and never
// for kron, whose tiles take gigabytes in each.
import './raw-kernels.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from './bench-figures.mjs'
import { printTables } from './tc-mis-table.mjs'
import { groups, road, triangles, writeGraph, writeLists } from './tc-mis-graphs.mjs'
import { writeKronecker } from './tc-mis-kronecker.mjs'

const { values: options } = parseArgs({
  options: {
    device: { type: 'string', default: 'gpu:0' },
    repeats: { type: 'string', default: '5' },
    only: { type: 'string' },
    orders: { type: 'string', default: 'none,rcm,cluster' },
    seeds: { type: 'string', default: '1,16' },
    counting: { type: 'string', default: 'integer,tensor' },
    scratch: { type: 'string' },
    graph: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: String(availableParallelism()) },
    'scale-down': { type: 'string', default: '0' },
    authors: { type: 'string', multiple: true, default: [] },
    'warm-ms': { type: 'string', default: '150' },
    'copy-mib': { type: 'string', default: '256' },
    sizes: { type: 'string' },
    prepare: { type: 'string' },
    // Files with other WGSL for tc-counts, measured beside it with one seed.
    variant: { type: 'string', multiple: true, default: [] },
  },
})
const [repeats, down] = [Number(options.repeats), Number(options['scale-down'])]
const scratch = options.scratch ?? mkdtempSync(join(tmpdir(), 'bench-tc-mis-'))
const generated = (model, parameters) => ({ model: { model, seed: 1, shuffle: false, ...parameters } })
const square = (exponent) => Math.round(2 ** (exponent / 2))
/** By class: binary logarithm of the vertices, and how a graph of so many is made. */
const classes = {
  copurchase: [18, (e) => ({ write: (to) => writeGraph(to, 2 ** e, () => groups(2 ** e)) })],
  road: [20, (e) => ({ write: (to) => writeLists(to, square(e) ** 2, road(square(e))) })],
  triangles: [19, (e) => ({ write: (to) => writeLists(to, square(e) ** 2, triangles(square(e))) })],
  geometric: [22, (e) => generated('geometric', { vertices: 2 ** e, degree: 6 })],
  kout: [19, (e) => generated('kout', { vertices: 2 ** e, degree: 12 })],
  rmat: [20, (e) => generated('rmat', { scale: e, edgeFactor: 8, shuffle: true })],
  // As many vertices and arcs as wiki-Talk, soc-LiveJournal1 and kron_g500-logn21.
  wiki: [21, (e) => ({ write: (to) => writeKronecker(to, { scale: e, edgeFactor: 2.4, workers }) })],
  social: [22, (e) => ({ write: (to) => writeKronecker(to, { scale: e, edgeFactor: 8.6, workers }) })],
  kron: [21, (e) => ({ write: (to) => writeKronecker(to, { scale: e, edgeFactor: 48, workers }) })],
}
const workers = availableParallelism()
const sizes = Object.fromEntries((options.sizes?.split(',') ?? []).map((word) => word.split('=')))
const exponentOf = (name) => Number(sizes[name] ?? classes[name][0] - down)
const given = Object.fromEntries(options.graph.map((word) => word.split('=')))
const names = options.only?.split(',') ?? [...new Set([...Object.keys(classes), ...Object.keys(given)])]
const folderOf = (name) => given[name] ?? join(scratch, `${name}-${exponentOf(name)}`)
const ordersOf = (name) => options.orders.split(',').filter((order) => order === 'none' || name !== 'kron')
const source = (path) => import(new URL(`../../${path}`, import.meta.url).href)
/** The view files are this script's own: what names their graph is the folder. */
const checksum = 'bench'
const quietJob = { signal: { aborted: false }, progress: () => {}, log: () => {} }
const say = (line) => console.log(JSON.stringify(line))

/** In a process of its own: makes a graph, or its view, or its tiles in one order. */
async function prepare(name, what) {
  const folder = folderOf(name)
  if (what === 'graph') {
    if (existsSync(join(folder, 'graph.gr'))) return
    const { model, write } = classes[name][1](exponentOf(name))
    if (write !== undefined) await write(folder)
    else await (await source('workers/ingest/generate-graph.ts')).generateGraph({ ...model, folder }, quietJob)
  } else if (what === 'view') {
    const { prepareView } = await source('workers/graph/prepare-view.ts')
    prepareView({ folder, checksum, priority: 'ecl', seed: 0 }, quietJob).view.close()
  } else if (what === 'egr') {
    await writeEgr(folder)
  } else {
    const { prepareTiles } = await source('workers/graph/tiles/prepare-tiles.ts')
    prepareTiles({ folder, checksum, order: what }, quietJob).view.close()
  }
}

/** ECL's format: i32 vertices, i32 arcs, i32 offsets [n + 1], i32 targets. */
async function writeEgr(folder) {
  const { GaloisGr } = await source('workers/graph/galois-gr.ts')
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const offsets = Int32Array.from(graph.readOffsets(0, graph.vertices))
  const bytes = readFileSync(graph.path).subarray(graph.layout.targetsAt, graph.layout.targetsAt + 4 * graph.arcs)
  const head = Buffer.from(Int32Array.of(graph.vertices, graph.arcs).buffer)
  writeFileSync(join(folder, 'graph.egr'), Buffer.concat([head, Buffer.from(offsets.buffer), bytes]))
  graph.close()
}

/** Runs steps in processes, so many at a time; each is [name, what]. */
async function prepareAll(steps) {
  const waiting = [...steps]
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const [name, what] = step
      const from = performance.now()
      const words = [...process.argv.slice(2), '--scratch', scratch, '--prepare', `${name}:${what}`]
      const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...words], { stdio })
      const code = await new Promise((resolve) => child.on('exit', resolve).on('message', () => resolve(0)))
      // Its work is done; Node now and then waits for ever at the end of a process (nodejs/node issue 54918).
      child.kill('SIGKILL')
      if (code !== 0) throw new Error(`${name}: ${what} ended with ${code}`)
      say({ prepared: name, what, seconds: Number(((performance.now() - from) / 1000).toFixed(1)) })
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(options.jobs)) }, work))
}

/** The device, and a way to keep its clocks up that tells how fast it copies. */
async function openWarm() {
  const { openDevice } = await source('workers/device/open-device.ts')
  const { memoryCopy } = await source('kernels/memory-copy.ts')
  const device = await openDevice(options.device)
  const words = Number(options['copy-mib']) << 18
  const [original, copied] = [await device.allocate('original', words), await device.allocate('copied', words)]
  await device.prepare([memoryCopy])
  const launches = 32
  let bestMs = Infinity
  // A device that was idle takes a second or two to come back to speed.
  const warm = async () => {
    let best = Infinity
    const from = performance.now()
    const isCold = () => performance.now() - from < Number(options['warm-ms']) || best > 1.03 * bestMs
    await device.takeKernelMs()
    while (isCold() && performance.now() - from < 5000) {
      const stride = Math.min(words, 1 << 20)
      for (let i = 0; i < launches; i++)
        device.launch(memoryCopy, stride, { count: words, stride }, { original, copied })
      await device.read(copied, 0, 1)
      best = Math.min(best, (await device.takeKernelMs()) / launches)
      bestMs = Math.min(best, bestMs)
    }
    return (8 * words) / best / 1e6
  }
  /** What a pass takes that does nothing. */
  const emptyPassMs = async () => {
    await warm()
    await device.takePhaseMs()
    for (let i = 0; i < launches; i++) {
      device.phase('empty')
      device.launch(memoryCopy, 256, { count: 0, stride: 256 }, { original, copied })
      device.phase('')
    }
    await device.read(copied, 0, 1)
    return ((await device.takePhaseMs()).empty ?? NaN) / launches
  }
  return { device, warm, emptyPassMs }
}

async function measureEcl({ device, warm }, name) {
  const { GaloisGr } = await source('workers/graph/galois-gr.ts')
  const { prepareView } = await source('workers/graph/prepare-view.ts')
  const { planRun } = await source('workers/algorithms/plan-run.ts')
  const { computeSet } = await source('workers/partition/lead.ts')
  const folder = folderOf(name)
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const view = prepareView({ folder, checksum, priority: 'ecl', seed: 0 }, quietJob)
  const { batches, plan, positions } = planRun({}, graph, view, [device.facts])
  const run = {
    device,
    workers: [device.facts.id],
    view,
    batches,
    deviceBytes: plan.deviceBytes,
    positions,
    traced: false,
  }
  const found = []
  for (let repeat = 0; repeat <= repeats; repeat++) {
    await warm()
    found.push((await computeSet(run, quietJob)).found)
  }
  view.view.close()
  graph.close()
  const facts = { graph: name, vertices: graph.vertices, arcs: graph.arcs }
  const { size, hash } = found[0].set.summary()
  return { ...facts, ms: median(found.slice(1).map(({ kernelMs }) => kernelMs)), rounds: found[0].rounds, size, hash }
}

/** The authors' program: median of its own times, and the size of its set. */
function measureAuthors(program, name) {
  const file = join(folderOf(name), 'graph.egr')
  const times = []
  let size = null
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const { status, stdout } = spawnSync(program, [file], { encoding: 'utf8' })
    if (status !== 0) return { ms: null, size }
    times.push(1000 * Number(/compute time: ([\d.]+)/.exec(stdout)?.[1]))
    size = Number(/elements in set: (\d+)/.exec(stdout)?.[1])
  }
  return { ms: median(times.slice(1)), size }
}

/** One (graph, order): every kernel and number of seeds, with the tiles loaded once. */
async function measureTiles({ device, warm, passMs }, name, order, ecl) {
  const { prepareTiles } = await source('workers/graph/tiles/prepare-tiles.ts')
  const { tileStatistics } = await source('workers/graph/tiles/tile-file.ts')
  const { planTiles } = await source('workers/algorithms/tc-mis/plan-tiles.ts')
  const { PieceStore } = await source('workers/algorithms/tc-mis/piece-store.ts')
  const { keysOf } = await source('workers/algorithms/tc-mis/keys.ts')
  const { tcMis, hasTensorCores } = await source('workers/algorithms/tc-mis/tc-mis.ts')
  const { bestSet } = await source('workers/algorithms/tc-mis/best-set.ts')
  const { Trace } = await source('workers/trace.ts')
  const { view } = prepareTiles({ folder: folderOf(name), checksum, order }, quietJob)
  const { vertices, arcs } = view.header
  const tables = { listOffsets: view.readWords('listOffsets'), records: view.readWords('records') }
  const vertexAt = order === 'none' ? undefined : view.readWords('vertexAt')
  const degrees = new Uint32Array(vertices)
  for (let p = 0; p < vertices; p++) degrees[vertexAt?.[p] ?? p] = tables.listOffsets[p + 1] - tables.listOffsets[p]
  const { tiles, fill, bytes, bytesPerCell } = tileStatistics(view.header)
  const trace = new Trace(false)
  const countings = options.counting.split(',').filter((each) => each !== 'tensor' || hasTensorCores(device.facts))
  const variants = order === 'none' ? options.variant : []
  const { tcCounts } = await source('kernels/tc-counts.ts')
  const { withTiles } = await source('kernels/parts/tiles.ts')
  const published = { ...tcCounts }
  const all = options.seeds.split(',').map(Number)
  const rows = []
  let store
  for (const seeds of order === 'none' ? all : all.slice(0, 1)) {
    const plan = planTiles({}, view, tables, device, seeds)
    const keys = keysOf('h3', { vertices, arcs, degrees, seed: 0 }, seeds, vertexAt, quietJob.signal)
    store ??= new PieceStore(device, view, tables, plan.pieceBytes, trace)
    for (const kernel of seeds === 1 ? [...countings, ...variants] : countings) {
      const isVariant = variants.includes(kernel)
      if (isVariant)
        Object.assign(tcCounts, { name: `tc-counts of ${kernel}`, wgsl: withTiles(readFileSync(kernel, 'utf8')) })
      else Object.assign(tcCounts, published)
      const counting = isVariant ? 'integer' : kernel
      const { isResident, listBatches, tileBatches } = plan
      const { listOffsets } = tables
      const pieces = { device, store, view, listOffsets, listBatches, tileBatches, isResident }
      const task = { ...pieces, vertices, seeds, keys, counting, trace }
      const [found, whole] = [[], []]
      let copyRate = 0
      for (let repeat = 0; repeat <= repeats; repeat++) {
        copyRate = Math.max(copyRate, await warm())
        found.push(await tcMis(task, quietJob))
        device.phase = () => {}
        whole.push((await tcMis(task, quietJob)).kernelMs)
        delete device.phase
      }
      const timed = found.slice(1)
      const phase = (wanted) => median(timed.map(({ phaseMs }) => phaseMs[wanted] ?? NaN))
      const { tilesLookedAt, tilesRead, members, rounds, roundCounts, lateRounds, launchedRounds } = found[0]
      const readBytes = tilesLookedAt.reduce((sum, looked, i) => sum + 8 * looked + 64 * tilesRead[i], 0)
      const best = bestSet(members, vertices, seeds, vertexAt)
      const { hash } = best.set.summary()
      const rate = readBytes / phase('counts') / 1e6
      const netRate = readBytes / (phase('counts') - launchedRounds * passMs) / 1e6
      const row = {
        ...{
          graph: name,
          order,
          counting: isVariant ? basename(kernel) : counting,
          seeds,
          tiles,
          fillPercent: 100 * fill,
          tileBytes: bytes,
          bytesPerCell,
          isResident,
        },
        ...{
          phase1Ms: phase('candidates'),
          phase2Ms: phase('counts'),
          phase3Ms: phase('update'),
          lateMs: phase('late'),
        },
        ms: median(whole.slice(1)),
        ...{
          netRate,
          rounds,
          lateRounds,
          launchedRounds,
          left: roundCounts.map(({ undecided }) => undecided),
          tilesLookedAt,
          tilesRead,
          readBytes,
          rate,
          copyRate,
          share: rate / copyRate,
        },
        ...{ sizes: best.sizes, hash, isSetOfEcl: seeds === 1 ? hash === ecl.hash : null },
      }
      say(row)
      rows.push(row)
    }
  }
  Object.assign(tcCounts, published)
  store.release()
  view.close()
  return rows
}

async function main() {
  mkdirSync(scratch, { recursive: true })
  await prepareAll(names.filter((name) => given[name] === undefined).map((name) => [name, 'graph']))
  // The long ones first.
  const last = (list) => [...list].reverse()
  const more = options.authors.length === 0 ? ['view'] : ['view', 'egr']
  await prepareAll(last(names).flatMap((name) => [...ordersOf(name), ...more].map((what) => [name, what])))
  const device = await openWarm()
  const opened = { ...device, passMs: await device.emptyPassMs() }
  const { name, driver } = opened.device.facts
  say({ device: name, driver, repeats, copyRate: await opened.warm(), passMs: opened.passMs })
  const results = []
  for (const each of names) {
    const ecl = await measureEcl(opened, each)
    const authors = options.authors.map((program) => measureAuthors(program, each))
    say({ ecl, authors })
    const rows = []
    for (const order of ordersOf(each)) rows.push(...(await measureTiles(opened, each, order, ecl)))
    results.push({ ecl, authors, rows })
  }
  printTables(results)
  opened.device.close()
}

if (options.prepare !== undefined) {
  await prepare(...options.prepare.split(':'))
  await new Promise((resolve) => (process.send === undefined ? resolve() : process.send('done', resolve)))
} else
  try {
    await main()
  } finally {
    if (options.scratch === undefined) rmSync(scratch, { recursive: true, force: true })
  }
process.exit(process.exitCode ?? 0)
