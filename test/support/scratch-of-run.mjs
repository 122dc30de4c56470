// Gives a run of the tests one folder for everything that they, and the programs that they start and kill, leave in the system's folder
// for temporary files; it goes when the run ends. What a run that was killed left goes with the next one.
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
  const before = Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, process.env[name]]))
  for (const name of Object.keys(before)) process.env[name] = folder
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
