// Runs across ranks on four "nodes" of one machine (test/support/nodes.mjs).
// As root on Linux, after npm run build, with openmpi-bin, mpich, slurm-wlm, munge, libpmix-dev (Slurm looks for libpmix.so) and iproute2:
//   node test/scripts/ranks.mjs results     hashes of both MPIs, with 1 to 8 ranks, also under Slurm, are those of one process
//   node test/scripts/ranks.mjs kills 20    SIGKILL of ranks, of rank 0 and of the launcher at random moments; then resumed
//   node test/scripts/ranks.mjs network     bytes of each rank as planned, and time hidden, on a bare network and at 1 Gbit/s with 1 ms
//   node test/scripts/ranks.mjs memory 21   memory of each rank with 1, 2, 4 and 8 of them, on four sizes up to this scale
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launcher } from '../support/command-case.mjs'
import {
  answer,
  folder,
  isOurs,
  launches,
  library,
  nodeBytes,
  otherNode,
  removeAll,
  setUp,
  slowDown,
  start,
  startSlurm,
  startUnder,
} from '../support/nodes.mjs'

const fixtures = fileURLToPath(new URL('../fixtures/graphs', import.meta.url))
const facts = JSON.parse(readFileSync(join(fixtures, 'facts.json'), 'utf8'))

const generated = {
  rmat20: ['rmat', '--scale', '20', '--edge-factor', '8'],
  rmat21: ['rmat', '--scale', '21', '--edge-factor', '8'],
  rmat22: ['rmat', '--scale', '22', '--edge-factor', '4'],
  uniform: ['uniform', '--vertices', '300000', '--degree', '12'],
  grid: ['grid', '--rows', '700', '--columns', '700'],
}
const TWO_WORKERS = ['--devices', 'cpu:0,cpu:1']
const requests = [
  ['--priority', 'degree'],
  ['--priority', 'ecl', ...TWO_WORKERS],
  ['--algorithm', 'mg-mis', '--priority', 'hash', '--verify'],
  ['--algorithm', 'mg-mis', '--exchange', 'paper', ...TWO_WORKERS],
  ['--algorithm', 'ld-gpu', '--weights', 'random3'],
  ['--algorithm', 'ld-gpu', '--weights', 'unit', '--ties', 'degree', ...TWO_WORKERS],
]
/** A software adapter is slow. */
const onGpu = [
  ['--priority', 'degree', '--devices', 'gpu:0'],
  ['--algorithm', 'mg-mis', '--devices', 'gpu:0,cpu:0'],
  ['--algorithm', 'ld-gpu', '--weights', 'random3', '--devices', 'gpu:0'],
]

async function makeGraphs() {
  const edges = (list) => list.map(([u, v]) => `${u} ${v}\n`).join('')
  const written = {
    path: Array.from({ length: 100_000 }, (_, v) => [v, v + 1]),
    star: Array.from({ length: 100_000 }, (_, v) => [0, v + 1]),
    // Most of eight ranks have nothing to do.
    tiny: Array.from({ length: 20 }, (_, v) => [v, v + 1]),
  }
  for (const [name, list] of Object.entries(written)) {
    writeFileSync(join(folder, `${name}.txt`), edges(list))
    await answer([], 'import', join(folder, `${name}.txt`), '--name', name)
  }
  for (const [name, how] of Object.entries(generated)) await answer([], 'generate', ...how, '--name', name)
  const known = readdirSync(fixtures).filter((file) => file.replace(/\.gz$/, '') in facts)
  for (const file of known) await answer([], 'import', join(fixtures, file), '--name', file.replace(/\.gz$/, ''))
  return {
    names: [...Object.keys(generated), ...Object.keys(written)],
    known: known.map((file) => file.replace(/\.gz$/, '')),
  }
}

/** Each graph with each request once, over all ways to start in turn; then each way on one graph; then the known answers. */
async function results() {
  await startSlurm()
  const { names, known } = await makeGraphs()
  const ways = Object.keys(launches).flatMap((kind) => Array.from({ length: 8 }, (_, i) => [kind, i + 1]))
  const alone = new Map()
  let [turn, same, all] = [0, 0, 0]
  const compare = async (name, words, [kind, ranks], expected) => {
    const key = [name, ...words].join(' ')
    if (expected === undefined && !alone.has(key)) alone.set(key, (await answer([], 'run', name, ...words)).result.hash)
    const wanted = expected ?? alone.get(key)
    all++
    let found = 'OTHER'
    try {
      const { result, options } = await answer(launches[kind](ranks), 'run', name, ...words, '--across', 'mpi')
      if (result.hash === wanted && options.ranks === ranks) found = 'same'
    } catch (error) {
      found = `FAILED (${error.message})`
    }
    if (found === 'same') same++
    else process.exitCode = 1
    console.log(`${found} ${key} ${kind} ${ranks} ${wanted}`)
  }
  // 13 is prime to the number of ways.
  const next = () => ways[(13 * turn++) % ways.length]
  for (const name of names) for (const words of requests) await compare(name, words, next())
  for (const words of onGpu) for (const kind of Object.keys(launches)) await compare('tiny', words, [kind, 2])
  for (const way of ways) await compare('tiny', requests[turn++ % requests.length], way)
  for (const name of known) await compare(name, ['--priority', 'ecl'], next(), facts[name].eclMis.hash)
  console.log(`${same} of ${all} results across ranks are those of one process, or the known ones`)
}

/** @returns of each worker: so many bytes */
const ofWorkers = ({ series }, name) => series.find((each) => each.name === name)?.values ?? []

/** Milliseconds of each rank, by traced spans, in which states were under way, those beside its batches, and those in which it waited. */
function hiddenMs(traced, ranks) {
  const { traceEvents } = JSON.parse(readFileSync(traced, 'utf8'))
  return Array.from({ length: ranks }, (_, rank) => {
    const of = (isMeant) =>
      traceEvents
        .filter((event) => event.ph === 'X' && event.pid === rank && isMeant(event))
        .map(({ ts, dur }) => [ts / 1000, (ts + dur) / 1000])
        .sort(([x], [y]) => x - y)
    const busy = of(({ cat }) => cat === 'kernel' || cat === 'disk read')
    const [underWay, waiting] = [
      of(({ name }) => name === 'states beside batches' || name === 'round'),
      of(({ cat }) => cat === 'wait'),
    ]
    const length = (spans) => spans.reduce((sum, [from, to]) => sum + to - from, 0)
    // Neither those of an exchange nor those of the work overlap one another: one thread has both.
    const both = underWay
      .flatMap(([from, to]) => busy.map(([first, end]) => [Math.max(from, first), Math.min(to, end)]))
      .filter(([from, to]) => from < to)
    return { underWayMs: length(underWay), besideMs: length(both), waitMs: length(waiting) }
  })
}

const NETWORKS = { bare: undefined, '1 Gbit/s, 1 ms': [1e9, 1000] }

async function network() {
  await answer([], 'generate', 'rmat', '--scale', '22', '--edge-factor', '16', '--name', 'web')
  for (const [network, limits] of Object.entries(NETWORKS)) {
    if (limits !== undefined) await slowDown(...limits)
    for (const words of [
      ['--algorithm', 'mg-mis', '--priority', 'hash', '--devices', 'cpu:0'],
      ['--algorithm', 'ld-gpu', '--weights', 'random3'],
    ])
      for (const ranks of [2, 4]) {
        const { plan } = await answer([], 'plan', 'web', ...words, '--ranks', String(ranks))
        const before = nodeBytes()
        const traced = join(folder, 'trace.json')
        const made = await answer(launches.openmpi(ranks), 'run', 'web', ...words, '--across', 'mpi', '--trace', traced)
        const wire = nodeBytes().map((bytes, i) => bytes - before[i])
        const taken = ofWorkers(made, 'taken from other workers')
        const { roundBytes } = plan.across
        const ofEach = (figures) => figures.map((figure) => figure.toFixed(0)).join(' ')
        console.log(`${words[1]}, ${network}, ${ranks} ranks: compute ${made.time.computeMs.toFixed(0)} ms`)
        const [most = 0] = ofWorkers(made, 'taken by rank 0').toSorted((x, y) => y - x)
        console.log(
          `  a round: ${roundBytes.toFixed(0)} bytes on the mean of all ranks as planned; the largest behind the scan took ${most} to rank 0`,
        )
        console.log(
          `  taken by each, bytes: ${ofEach(taken)}; received by its node over that: ${taken.map((bytes, i) => (wire[i] / bytes).toFixed(3)).join(' ')}`,
        )
        for (const [rank, { underWayMs, besideMs, waitMs }] of hiddenMs(traced, ranks).entries())
          console.log(
            `  rank ${rank}: exchanges under way ${underWayMs.toFixed(0)} ms, beside batches ${besideMs.toFixed(0)} ms of it, waited ${waitMs.toFixed(0)} ms; ${(taken[rank] / 125_000).toFixed(0)} ms at 1 Gbit/s`,
          )
      }
  }
}

/** MiB of the engine of each rank at most while a run goes on: what is its own, without programs and pages that it shares. */
async function memoryOf(ranks, name, words) {
  const { ended } = start(launches.openmpi(ranks), 'run', name, ...words, '--across', 'mpi')
  const most = Array.from({ length: ranks }, () => 0)
  let isOver = false
  ended.then(() => (isOver = true))
  while (!isOver) {
    for (const { pid, rank } of processes().engine)
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        most[rank] = Math.max(most[rank], Number(/RssAnon:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      } catch {
        // It ended meanwhile.
      }
    await pause(20)
  }
  const { code, stderr } = await ended
  if (code !== 0) throw new Error(stderr)
  return most
}

/** @param scale of the largest graph, of four; R-MAT, whose degrees differ most, and uniform */
async function memory(scale = 21) {
  // Enough for as many threads as the others have, and nothing to hold.
  await answer([], 'generate', 'rmat', '--scale', '14', '--edge-factor', '64', '--name', 'none')
  const graphs = []
  for (const each of [scale - 3, scale - 2, scale - 1, scale]) {
    await answer([], 'generate', 'rmat', '--scale', String(each), '--edge-factor', '12', '--name', `rmat${each}`)
    graphs.push(`rmat${each}`)
  }
  await answer([], 'generate', 'uniform', '--vertices', String(2 ** scale), '--degree', '12', '--name', 'uniform')
  for (const words of [
    ['--priority', 'degree'],
    ['--priority', 'hash'],
    ['--algorithm', 'ld-gpu', '--weights', 'random3'],
  ]) {
    const empty = new Map()
    for (const ranks of RANKS) empty.set(ranks, await memoryOf(ranks, 'none', words))
    for (const name of [...graphs, 'uniform'])
      for (const ranks of RANKS) {
        const all = (await memoryOf(ranks, name, words)).map((mib, rank) => mib - empty.get(ranks)[rank])
        const mean = all.reduce((sum, mib) => sum + mib, 0) / ranks
        console.log(
          `${words[1]} ${name}, ${ranks} ranks: ${all.map((mib) => mib.toFixed(0)).join(' ')} MiB more than engines with next to nothing (${empty.get(ranks)[ranks - 1].toFixed(0)}, rank 0: ${empty.get(ranks)[0].toFixed(0)}); mean ${mean.toFixed(0)}, most ${(Math.max(...all) / mean).toFixed(2)} of it`,
        )
      }
  }
}

const RANKS = [1, 2, 4, 8]

/** Processes of the run by what they are: `command` of each rank, what started that under its own Node, `engine` of each, the launcher. */
function processes() {
  const found = { starter: [], command: [], engine: [], launcher: [] }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8')
      if (/^mpirun/.test(words[0] ?? '') && words.includes(library)) found.launcher.push(Number(pid))
      if (!env.includes('OMPI_COMM_WORLD_RANK=') || !isOurs(env)) continue
      const rank = Number(/OMPI_COMM_WORLD_RANK=(\d+)/.exec(env)[1])
      if (words.includes(launcher) && words.includes(library))
        found[words[0] === otherNode ? 'starter' : 'command'].push({ pid: Number(pid), rank })
      else if (words.some((word) => word.endsWith('engine.js'))) found.engine.push({ pid: Number(pid), rank })
    } catch {
      // It ended meanwhile.
    }
  return found
}

const KILLED = [
  ['--algorithm', 'ecl-mis', '--priority', 'degree'],
  ['--algorithm', 'ld-gpu', '--weights', 'random3'],
]
const RANKS_KILLED = 4

const startKilled = (words, name, node = process.execPath) =>
  startUnder(
    node,
    launches.openmpi(RANKS_KILLED),
    ...['run', 'web', ...words, '--across', 'mpi', '--checkpoint', '0', '--name', name],
  )

/** Once every rank has its engine. */
async function untilStarted() {
  while (processes().engine.length < RANKS_KILLED) await pause(5)
}

/** How long a run takes from there on. */
async function lengthOf(words) {
  const { ended } = startKilled(words, 'whole')
  await untilStarted()
  const startMs = performance.now()
  await ended
  return performance.now() - startMs
}

/** @returns undefined where the run was over before, or not in the library yet */
async function killOne(i, words, wholeMs) {
  const kind = ['engine', 'command', 'engine', otherNode === undefined ? 'command' : 'starter', 'launcher'][i % 5]
  const rank = Math.floor(RANKS_KILLED * Math.random())
  const { child, ended } = startKilled(words, `kill ${i}`, kind === 'starter' ? otherNode : undefined)
  await untilStarted()
  const share = 0.9 * Math.random()
  await pause(share * wholeMs)
  const all = processes()
  const victim = kind === 'launcher' ? all.launcher[0] : all[kind].find((each) => each.rank === rank)?.pid
  if (victim !== undefined && child.exitCode === null) process.kill(victim, 'SIGKILL')
  const startMs = performance.now()
  const { code, signal } = await Promise.race([ended, pause(30_000, { code: 'none' })])
  const tookMs = performance.now() - startMs
  let left = processes()
  for (let wait = 0; left.starter.length + left.command.length + left.engine.length > 0 && wait < 100; wait++) {
    await pause(100)
    left = processes()
  }
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
  const { runs } = await answer([], 'runs')
  const run = runs.find(({ name }) => name === `kill ${i}`)
  if (victim === undefined || run === undefined || run.state === 'done') return undefined
  const what = kind === 'launcher' ? kind : `${kind} of rank ${rank}`
  const leftOver = left.starter.length + left.engine.length + left.command.length
  return { what, share, tookMs, ended: code ?? signal, run, leftOver }
}

async function kills(times = 20) {
  // Long enough to be killed in the middle.
  await answer([], 'generate', 'rmat', '--scale', '22', '--edge-factor', '16', '--name', 'web')
  const whole = []
  for (const words of KILLED)
    whole.push({ words, wholeMs: await lengthOf(words), hash: (await answer([], 'run', 'web', ...words)).result.hash })
  let right = 0
  for (let i = 0, tries = 0; i < times && tries < 3 * times; tries++) {
    const { words, wholeMs, hash } = whole[tries % 2]
    const killed = await killOne(i, words, wholeMs)
    if (killed === undefined) continue
    const { what, share, tookMs, ended, run, leftOver } = killed
    const ranks = 1 + (i % 3)
    const again = await answer(launches.openmpi(ranks), 'run', '--resume', run.id, '--across', 'mpi')
    const isRight = run.state === 'interrupted' && again.result.hash === hash && tookMs < 10_000 && leftOver === 0
    if (isRight) right++
    else process.exitCode = 1
    console.log(
      `${i}: ${words[1]}, ${what} at ${(100 * share).toFixed(0)} %: launcher ended with ${ended} in ${(tookMs / 1000).toFixed(1)} s, ${run.state} (${run.failure?.code}), ${leftOver} processes left; resumed by ${ranks} from ${JSON.stringify(again.resumed)}: ${again.result.hash === hash ? 'same' : 'OTHER'} hash`,
    )
    i++
  }
  console.log(`${right} of ${times} kills ended as they should`)
}

const commands = { results, kills, network, memory }
const [what, times] = process.argv.slice(2)
if (what in commands)
  try {
    mkdirSync(library, { recursive: true })
    setUp()
    await commands[what](times && Number(times))
  } finally {
    removeAll()
  }
else console.log(`usage: node test/scripts/ranks.mjs ${Object.keys(commands).join(' | ')}`)
