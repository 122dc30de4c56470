// What the scripts that kill and cancel runs share: a library with a graph, the command line, and what lies in a run's folder.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { treeOf } from './process-memory.mjs'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const CHECKPOINT_HEADER_BYTES = 512

/**
 * A library of its own with one uniform graph, of which two fifths are read (docs/decisions/0010-heads-first.md), and whose
 * runs go through a small budget and keep a checkpoint after every batch.
 */
export class StreamedRuns {
  constructor({ vertices, degree, memory }) {
    this.library = mkdtempSync(join(tmpdir(), 'streamed-runs-'))
    this.answer('generate', 'uniform', '--vertices', vertices, '--degree', degree, '--name', 'uniform')
    this.hash = this.answer('run', 'uniform', '--devices', 'cpu:0', '--verify').result.hash
    this.options = ['--memory', memory, '--checkpoint', '0', '--verify']
  }

  words(...more) {
    return [launcher, '--library', this.library, '--json', ...more]
  }

  /** What a command prints. @throws Error when it fails */
  answer(...more) {
    const { status, stdout, stderr } = spawnSync(process.execPath, this.words(...more), { encoding: 'utf8' })
    if (status !== 0) throw new Error(`"${more.join(' ')}" ended with ${status}: ${stderr}${stdout}`)
    return JSON.parse(stdout)
  }

  start(devices) {
    const child = spawn(process.execPath, this.words('run', 'uniform', '--devices', devices, ...this.options), {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part))
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, text })))
    return { child, ended }
  }

  /** Milliseconds of a run that nobody disturbs. */
  async wholeMs(devices) {
    const startMs = performance.now()
    const { code, text } = await this.start(devices).ended
    if (code !== 0) throw new Error(`a run that nobody disturbed ended with ${code}: ${text}`)
    return performance.now() - startMs
  }

  newest() {
    return this.answer('runs').runs[0]
  }

  runFolder(id) {
    return join(this.library, 'runs', id)
  }

  /** Names in a run's folder that are there while something is being written. */
  unfinished(id) {
    return readdirSync(this.runFolder(id)).filter((name) => name.includes('partial'))
  }

  integrity() {
    const database = new DatabaseSync(join(this.library, 'library.sqlite'), { readOnly: true })
    try {
      return database.prepare('PRAGMA integrity_check').all()[0].integrity_check
    } finally {
      database.close()
    }
  }

  /** Bytes of the view that a run has to read whose states are those of a checkpoint; null where there is none. */
  bytesToRead(id) {
    const checkpoint = join(this.runFolder(id), 'states.checkpoint')
    if (!existsSync(checkpoint)) return null
    const file = readFileSync(checkpoint)
    const words = new Uint32Array(
      file.buffer.slice(file.byteOffset + CHECKPOINT_HEADER_BYTES, file.byteOffset + file.length),
    )
    const view = this.view()
    let bytes = 0
    // Vertices of the front have no entries.
    for (let i = 0; i < view.vertices - view.front; i++) {
      const p = view.front + i
      if (((words[p >>> 4] >>> (2 * (p & 15))) & 3) === 0)
        bytes += 8 + 4 * (view.tailOffsets[i + 1] - view.tailOffsets[i])
    }
    if (Number.isNaN(bytes)) throw new Error('the view is not laid out as this script knows it')
    return { bytes, view }
  }

  view() {
    const [folder] = readdirSync(join(this.library, 'datasets'))
    const file = readFileSync(join(this.library, 'datasets', folder, 'views', 'oriented-degree-0.view'))
    const { vertices, front, tailOffsets } = JSON.parse(file.toString('utf8', 0, 4096))
    const at = file.byteOffset + tailOffsets.at
    return {
      vertices,
      front,
      bytes: file.length,
      tailOffsets: new Uint32Array(file.buffer.slice(at, at + tailOffsets.bytes)),
    }
  }

  remove() {
    rmSync(this.library, { recursive: true, force: true })
  }
}

/** The engine below a command line; undefined before it is started. */
export function engineOf(pid) {
  return treeOf(pid).find((each) => {
    try {
      return readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('engine.js')
    } catch {
      return false
    }
  })
}

export const isAlive = (pid) => existsSync(`/proc/${pid}`)

/** Milliseconds until it holds; throws when it does not for too long. */
export async function until(condition, limitMs, words) {
  const startMs = performance.now()
  while (!condition()) {
    if (performance.now() - startMs > limitMs) throw new Error(`not within ${limitMs} ms: ${words}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - startMs
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
