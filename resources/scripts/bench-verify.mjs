// Measures the verification of a set and of a matching (random3 weights, ties by hash) of one graph with several numbers of threads:
// least and median of the repeats in ms and in ns an arc, and whether all say the same. Writes nothing but its library, which it removes
// unless it was named. Needs the built program (npm run build) and Node 24.
//   node resources/scripts/bench-verify.mjs [--scale 22] [--edge-factor 16] [--threads 1,2] [--repeats 5] [--devices cpu:0]
//     [--only set,matching] [--library DIR]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { denseLabels } from '../../workers/graph/labels.ts'
import { readMates } from '../../workers/graph/matching.ts'
import { quietJob } from '../../workers/job.ts'
import { verifyIndependentSet } from '../../workers/verification/verify-independent-set.ts'
import { verifyMatching } from '../../workers/verification/verify-matching.ts'
import { readBits } from '../../workers/verification/verify.ts'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '22' },
    'edge-factor': { type: 'string', default: '16' },
    threads: { type: 'string', default: '1,2' },
    repeats: { type: 'string', default: '5' },
    devices: { type: 'string', default: 'cpu:0' },
    only: { type: 'string', default: 'set,matching' },
    library: { type: 'string' },
  },
})
const library = options.library ?? mkdtempSync(join(tmpdir(), 'bench-verify-'))
const name = `rmat${options.scale}x${options['edge-factor']}`
const order = { weights: 'random3', ties: 'hash', seed: 0 }

function answer(...more) {
  const words = [launcher, '--library', library, '--json', ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`${more.join(' ')} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

const resultOf = (...words) => join(library, 'runs', answer('run', name, '--devices', options.devices, ...words).run)

/** Verifies one result with `pace`. */
function verifierOf(kind, graph) {
  const labels = denseLabels(graph.vertices, 0)
  if (kind === 'set') {
    const set = readBits(join(resultOf('--algorithm', 'ecl-mis'), 'set.bits'), graph.vertices)
    return (pace) => verifyIndependentSet(graph, labels, set, undefined, quietJob, pace)
  }
  const folder = resultOf('--algorithm', 'ld-gpu', '--weights', 'random3')
  const claim = { matching: readMates(join(folder, 'mates'), graph.vertices), order, dominant: true }
  return (pace) => verifyMatching(graph, labels, claim, quietJob, pace)
}

async function measure(kind, graph) {
  const verify = verifierOf(kind, graph)
  const said = new Set()
  for (const threads of options.threads.split(',').map(Number)) {
    const times = []
    for (let i = 0; i < Number(options.repeats); i++) {
      const { elapsedMs, ...verdict } = await verify({ threads })
      times.push(elapsedMs)
      said.add(JSON.stringify(verdict))
    }
    times.sort((a, b) => a - b)
    const figures = { least: times[0], median: times[Math.floor(times.length / 2)] }
    for (const [figure, ms] of Object.entries(figures))
      figures[figure] = { ms: Math.round(ms), nsAnArc: Number(((1e6 * ms) / graph.arcs).toFixed(2)) }
    console.log(JSON.stringify({ graph: name, arcs: graph.arcs, kind, threads, ...figures }))
  }
  console.log(JSON.stringify({ kind, allTheSame: said.size === 1, verdict: JSON.parse([...said][0]) }))
}

try {
  const isThere = answer('datasets').datasets.some((dataset) => dataset.name === name)
  const sizes = ['--scale', options.scale, '--edge-factor', options['edge-factor']]
  if (!isThere) answer('generate', 'rmat', ...sizes, '--shuffle', '--seed', '1', '--name', name)
  const folder = readdirSync(join(library, 'datasets')).find((each) => each.startsWith(`${name}-`))
  const graph = GaloisGr.open(join(library, 'datasets', folder, 'graph.gr'))
  for (const kind of options.only.split(',')) await measure(kind, graph)
  graph.close()
} finally {
  if (options.library === undefined) rmSync(library, { recursive: true, force: true })
}
process.exit(0)
