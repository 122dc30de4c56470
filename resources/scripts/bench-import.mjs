// Imports one large edge list with Anticlique and, where asked, the same with DuckDB; prints lines/s and peak memory.
// Plain JavaScript without dependencies; needs the built program (npm run build) and /proc (Linux).
//   node resources/scripts/bench-import.mjs [--folder DIR] [--lines N] [--scale S] [--memory 256MiB] [--repeats K] [--duckdb] [--binary]
//     [--threads 1,2,4,8,16]
// --threads prints a table instead: for each number of threads, of which there should be as many cores, lines/s of whole commands, and
// processor time and phases of the import alone (import-stages.mjs), with memory for everything; the same of the file compressed by gzip, in one member and in ten.
// --duckdb installs @duckdb/node-api into the folder with npm; it is no dependency of the program.
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { writeFileSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from './bench-figures.mjs'

const SAMPLE_MS = 20
const MEMBERS = 10
const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    lines: { type: 'string', default: '50000000' },
    scale: { type: 'string', default: '22' },
    memory: { type: 'string', default: '256MiB' },
    repeats: { type: 'string', default: '3' },
    duckdb: { type: 'boolean', default: false },
    binary: { type: 'boolean', default: false },
    threads: { type: 'string' },
  },
})
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'bench-import-'))
mkdirSync(folder, { recursive: true })
const lines = Number(options.lines)
const scale = Number(options.scale)
const source = join(folder, `rmat-${scale}-${lines}.txt`)

/** xorshift128+ in 32-bit halves would be slower: xoshiro128**, seeded. */
function randomWords() {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef]
  return () => {
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
}

/** `lines` edges of an R-MAT graph (0.57, 0.19, 0.19, 0.05) with 2^scale scrambled ids, one "u v" a line. */
function generate(path) {
  const next = randomWords()
  const [a, b, c] = [0.57, 0.76, 0.95].map((share) => share * 2 ** 16)
  const mask = 2 ** scale - 1
  const buffer = Buffer.alloc(1 << 22)
  let at = 0
  const number = (value) => {
    let unit = 1
    while (unit * 10 <= value) unit *= 10
    for (; unit >= 1; unit = Math.floor(unit / 10)) buffer[at++] = 48 + (Math.floor(value / unit) % 10)
  }
  const file = openSync(path, 'w')
  for (let i = 0; i < lines; i++) {
    let [u, v, word] = [0, 0, 0]
    for (let bit = 0; bit < scale; bit++) {
      word = bit % 2 === 0 ? next() : word >>> 16
      const x = word & 0xffff
      u = 2 * u + (x >= b ? 1 : 0)
      v = 2 * v + ((x >= a && x < b) || x >= c ? 1 : 0)
    }
    number(Math.imul(u, 0x9e3779b1) & mask)
    buffer[at++] = 32
    number(Math.imul(v, 0x9e3779b1) & mask)
    buffer[at++] = 10
    if (at < buffer.length - 64) continue
    writeSync(file, buffer, 0, at)
    at = 0
  }
  writeSync(file, buffer, 0, at)
  closeSync(file)
}

/** Process ids of a process and all below it. */
function treeOf(root) {
  const children = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It has ended meanwhile.
    }
  }
  const tree = [root]
  for (let i = 0; i < tree.length; i++) tree.push(...(children.get(tree[i]) ?? []))
  return tree
}

function residentBytes(pid) {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Runs a command; seconds, and the largest sum of resident memory of all its processes, sampled. */
function measured(command, args, env) {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    let peakBytes = 0
    const sampling = setInterval(() => {
      const bytes = treeOf(child.pid).reduce((sum, pid) => sum + residentBytes(pid), 0)
      peakBytes = Math.max(peakBytes, bytes)
    }, SAMPLE_MS)
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(sampling)
      if (code !== 0) reject(new Error(`${command} ended with ${code}`))
      else resolve({ seconds: (performance.now() - startMs) / 1000, peakBytes, output })
    })
  })
}

async function runOurs(memory, environment, file = source, more = []) {
  const library = join(folder, 'library')
  rmSync(library, { recursive: true, force: true })
  const args = [launcher, '--library', library, '--json', 'import', file, '--memory', memory, ...more]
  const run = await measured(process.execPath, args, environment)
  const { dataset } = JSON.parse(run.output)
  rmSync(library, { recursive: true, force: true })
  return { ...run, checksum: dataset.checksum, arcs: dataset.arcs, lines: dataset.report.lines }
}

const duckScript = (memory) => `
import { DuckDBInstance } from '@duckdb/node-api'
const db = await DuckDBInstance.create('bench.duckdb', { memory_limit: '${memory}', threads: '${availableParallelism()}' })
const connection = await db.connect()
await connection.run("SET preserve_insertion_order = false")
await connection.run(\`CREATE TABLE arcs AS
  WITH lines AS (SELECT * FROM read_csv('${source}', delim = ' ', header = false, columns = { 'u': 'UINTEGER', 'v': 'UINTEGER' }))
  SELECT DISTINCT u, v FROM (SELECT u, v FROM lines UNION ALL SELECT v, u FROM lines) WHERE u <> v ORDER BY u, v\`)
const rows = await (await connection.run('SELECT count(*)::DOUBLE FROM arcs')).getRows()
console.log(rows[0][0])
`

async function runDuck(memory) {
  const place = join(folder, 'duckdb')
  if (!existsSync(join(place, 'node_modules'))) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{"type":"module","private":true}')
    const installed = spawnSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '@duckdb/node-api'], {
      cwd: place,
      stdio: 'inherit',
    })
    if (installed.status !== 0) throw new Error('npm could not install @duckdb/node-api')
  }
  for (const name of ['bench.duckdb', 'bench.duckdb.wal', 'bench.duckdb.tmp'])
    rmSync(join(place, name), { recursive: true, force: true })
  writeFileSync(join(place, 'bench.mjs'), duckScript(memory).replaceAll('bench.duckdb', join(place, 'bench.duckdb')))
  const run = await measured(process.execPath, [join(place, 'bench.mjs')], {})
  return { ...run, arcs: Number(run.output.trim()) }
}

const mb = (bytes) => Math.round(bytes / 1e6)

async function report(name, run) {
  const runs = []
  for (let i = 0; i < Number(options.repeats); i++) runs.push(await run())
  const seconds = median(runs.map((one) => one.seconds))
  const peak = Math.max(...runs.map((one) => one.peakBytes))
  const rate = (lines / seconds / 1e6).toFixed(2)
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${rate} M lines/s, peak ${mb(peak)} MB, ${runs[0].arcs} arcs ${runs[0].checksum ?? ''}`,
  )
  return runs[0]
}

const stagesScript = fileURLToPath(new URL('import-stages.mjs', import.meta.url))

/** Lines/s by threads, and where the time goes; every checksum must be the same. */
async function reportThreads(counts) {
  const shell = (command) => spawnSync('sh', ['-c', command], { stdio: 'inherit' })
  const [packed, members] = [`${source}.gz`, `${source}.members.gz`]
  if (!existsSync(packed)) shell(`gzip -1 -c '${source}' > '${packed}'`)
  if (!existsSync(members)) shell(`split -n l/${MEMBERS} --filter 'gzip -1 -c' '${source}' > '${members}'`)
  const checksums = new Set()
  const repeated = async (run) => {
    const runs = []
    for (let i = 0; i < Number(options.repeats); i++) runs.push(await run())
    for (const { checksum } of runs) checksums.add(checksum)
    return runs.sort((a, b) => a.seconds - b.seconds)[runs.length >> 1]
  }
  console.log('| file | threads | command, s | M lines/s | import, s | processor, s | phases, ms | peak, MB |')
  console.log('| ---- | ------: | ---------: | --------: | --------: | -----------: | ---------- | -------: |')
  for (const [kind, file] of Object.entries({ text: source, gzip: packed, [`gzip, ${MEMBERS} members`]: members }))
    for (const threads of counts) {
      const memory = Math.floor(totalmem() / 2)
      const whole = await repeated(() => runOurs(`${memory}`, {}, file, ['--threads', `${threads}`]))
      const alone = await repeated(async () => {
        const { output } = await measured(process.execPath, [stagesScript, file, `${threads}`, `${memory}`], {})
        return JSON.parse(output)
      })
      const phases = Object.entries(alone.phasesMs).map(([phase, ms]) => `${phase} ${ms}`)
      const figures = [whole.seconds, lines / whole.seconds / 1e6, alone.seconds, alone.processorSeconds]
      const cells = [
        kind,
        threads,
        ...figures.map((figure) => figure.toFixed(2)),
        phases.join(', '),
        mb(whole.peakBytes),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  console.log(checksums.size === 1 ? 'graph.gr is the same' : 'graph.gr DIFFERS')
}

/** Imports the same graph from binary files: MB of the file a second, end to end. */
async function reportBinary() {
  const home = join(folder, 'binary')
  const ours = (...words) => [launcher, '--library', home, '--json', ...words]
  const library = () => rmSync(home, { recursive: true, force: true })
  library()
  await measured(process.execPath, ours('import', source, '--name', 'whole', '--memory', '8GiB'))
  const kinds = { galois: 'gr', egr: 'egr', sg: 'sg' }
  for (const [format, extension] of Object.entries(kinds))
    await measured(
      process.execPath,
      ours('datasets', 'export', 'whole', '--format', format, '--output', join(folder, `whole.${extension}`)),
    )
  for (const extension of Object.values(kinds)) {
    const file = join(folder, `whole.${extension}`)
    const bytes = statSync(file).size
    const runs = []
    for (let i = 0; i < Number(options.repeats); i++) {
      library()
      runs.push(await measured(process.execPath, ours('import', file, '--memory', options.memory)))
    }
    const seconds = median(runs.map((run) => run.seconds))
    const peak = Math.max(...runs.map(({ peakBytes }) => peakBytes))
    const { dataset } = JSON.parse(runs[0].output)
    console.log(
      `.${extension}, ${mb(bytes)} MB, --memory ${options.memory}: ${seconds.toFixed(2)} s, ${Math.round(bytes / 1e6 / seconds)} MB/s, peak ${mb(peak)} MB, ${dataset.checksum}`,
    )
    rmSync(file)
  }
  library()
}

async function reportMemory() {
  const small = await report(`Anticlique, --memory ${options.memory}`, () => runOurs(options.memory))
  const large = await report('Anticlique, --memory 8GiB', () => runOurs('8GiB'))
  console.log(small.checksum === large.checksum ? 'graph.gr is the same' : 'graph.gr DIFFERS')
}

if (!existsSync(source)) generate(source)
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, ${mb(totalmem())} MB, Node ${process.versions.node}`)
console.log(
  `${source}: ${lines} lines, ${mb(statSync(source).size)} MB; ${options.repeats} runs each, medians, largest peak of all`,
)
if (options.threads !== undefined) await reportThreads(options.threads.split(',').map(Number))
else await reportMemory()
if (options.duckdb) {
  // DuckDB's limit leaves out part of what it uses; below a GiB it may give up, which is then what there is to tell.
  for (const memory of [options.memory, '1GiB', '2GiB'])
    await report(`DuckDB, memory_limit ${memory}`, () => runDuck(memory)).catch((error) =>
      console.log(`DuckDB, memory_limit ${memory}: ${error.message}`),
    )
}
if (options.binary) await reportBinary()
if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
