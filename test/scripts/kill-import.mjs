// Kills imports of one file with SIGKILL at random moments. Looks whether nothing but listed remainders is left, resumes every import,
// and compares the graphs; every other one is also killed once to be removed with `datasets clean`. Ends with 1 when anything is
// not as promised. Linux and macOS.
//   node test/scripts/kill-import.mjs FILE [--times 20] [--memory 256MiB]
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { launcher } from '../support/command-case.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, memory: { type: 'string', default: '256MiB' } },
})
const [file] = positionals
if (file === undefined) throw new Error('Name the file to import.')
const library = mkdtempSync(join(tmpdir(), 'kill-import-'))
const words = (...more) => [launcher, '--library', library, '--json', ...more]
const importing = (name, ...more) => words('import', file, '--name', name, '--memory', values.memory, ...more)

function answer(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Kills the whole process group after a while. */
function killed(args, ms) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true })
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), ms)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === null)
    })
  })
}

/** Names in the folder of datasets that belong to one. */
function folders(name) {
  return readdirSync(join(library, 'datasets')).filter((folder) => folder.startsWith(`${name}-`) || folder === name)
}

/** Remainders, when the system has forgotten the killed processes. */
async function settled(name) {
  for (let tries = 0; ; tries++) {
    const remainders = answer(words('datasets')).remainders ?? []
    if (remainders.length > 0 || folders(name).length === 0 || tries === 30) return remainders
    await after(100)
  }
}

const startMs = performance.now()
const { checksum } = answer(importing('whole')).dataset
const wholeMs = performance.now() - startMs
console.log(`whole: ${Math.round(wholeMs)} ms, ${checksum}`)
answer(words('datasets', 'remove', 'whole'))
/** Kills an import after so many milliseconds; what is left over of it that no list of remainders tells. */
async function interrupted(name, ms) {
  const ended = await killed(importing(name), ms)
  // Killed after the dataset was entered into the library, but before its exit: nothing was interrupted.
  const died = ended && answer(words('datasets')).datasets.every((dataset) => dataset.name !== name)
  const remainders = await settled(name)
  const listed = new Set(remainders.map(({ folder }) => folder))
  // A folder aside has no name yet and is swept with the next start of the program.
  const strays = folders(name).filter((folder) => died && !listed.has(folder) && !folder.includes('.partial-'))
  return { died, strays, stages: remainders.flatMap((remainder) => remainder.stages) }
}

const times = Number(values.times)
let good = 0
for (let i = 0; i < times; i++) {
  const name = `k${i}`
  // A random moment of every twentieth of the time, say.
  const ms = Math.round((wholeMs * (i + Math.random())) / times)
  const faults = []
  // Every other one is also killed once to be removed.
  if (i % 2 === 1) {
    const { died, strays } = await interrupted(name, ms)
    answer(words('datasets', 'clean'))
    if (!died) answer(words('datasets', 'remove', name))
    faults.push(...strays, ...folders(name))
  }
  const { died, strays, stages } = await interrupted(name, ms)
  const found = answer(importing(name, '--resume')).dataset
  const remainders = answer(words('datasets')).remainders ?? []
  faults.push(...strays, ...remainders.map(({ folder }) => folder), ...folders(name).slice(1))
  if (found.checksum !== checksum) faults.push('another graph')
  if (faults.length === 0) good++
  console.log(
    `${ms} ms: ${died ? 'killed' : 'was faster'}; complete: ${stages.join(', ') || 'nothing'}; ${faults.join(', ') || 'resumed, same'}`,
  )
  answer(words('datasets', 'remove', name))
}
console.log(`${good} of ${times}: resumed with the same graph, nothing left over`)
rmSync(library, { recursive: true, force: true })
process.exitCode = good === times ? 0 : 1
