// Thirty runs of every algorithm on files with options, generated graphs and a sample, with lists, conditions and weights; then their records
// and inputs alone, or their archives, in another folder with another library, where `rerun` has to find each graph by itself and give
// the same hash. Archives are checked by Python, too. Needs Node 24 and the built program (npm run build).
//   node test/scripts/repeat-records.mjs [--archives] [--keep]
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { archives: { type: 'boolean' }, keep: { type: 'boolean' } } })
const root = fileURLToPath(new URL('../..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'anticlique-records-'))
const [home, away] = ['home', 'away'].map((name) => join(place, name))

/** A command in a folder with a library of its own; its document. */
function answer(folder, ...words) {
  const args = [join(root, 'electron/launch.mjs'), '--library', join(folder, 'library'), '--json', ...words]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0 && status !== 3) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

const lines = (count, line) => Array.from({ length: count }, (_, v) => line(v)).join('')
const inputs = {
  'plain.txt': lines(300, (v) => `${v} ${(7 * v + 3) % 300}\n${v} ${(v + 1) % 300}\n`),
  'costs.csv': `from;to;cost\n${lines(200, (v) => `p${v};p${(11 * v + 5) % 200};${v % 3 === 0 ? -2 : v}\n`)}`,
  'more.csv': 'from;to;cost\np1;p30;4\np2;p31;9\n',
  'bad.txt': `1 2\n2\n${lines(50, (v) => `${v} ${(3 * v + 1) % 50}\n`)}`,
  'people.csv': `id,group,worth\n${lines(300, (v) => `${v},${'ab'[v % 2]},${(v * 37) % 101}\n`)}`,
  'mesh.mtx': `%%MatrixMarket matrix coordinate real symmetric\n120 120 119\n${lines(119, (v) => `${v + 2} ${v + 1} ${-1 - (v % 4)}\n`)}`,
  'keep.txt': '3\n5\n',
  'closed.txt': 'p7\np9\n',
  'worth.csv': lines(300, (v) => `${v},${(v * 37) % 101}\n`),
}
const named = ['--source-column', 'from', '--target-column', 'to', '--weight-column', 'cost', '--delimiter', ';']
const datasets = [
  ['import', 'plain.txt'],
  ['import', 'plain.txt', '--vertices', 'people.csv', '--name', 'people'],
  ['import', 'costs.csv', ...named, '--weight-rule', 'absolute', '--where', 'cost != 5'],
  ['import', 'costs.csv', 'more.csv', ...named, '--weight-rule', 'shift', '--name', 'both'],
  ['import', 'costs.csv', ...named, '--weight-rule', 'drop', '--invert', '--name', 'inverted'],
  ['import', 'bad.txt', '--bad-rows', 'skip'],
  ['import', 'mesh.mtx', '--ignore-weights'],
  ['generate', 'rmat', '--scale', '8', '--edge-factor', '6', '--seed', '5', '--shuffle', '--name', 'drawn'],
  ['generate', 'torus3', '--width', '6', '--height', '6', '--depth', '6', '--name', 'torus'],
  ['sample', 'cities', '--radius-km', '1', '--name', 'near'],
]
const runs = [
  ['plain', '--priority', 'ecl'],
  ['plain', '--priority', 'hash', '--seed', '3'],
  ['plain', '--keep', 'keep.txt'],
  ['plain', '--column', 'worth.csv'],
  ['plain', '--column', 'worth.csv', '--weights', 'column', '--quality', 'better'],
  ['plain', '--quality', 'best', '--steps', '2000'],
  ['plain', '--algorithm', 'luby', '--seed', '2'],
  ['people', '--keep-where', "group = 'a' and worth > 95"],
  ['people', '--attribute', 'worth'],
  ['costs', '--exclude', 'closed.txt'],
  ['costs', '--algorithm', 'ld-gpu'],
  ['costs', '--algorithm', 'mis2-aggregates', '--threshold', '0.1'],
  ['both', '--algorithm', 'ld-gpu', '--ties', 'id'],
  ['both', '--algorithm', 'ld-gpu', '--weights', 'random3', '--seed', '9'],
  ['inverted', '--algorithm', 'ld-gpu', '--quality', 'better'],
  ['bad', '--algorithm', 'mg-mis', '--devices', 'cpu:0,cpu:1'],
  ['bad', '--algorithm', 'connected-components'],
  ['mesh', '--algorithm', 'distance-mis'],
  ['mesh', '--algorithm', 'colouring'],
  ['drawn', '--quality', 'swap:2'],
  ['drawn', '--algorithm', 'tc-mis', '--seeds', '4'],
  ['drawn', '--algorithm', 'bfs', '--root', '3'],
  ['drawn', '--algorithm', 'bfs-tree', '--root', '5'],
  ['drawn', '--algorithm', 'k-core'],
  ['drawn', '--algorithm', 'b-suitor', '--capacity', '3'],
  ['drawn', '--algorithm', 'eccentricities'],
  ['drawn', '--algorithm', 'colouring', '--priority', 'smallest-last', '--balance'],
  ['torus', '--algorithm', 'spin-glass', '--sweeps', '40'],
  ['torus', '--algorithm', 'mg-mis', '--partitions', '3', '--exchange', 'paper', '--priority', 'hash'],
  ['near', '--quality', 'better'],
  ['near', '--algorithm', 'ld-gpu', '--ties', 'degree', '--memory', '8MiB'],
]

for (const folder of [home, away]) mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(inputs)) writeFileSync(join(home, name), text)
for (const words of datasets) answer(home, ...words)
const made = runs.map((words, at) => {
  const output = `result-${at}.txt`
  const { run, result } = answer(home, 'run', '--devices', 'cpu:0', ...words, '--output', output)
  const file = values.archives ? `run-${at}.tar` : `${output}.run.json`
  if (values.archives) answer(home, 'archive', run, '--output', file)
  return { words, file, hash: result.hash }
})
const moved = [...made.map(({ file }) => file), ...(values.archives ? [] : Object.keys(inputs))]
for (const name of moved) cpSync(join(home, name), join(away, name))
rmSync(home, { recursive: true })

let same = 0
for (const { words, file, hash } of made) {
  const check = values.archives
    ? spawnSync('python3', [join(root, 'resources/archive/check.py'), join(away, file)], { encoding: 'utf8' })
    : undefined
  if (check !== undefined && check.status !== 0)
    console.log(`${words.join(' ')}: the checker says ${check.stdout}${check.stderr}`)
  let found
  try {
    const again = answer(away, 'rerun', file, '--devices', words.includes('cpu:0,cpu:1') ? 'cpu:0,cpu:1' : 'cpu:0')
    found = again.error?.what ?? again.result.hash
  } catch (error) {
    found = error.message
  }
  if (found === hash && (check?.status ?? 0) === 0) same++
  else console.log(`${words.join(' ')}: ${found} in place of ${hash}`)
}
console.log(
  `${same} of ${made.length} ${values.archives ? 'archives checked, and repeated' : 'records repeated'} with the same hash`,
)
if (values.keep !== true) rmSync(place, { recursive: true })
if (same < made.length) process.exitCode = 1
