// Ranks on this machine beside a model of them, and what the model says of ranks with a node each. Measured here: what an arc costs on one rank, how
// long an operation of MPI takes, how many bytes a second come through, how many bytes a rank takes.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { mpiEnvironment } from '../../test/support/mpi.mjs'
import { listed, timedProcess } from '../program.mjs'
import { median } from '../table.mjs'

const program = fileURLToPath(new URL('../../test/support/exchange-times.mjs', import.meta.url))
/** The greeting, the run, checksums, lists, reports. */
const OPERATIONS_A_RUN = 8
/** A round, and what was under way before it; each begins with what the ranks say of themselves. */
const OPERATIONS_A_ROUND = 4

export async function measure(bench, { graphs, algorithms, ranks, nodes, network, latency, launcher, repeats }) {
  Object.assign(process.env, mpiEnvironment)
  const counts = listed(ranks).map(Number)
  const start = (count) => [...launcher.split(' '), '-n', String(count)]
  const here = new Map(counts.map((count) => [count, count === 1 ? ALONE : networkOf(start(count))]))
  // An all-gather takes log2 of the ranks steps.
  const far = (count) => ({
    latencyMs: (Number(latency) / 1000) * Math.ceil(Math.log2(count)),
    bytesPerMs: (1e6 * Number(network)) / 8,
  })
  const rows = []
  for (const name of listed(graphs)) {
    const dataset = bench.dataset(name)
    for (const algorithm of listed(algorithms)) {
      const runs = new Map(counts.map((count) => [count, []]))
      const words = bench.words('run', dataset, '--algorithm', algorithm, '--devices', 'cpu:0', '--across', 'mpi')
      for (let i = 0; i < Number(repeats); i++)
        for (const [count, list] of runs) {
          const [command, ...args] = [...start(count), ...words]
          const document = JSON.parse((await timedProcess(command, args)).output)
          bench.same(`${name}, ${algorithm}`, document.result.hash)
          list.push(document)
        }
      const cost = costOf(bench.facts(dataset), runs)
      const common = { graph: name, algorithm, 'ns an arc': (1e6 * cost.scanMs) / cost.arcs }
      for (const [count, list] of runs) {
        const [model, measured] = [modelMs(cost, count, here.get(count), 1), list.map(({ time }) => time.computeMs)]
        const { latencyMs, bytesPerMs } = here.get(count)
        const place = { ranks: count, on: 'this machine', 'latency, us': 1000 * latencyMs, 'GB/s': bytesPerMs / 1e6 }
        const taken = list[0].bytes.exchanged / count / 1e6
        rows.push({ ...common, ...place, 'MB taken by each': taken, 'compute, ms': measured, 'model, ms': model })
      }
      for (const count of listed(nodes).map(Number)) {
        const net = far(count)
        const place = {
          ranks: count,
          on: 'a node each',
          'latency, us': 1000 * net.latencyMs,
          'GB/s': net.bytesPerMs / 1e6,
        }
        const larger = { ...cost, scanMs: cost.scanMs * count, wholeBytes: cost.wholeBytes * count }
        const models = {
          'model, ms': modelMs(cost, count, net, count),
          'on a graph as many times larger, ms': modelMs(larger, count, net, count),
        }
        rows.push({ ...common, ...place, ...models })
      }
    }
  }
  return rows
}

const ALONE = { latencyMs: 0, bytesPerMs: Infinity }

/** The network's delay and speed, by gathers of a word, and of many. */
function networkOf(start) {
  const [command, ...args] = [...start, process.execPath, program]
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The scan on one rank; rounds, and bytes that a rank takes for 1 - 1/ranks of all states, with the most ranks. */
function costOf({ arcs }, runs) {
  const [ranks, documents] = [...runs].at(-1)
  const [first] = documents
  const scanMs = median([...runs.values()][0].map(({ time }) => time.computeMs))
  const wholeBytes = ranks === 1 ? 0 : first.bytes.exchanged / (ranks - 1)
  return { arcs, scanMs, rounds: first.counters.rankRounds ?? first.rounds, wholeBytes }
}

/** @param speed of all ranks together, over that of the one that was measured */
function modelMs({ scanMs, rounds, wholeBytes }, ranks, { latencyMs, bytesPerMs }, speed) {
  const operations = ranks === 1 ? 0 : OPERATIONS_A_RUN + OPERATIONS_A_ROUND * rounds
  return scanMs / speed + operations * latencyMs + (wholeBytes * (1 - 1 / ranks)) / bytesPerMs
}
