// Gives a run of the tests one folder for everything that they, and the programs that they start and kill, leave in the system's folder
// for temporary files; it goes when the run ends. What a run that was killed left goes with the next one.
// Node keeps there what it compiled: hundreds of programs and threads start in a run, and each would read the same sources again.
import { mkdirSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = 'anticlique-tests-'
/** The memory, on Linux: a disk takes a fifth more of the processors, and waits whenever a file replaces another. */
const MEMORY = '/dev/shm'
/** Many times what tests keep at once. */
const LEAST_BYTES = 8 * 2 ** 30
const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

/** What a killed run left: it stays for the next run where its programs still write, or another run removes it now. */
function removeLeft(folder) {
  try {
    remove(folder)
  } catch ({ message }) {
    console.warn(`${folder} of an earlier run stays: ${message}`)
  }
}

/** Memory where there is plenty, and programs may be started from it; a person who names a folder has it. */
function parentFolder() {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return tmpdir()
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const { bavail, bsize } = statfsSync(MEMORY)
    const isPlenty = Math.min(bavail * bsize, process.availableMemory()) >= LEAST_BYTES
    return isPlenty && mount !== undefined && !mount.includes('noexec') ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

export function setup() {
  const parent = parentFolder()
  for (const place of new Set([parent, tmpdir()]))
    for (const name of readdirSync(place))
      if (name.startsWith(NAME) && !isAlive(Number(name.slice(NAME.length)))) removeLeft(join(place, name))
  const folder = join(parent, `${NAME}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const given = { TMPDIR: folder, TEMP: folder, TMP: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const before = Object.fromEntries(Object.keys(given).map((name) => [name, process.env[name]]))
  Object.assign(process.env, given)
  return () => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    remove(folder)
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch ({ code }) {
    return code === 'EPERM'
  }
}
