// Kills imports of one file with SIGKILL at random moments, resumes each, and compares the graphs. Linux and macOS.
//   node resources/scripts/kill-import.mjs FILE [--times 20] [--memory 256MiB]
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
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

const startMs = performance.now()
const { checksum } = answer(importing('whole')).dataset
const wholeMs = performance.now() - startMs
console.log(`whole: ${Math.round(wholeMs)} ms, ${checksum}`)
answer(words('datasets', 'remove', 'whole'))
let same = 0
for (let i = 0; i < Number(values.times); i++) {
  const ms = Math.round(wholeMs * Math.random())
  const died = await killed(importing(`k${i}`), ms)
  const listed = answer(words('datasets')).remainders ?? []
  const resumed = answer(importing(`k${i}`, '--resume')).dataset
  const stages = listed.flatMap((remainder) => remainder.stages).join(', ')
  if (resumed.checksum === checksum) same++
  console.log(
    `${ms} ms: ${died ? 'killed' : 'was faster'}; complete: ${stages || 'nothing'}; ${resumed.checksum === checksum ? 'same' : 'DIFFERS'}`,
  )
  answer(words('datasets', 'remove', `k${i}`))
}
console.log(
  `${same} of ${values.times} are the same; left over: ${(answer(words('datasets')).remainders ?? []).length}`,
)
rmSync(library, { recursive: true, force: true })
