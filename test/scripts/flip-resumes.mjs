// Runs of a library that were interrupted: to resume each is a command. For flip-bits.mjs.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandCase, launcher } from '../support/command-case.mjs'
import { treeOf } from '../support/process-memory.mjs'
import { pause } from './streamed-run.mjs'

const ATTEMPTS = 40
/** Fields of a request that the command line calls otherwise. */
const OPTIONS = { device: 'devices' }

/**
 * Interrupts a run for each stopped job, in a library of their own, and gives it the checkpoint of that job.
 * @param stopped the questions of stoppedRuns
 * @returns questions whose command runs in a copy of that library, made anew each time
 */
export async function interruptedRuns(folder, stopped) {
  const library = join(folder, 'interrupted')
  await done(['generate', 'grid', '--rows', '190', '--columns', '210', '--name', 'grid'], library)
  const questions = []
  for (const { name, options, checkpoint, sound } of stopped) {
    const asked = { device: 'cpu:0', ...options }
    const words = Object.entries(asked).flatMap(([field, value]) => [`--${OPTIONS[field] ?? field}`, String(value)])
    const id = await interrupted(['run', 'grid', ...words, '--checkpoint', '0', '--verify'], library)
    writeFileSync(join(library, 'runs', id, 'states.checkpoint'), checkpoint)
    questions.push({
      name: `${name}, by command`,
      reads: ['checkpoint'],
      places: [join(library, 'runs', id)],
      command: {
        words: ['run', '--resume', id],
        text: (document) => `${document.result.hash} ${document.verified}`,
        library: () => copyOf(library, join(folder, 'resumed')),
      },
      expected: `${sound} true`,
    })
  }
  return questions
}

function copyOf(library, place) {
  rmSync(place, { recursive: true, force: true })
  cpSync(library, place, { recursive: true })
  return place
}

async function done(words, library) {
  const { code, document, stderr } = await commandCase(words, { library })
  if (code !== 0) throw new Error(`"${words.join(' ')}" ended with ${code}: ${stderr}`)
  return document
}

/** Starts a run and kills its processes, until one is left interrupted; gives its id. */
async function interrupted(words, library) {
  for (let k = 0; k < ATTEMPTS; k++) {
    const before = existsSync(join(library, 'runs')) ? readdirSync(join(library, 'runs')) : []
    const child = spawn(process.execPath, [launcher, '--library', library, ...words], { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('close', resolve))
    let isOver = false
    void ended.then(() => (isOver = true))
    const isNew = () => readdirSync(join(library, 'runs')).some((id) => !before.includes(id))
    while (!isOver && !(existsSync(join(library, 'runs')) && isNew())) await pause(1)
    await pause(5 * (k % 10))
    if (!isOver) for (const pid of treeOf(child.pid).reverse()) kill(pid)
    await ended
    const newest = (await done(['runs'], library)).runs[0]
    if (newest?.state === 'interrupted' && !before.includes(newest.id)) return newest.id
  }
  throw new Error(`"${words.join(' ')}" was never interrupted`)
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
