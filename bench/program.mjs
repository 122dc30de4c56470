// The built program on a library of its own, as a person starts it: a fresh process for every command.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { togetherBytes, treeOf } from '../test/support/process-memory.mjs'
import { generatorWords } from './graphs.mjs'
import { isWebGraph, webGraphFiles } from './web-graph.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = join(root, 'electron', 'launch.mjs')
const SAMPLE_MS = 20

/** Splits a list of the command line; empty text is an empty list. */
export const listed = (text) => text.split(',').filter((word) => word !== '')

export class Program {
  #isKept
  #results = new Map()

  /** @param library kept afterwards; '' makes a temporary one. @param down graphs are 2^down times smaller */
  constructor(library, down) {
    this.#isKept = library !== ''
    this.folder = library === '' ? mkdtempSync(join(tmpdir(), 'anticlique-bench-')) : library
    this.library = join(this.folder, 'library')
    this.down = down
    mkdirSync(this.folder, { recursive: true })
  }

  /** A command of the program, with the Node that runs it. */
  words(...more) {
    return [process.execPath, launcher, '--library', this.library, '--json', ...more]
  }

  /** The document that a command prints. @throws Error where it fails */
  answer(...words) {
    const [node, ...args] = this.words(...words)
    const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (status !== 0) throw new Error(`anticlique ${words.join(' ')} ended with ${status}: ${stderr}`)
    return JSON.parse(stdout)
  }

  /** Whether the library stays. */
  get isKept() {
    return this.#isKept
  }

  /**
   * The same, with seconds of the whole process and the most memory that it and those below it held (Linux).
   * @param limitS seconds, after which it is interrupted @throws Error then, too
   */
  async timed(words, library = this.library, limitS = Infinity) {
    const args = [launcher, '--library', library, '--json', ...words]
    const { output, ...figures } = await timedProcess(process.execPath, args, SAMPLE_MS, limitS)
    return { ...figures, document: JSON.parse(output) }
  }

  /** The same, on an empty library that is removed afterwards. */
  async timedAfresh(words) {
    const library = mkdtempSync(join(this.folder, 'afresh-'))
    try {
      return await this.timed(words, library)
    } finally {
      rmSync(library, { recursive: true, force: true })
    }
  }

  /** Makes a graph where the library lacks it; the name of its dataset. */
  dataset(name) {
    const dataset = this.down === 0 ? name : `${name}-down${this.down}`
    const isThere = this.answer('datasets').datasets.some((each) => each.name === dataset)
    if (isThere) return dataset
    if (isWebGraph(name))
      this.answer('import', ...webGraphFiles(this.folder, name, this.down), '--name', dataset, '--no-pack')
    else this.answer('generate', ...generatorWords(name, this.down), '--name', dataset)
    return dataset
  }

  /** A file of a graph in some format, made where it is not there yet. */
  file(name, format) {
    const dataset = this.dataset(name)
    const file = join(this.folder, `${dataset}.${format}`)
    if (!existsSync(file)) this.answer('datasets', 'export', dataset, '--format', format, '--output', file)
    return file
  }

  /** The file that has the graph of a dataset, raw or packed. */
  canonicalFile(dataset) {
    const datasets = join(this.library, 'datasets')
    // Its name, and a hexadecimal tag.
    const isItsFolder = (folder) => /^-[0-9a-f]+$/.test(folder.replace(dataset, ''))
    const folder = join(datasets, readdirSync(datasets).find(isItsFolder))
    return ['graph.gr', 'graph.packed'].map((name) => join(folder, name)).find((file) => existsSync(file))
  }

  /** What the library says of a dataset. */
  facts(dataset) {
    return this.answer('datasets').datasets.find(({ name }) => name === dataset)
  }

  /** @throws Error where a result is another than the one of the same name before */
  same(what, hash) {
    const before = this.#results.get(what)
    if (before !== undefined && before !== hash) throw new Error(`${what}: ${hash}, and ${before} before`)
    this.#results.set(what, hash)
  }

  close() {
    if (!this.#isKept) rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * Seconds, output and peak memory in bytes of a command, all processes below it included; pages that they share count once.
 * @param sampleMs between two looks at its memory; 0: it is not looked at
 * @param limitS seconds, after which it is interrupted
 */
export function timedProcess(command, args, sampleMs = SAMPLE_MS, limitS = Infinity) {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors, peakBytes] = ['', '', 0]
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
    const sample = () => {
      peakBytes = Math.max(peakBytes, togetherBytes(treeOf(child.pid)))
    }
    const sampling = process.platform === 'linux' && sampleMs > 0 ? setInterval(sample, sampleMs) : undefined
    let isOver = false
    const over = () => {
      isOver = true
      child.kill('SIGINT')
    }
    const limit = Number.isFinite(limitS) ? setTimeout(over, 1000 * limitS) : undefined
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(sampling)
      clearTimeout(limit)
      if (isOver) reject(new Error(`${args.join(' ')} took more than ${limitS} s`))
      else if (code !== 0) reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${errors}`))
      else resolve({ seconds: (performance.now() - startMs) / 1000, peakBytes, output })
    })
  })
}
