// What the scripts that kill and cancel runs share: a library with a graph, the command line, and what lies in a run's folder.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { launcher } from '../support/command-case.mjs'
import { treeOf } from '../support/process-memory.mjs'

const CHECKPOINT_HEADER_BYTES = 512
const UNITS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

/** What is run where only the algorithm is named: with options that have more than one stage, and memory that makes it stream. */
const standards = {
  'ecl-mis': { memory: '12MiB', degree: '32', request: {} },
  'mg-mis': { memory: '8MiB', degree: '32', request: { exchange: 'paper' } },
  'tc-mis': { memory: '192MiB', degree: '8', request: { priority: 'h2', seeds: 4 } },
  'ld-gpu': { memory: '32MiB', degree: '16', request: { weights: 'random3', quality: 'augment:2' } },
}

/** The options of the command line that the scripts share; see standards for those that are left out. */
export const runOptions = {
  times: { type: 'string', default: '30' },
  vertices: { type: 'string', default: '1000000' },
  degree: { type: 'string' },
  memory: { type: 'string' },
  devices: { type: 'string', default: 'cpu:0' },
  algorithm: { type: 'string', default: 'ecl-mis' },
  options: { type: 'string' },
}

/** The options with what they leave out, as text and as fields of a request. */
export function withStandards(values) {
  const { memory, degree, request } = standards[values.algorithm]
  const all = { ...values, memory: values.memory ?? memory, degree: values.degree ?? degree }
  const [, figure, unit] = /^(\d+)([KMG]iB)$/.exec(all.memory)
  const fields = values.options === undefined ? request : JSON.parse(values.options)
  return { ...all, request: { algorithm: values.algorithm, ...fields }, memoryBytes: Number(figure) * UNITS[unit] }
}

/**
 * A library of its own with one uniform graph, whose
 * runs go through a small budget and keep a checkpoint after every batch or round.
 */
export class StreamedRuns {
  constructor({ vertices, degree, memory, request, devices }) {
    this.library = mkdtempSync(join(tmpdir(), 'streamed-runs-'))
    this.answer('generate', 'uniform', '--vertices', vertices, '--degree', degree, '--name', 'uniform')
    this.wanted = Object.entries(request).flatMap(([name, value]) => [`--${name}`, String(value)])
    this.options = [...this.wanted, '--memory', memory, '--checkpoint', '0', '--verify']
    this.hash = this.answer('run', 'uniform', '--devices', 'cpu:0', ...this.wanted, '--verify').result.hash
    /** What a run that nobody disturbs says of itself. */
    this.whole = this.answer('run', 'uniform', '--devices', devices, ...this.options)
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

  /** The stage of a run's checkpoint, in words; null: there is none. */
  stageOf(id) {
    const checkpoint = join(this.runFolder(id), 'states.checkpoint')
    if (!existsSync(checkpoint)) return null
    const file = readFileSync(checkpoint)
    const { notesBytes } = JSON.parse(file.toString('utf8', 0, CHECKPOINT_HEADER_BYTES))
    const notes = JSON.parse(file.toString('utf8', file.length - notesBytes))
    const { arcs, left, made, isOver } = notes ?? {}
    if (isOver === true) return 'the set is made'
    if (made?.augmented !== undefined) return `augmented ${made.augmented.rounds} times`
    if (made !== undefined) return 'the matching is made'
    if (notes?.search !== undefined) return `step ${notes.search.steps}`
    return notes === null ? 'states' : `round ${(arcs ?? left).length}`
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
