// `npm run quickstart`: from a fresh clone to a verified independent set of a real graph, with a short report.
// Plain JavaScript without dependencies: it runs before anything is installed, on any Node from 18.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const demo = join(root, 'anticlique-demo')
const onWindows = process.platform === 'win32'
const times = []

const grouped = (value) => new Intl.NumberFormat('en-US').format(value)
const seconds = (ms) => (ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

class StepFailed extends Error {}

/** Runs a step quietly and notes its time; its output is shown only when it fails. */
function step(name, command, args, remedy, shell = false) {
  process.stdout.write(`${name} ... `)
  const startMs = performance.now()
  const bin = join(root, 'node_modules', '.bin')
  const child = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    encoding: 'utf8',
    shell,
    maxBuffer: 64 << 20,
  })
  const elapsedMs = performance.now() - startMs
  console.log(child.status === 0 ? seconds(elapsedMs) : 'failed')
  times.push([name, elapsedMs])
  if (child.status === 0) return child.stdout
  throw new StepFailed([child.stdout, child.stderr, child.error?.message, '', remedy].filter(Boolean).join('\n'))
}

/** One command of the command line on the demo's library; its JSON document. */
function anticlique(name, args, remedy) {
  const launcher = join(root, 'electron', 'launch.mjs')
  const words = [launcher, '--library', join(demo, 'library'), '--json', ...args]
  return JSON.parse(step(name, process.execPath, words, remedy))
}

/** Whether node_modules is there and not older than the lock file. */
function isInstalled() {
  const installed = join(root, 'node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** Whether out/ is there and nothing that it is made of is newer: folders too, which change when a file in them goes. */
function isBuilt() {
  const built = join(root, 'out', 'renderer', 'index.html')
  if (!existsSync(built) || !existsSync(join(root, 'out', 'main', 'cli.js'))) return false
  const folders = ['electron', 'renderer', 'workers', 'kernels']
  const within = (folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  ]
  const sources = ['package-lock.json', 'package.json', 'electron.vite.config.ts', ...folders.flatMap(within)]
  const builtMs = statSync(built).mtimeMs
  return sources.every((path) => statSync(join(root, path)).mtimeMs <= builtMs)
}

function install() {
  const remedy = 'The packages could not be installed. Check the network (npm ping), then run npm run quickstart again.'
  if (!isInstalled()) step('install the packages', 'npm', ['ci', '--no-audit', '--no-fund'], remedy, onWindows)
  if (isBuilt()) return
  const build = 'The build failed. On a changed checkout, git status shows what differs from the last commit.'
  step('build', 'npm', ['run', 'build'], build, onWindows)
}

function compute() {
  rmSync(demo, { recursive: true, force: true })
  const again = 'Run npm run quickstart again; docs/command-line.md explains the exit codes.'
  const sample = ['sample', 'cities', '--radius-km', '10']
  const { dataset } = anticlique('join 135,233 places closer than 10 km', sample, again)
  const options = ['--algorithm', 'ecl-mis', '--devices', 'cpu:0', '--verify', '--name', 'quickstart']
  const run = anticlique('compute and verify a set', ['run', dataset.name, ...options], again)
  const output = (extension) => join(demo, `cities-10km-set.${extension}`)
  const files = ['txt', 'csv'].flatMap((extension) => {
    const words = ['export', run.run, '--output', output(extension)]
    const exported = anticlique(`export as ${extension}`, words, again)
    return [...exported.files, exported.record]
  })
  return { run, files }
}

function report({ run, files }) {
  const { dataset, result, time, upperBound, verified } = run
  const line = (name, value) => console.log(`  ${name.padEnd(13)}${value}`)
  console.log('\nWhich places can hold a transmitter, if no two may be closer than 10 km?\n')
  line('vertices', `${grouped(dataset.vertices)} places`)
  line('edges', `${grouped(dataset.edges)} pairs closer than 10 km`)
  line('set', `${grouped(result.size)} places, ${(100 * result.fraction).toFixed(1)} % of all`)
  const quality = (Math.floor((1000 * result.size) / upperBound) / 10).toFixed(1)
  line('upper bound', `${grouped(upperBound)}: the set is at least ${quality} % of the best possible`)
  line('verified', verified ? 'independent and maximal' : 'NO')
  line('device', run.devices.join(', '))
  line('compute', `${seconds(time.computeMs)} (opening the graph ${seconds(time.prepareMs)})`)
  line('hash', result.hash)
  console.log('\nTimes of the steps')
  for (const [name, ms] of times) console.log(`  ${seconds(ms).padStart(8)}  ${name}`)
  console.log('\nFiles')
  for (const file of new Set(files)) console.log(`  ${relative(process.cwd(), file)}`)
  console.log('\nNext')
  console.log('  npm run dev                                  open the workbench')
  console.log('  ./anticlique run <your graph> --verify     the same with a graph of your own')
  console.log('  ./anticlique --help                        everything else')
  console.log('\nPlaces: GeoNames (geonames.org), CC BY 4.0.')
}

const [major] = process.versions.node.split('.').map(Number)
if (major < 18) {
  console.error(`Node ${process.versions.node} is too old to start with. Install Node 20 or newer from nodejs.org.`)
  process.exitCode = 2
} else {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log(`${name} ${version}\n`)
  try {
    install()
    report(compute())
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
