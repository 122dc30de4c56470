// One command of the built program as a case of an attack: how it ended, and what the contract of the command line says to that.
// Needs /proc (Linux) and the built program (npm run build).
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { exitCodeOf } from '../../electron/cli/failure-text.ts'

export const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
/** Ends that bad input and damaged files may have; 4 is a device, the engine or a fault, and nothing here takes those away. */
const DUE = [0, 2, 3]
/** An engine that was let go of ends by itself. */
const ENGINE_PATIENCE_MS = 10_000
const MARK = 'ANTICLIQUE_ATTACK_CASE'

/**
 * Runs `anticlique --json ARGS` to its end, or kills it where that does not come.
 * @returns its exit code, its document, and every breach of the contract in words
 */
export async function commandCase(args, { library, env = {}, patienceMs = 180_000 }) {
  const mark = `${MARK}=${randomUUID()}`
  const child = spawn(process.execPath, [launcher, '--library', library, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, [MARK]: mark.slice(MARK.length + 1) },
  })
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  let isHung = false
  const timer = setTimeout(() => {
    isHung = true
    killAll(mark)
  }, patienceMs)
  const { code, signal } = await new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  )
  clearTimeout(timer)
  const end = { code, isHung, stdout: stdout.text, stderr: stderr.text, document: documentOf(stdout.text) }
  const breaches = isHung ? [] : breachesOf(end, signal)
  if (!isHung && (await isLeftBehind(mark))) breaches.push('a process was left behind')
  return { ...end, breaches }
}

function textOf(stream) {
  const whole = { text: '' }
  stream.setEncoding('utf8').on('data', (part) => (whole.text += part))
  return whole
}

/** The one document of stdout; undefined where stdout holds something else. */
function documentOf(text) {
  try {
    return text.endsWith('\n') ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function breachesOf({ code, stderr, document }, signal) {
  const breaches = []
  if (signal !== null) breaches.push(`ended by ${signal}`)
  else if (!DUE.includes(code)) breaches.push(`exit code ${code}`)
  if (document === undefined) breaches.push('stdout is not one document')
  else if (code === 0 && 'error' in document) breaches.push('exit code 0 with an error')
  else if (code !== 0 && 'error' in document && exitCodeOf(document.error.code) !== code)
    breaches.push(`exit code ${code} for ${document.error.code}`)
  else if (code !== 0 && !('error' in document) && (code !== 3 || document.verified !== false))
    breaches.push(`exit code ${code} with an answer`)
  if (code !== 0 && stderr.trim().split('\n').length !== 1) breaches.push('stderr is not one line')
  if (code === 0 && stderr !== '') breaches.push('stderr beside an answer')
  return breaches
}

/** Whether a process that came of a command is there some seconds after its end. */
async function isLeftBehind(mark) {
  const startMs = performance.now()
  while (marked(mark).length > 0) {
    if (performance.now() - startMs > ENGINE_PATIENCE_MS) {
      killAll(mark)
      return true
    }
    await pause(20)
  }
  return false
}

/** Every process with the mark in its environment, whatever its name and parent. */
function marked(mark) {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)
    } catch {
      return false
    }
  })
}

function killAll(mark) {
  for (const pid of marked(mark))
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has just ended.
    }
}
