// Gives a run of the tests one folder for everything that they, and the programs that they start and kill, leave in the system's folder
// for temporary files; it goes when the run ends. What a run that was killed left goes with the next one.
// Node keeps there what it compiled: hundreds of programs and threads start in a run, and each would read the same sources again.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = 'anticlique-tests-'
const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

export function setup() {
  const parent = tmpdir()
  for (const name of readdirSync(parent))
    if (name.startsWith(NAME) && !isAlive(Number(name.slice(NAME.length)))) remove(join(parent, name))
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
