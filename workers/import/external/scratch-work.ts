/**
 * The journal of an import through the disk: a scratch folder beside the dataset with a manifest that says which stages are done, of which files
 * in which state and with which options, so that an import that was killed resumes where the answer would be the same, and starts over where
 * files or options changed. It also counts progress over all files. import-external.ts works in it, the service lists what is left.
 */

import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { dirname, resolve, join } from 'node:path'
import { Failure, inputFailure, asFailure } from '../../base/failure.ts'
import { type JobContext, type Progress, stagedJob } from '../../base/job.ts'
import { requireRegularFile } from '../../base/file-bytes.ts'
import { IMPORT_SCRATCH, type ImportArgs } from '../../contract/jobs.ts'
import {
  COPYING_THREADS,
  importStages,
  diskNeed,
  entryBytes,
  filesOf,
  importThreads,
  memoryShares,
  type MemoryShares,
} from '../reader/import-resources.ts'
import { importBytes } from '../reader/text-source.ts'
import { preparingBytes } from '../../base/host-resources.ts'
import { ThreadPool } from '../build/import-threads.ts'
import { writtenSince } from '../formats/stored-file.ts'
import { takenName, requireDisk } from '../build/write-dataset.ts'
import type { Scratch } from './spilled-entries.ts'

const HEAD_BYTES = 1 << 20
/** Scratch folders of imports that are under way in this thread. */
const inUse = new Set<string>()

export class ScratchWork {
  readonly shares: MemoryShares
  readonly job: JobContext
  readonly folder: string
  /** The folder in which the graph is made. */
  readonly dataset: string
  /** Files may be read to their end. @throws Failure (input) */
  readonly requireUnwritten: () => void
  readonly #args: ImportArgs
  /** Bytes of all files. */
  readonly #bytes: number
  readonly #threads: number
  /** Once there is something to resume. */
  #manifest: Manifest | null = null
  #pool: ThreadPool | null = null
  /** Bytes of the file that is read, and of those before it. */
  #read = { done: 0, total: 0, before: 0 }
  #way: keyof typeof importStages = 'lines'

  /** @throws Failure (input) where a file is missing */
  constructor(args: ImportArgs, job: JobContext) {
    this.#args = args
    this.folder = `${args.folder}${IMPORT_SCRATCH}`
    this.dataset = join(this.folder, 'dataset')
    this.#bytes = importBytes(args)
    this.requireUnwritten = writtenSince(filesOf(args))
    // `first` needs the order of the entries.
    this.#threads = args.merge === 'first' ? 1 : importThreads(args, this.#bytes)
    this.shares = memoryShares(args.memoryBytes ?? preparingBytes(), this.#threads, this.#bytes)
    const progress: JobContext['progress'] = (done) => {
      if (done.phase === 'parse' || done.phase === 'read') this.#follow(done)
      job.progress(done)
    }
    const watched: JobContext = { ...job, progress }
    this.job = stagedJob(watched, () => importStages[this.#way])
  }

  /** @returns false where nothing can be resumed @throws Failure (input) for a file that has changed */
  continue(): boolean {
    const manifest = readManifest(this.folder)
    // Of another version, or older than the machine's start.
    if (manifest === null || manifest.version !== VERSION || manifest.boot !== bootId()) return false
    const own = { ...manifest, pid: process.pid }
    this.#write(own)
    if (!('parse' in manifest.stages || 'copy' in manifest.stages)) return false
    if (JSON.stringify(manifest.identity) !== JSON.stringify(identityOf(this.#args)))
      throw inputFailure(
        this.#args.source,
        'the file or the options are not those of the import that was interrupted',
        'Import it again once what it left is removed.',
        [{ action: 'discard' }],
      )
    this.#manifest = own
    return true
  }

  /** @throws Failure (storage) */
  open(way: 'external' | 'copy' = 'external'): Scratch {
    this.#way = way
    if (this.#manifest === null) this.#create()
    const threads = way === 'copy' ? Math.min(COPYING_THREADS, this.#threads) : this.#threads
    this.#pool ??= new ThreadPool(threads, this.job)
    mkdirSync(this.dataset, { recursive: true })
    const { folder, dataset, shares } = this
    return { folder, dataset, shares, pool: this.#pool, stage: this.stage.bind(this) }
  }

  /** Removes what was there. @throws Failure (storage) */
  #create(): void {
    if (inUse.has(this.folder)) throw takenName(this.#args.folder)
    const manifest = {
      ...{ version: VERSION, boot: bootId(), pid: process.pid, startedAt: new Date().toISOString() },
      ...{ args: this.#args, identity: identityOf(this.#args), stages: {} },
    }
    // There is no moment at which a folder without its manifest stands there.
    const aside = `${this.folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
    try {
      rmSync(this.folder, { recursive: true, force: true })
      mkdirSync(aside, { recursive: true })
      this.#write(manifest, aside)
      renameSync(aside, this.folder)
    } catch (error) {
      rmSync(aside, { recursive: true, force: true })
      throw asFailure(error, this.folder)
    }
    this.#manifest = manifest
    inUse.add(this.folder)
  }

  /** Whether it was done before an interruption. */
  has(name: string): boolean {
    return this.#manifest !== null && name in this.#manifest.stages
  }

  /** Records complete stages on disk; results are plain JSON. */
  async stage<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { stages } = this.#manifest!
    if (name in stages) return stages[name] as T
    const result = await work()
    this.#manifest = { ...this.#manifest!, stages: { ...this.#manifest!.stages, [name]: result } }
    this.#write(this.#manifest)
    return result
  }

  /** Not flushed: what an earlier start of the machine left is not resumed. */
  #write(manifest: Manifest, folder = this.folder): void {
    const path = join(folder, MANIFEST)
    const aside = `${path}.partial-${process.pid}`
    writeFileSync(aside, JSON.stringify(manifest))
    renameSync(aside, path)
  }

  /** @param stored entries, of all @throws Failure (storage) */
  requireRoom(entries: number, stored: number, weighted: boolean, vertices: number, labelBytes = 0): void {
    const bytes = diskNeed(entries, weighted, vertices) - entryBytes(weighted) * stored + labelBytes
    requireDisk(dirname(this.folder), bytes, entries)
  }

  /**
   * @param stored entries and `textBytes` of labels so far are extrapolated by the progress of reading
   * @throws Failure (storage)
   */
  requireRoomToRead(stored: number, weighted: boolean, textBytes: number): void {
    const { done, total, before } = this.#read
    const growth = before + done > 0 ? Math.max(this.#bytes, before + total) / (before + done) : 1
    // New labels become rare (Heaps' law, exponent 1/2); each is in a run and in the file of labels.
    this.requireRoom(stored * growth, stored, weighted, 0, 2 * textBytes * Math.sqrt(growth))
  }

  #follow({ done, total = 0, unit }: Progress): void {
    if (unit !== 'bytes') return
    const last = this.#read
    // The next file begins.
    const before = last.before + (done < last.done ? last.total : 0)
    this.#read = { done, total, before }
  }

  async giveUp(): Promise<void> {
    await this.#endThreads()
    this.#way = 'lines'
    if (this.#manifest !== null) this.remove()
    this.#leave()
  }

  async end(): Promise<void> {
    await this.#endThreads()
    this.#leave()
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #endThreads(): Promise<void> {
    await this.#pool?.end()
    this.#pool = null
  }

  #leave(): void {
    if (this.#manifest !== null) inUse.delete(this.folder)
    this.#manifest = null
  }
}

/** The files' state, and all options that change the graph. @throws Failure (input) when a file is missing */
function identityOf(args: ImportArgs) {
  const {
    folder: _folder,
    memoryBytes: _memory,
    threads: _threads,
    resume: _resume,
    keepScratch: _keep,
    datasetName: _name,
    ...options
  } = args
  const sources = filesOf(args).map((path) => {
    const { size, mtimeMs } = requireRegularFile(path)
    return { path: resolve(path), bytes: size, modifiedMs: mtimeMs, head: headHash(path) }
  })
  // The list of names holds for the options of a table too.
  const names = [options, options.table ?? {}].flatMap((each) => Object.keys(each)).sort()
  return { sources, options: JSON.stringify(options, names) }
}

function headHash(path: string): string {
  const bytes = new Uint8Array(HEAD_BYTES)
  const file = openSync(path, 'r')
  try {
    return createHash('sha256')
      .update(bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0)))
      .digest('hex')
  } finally {
    closeSync(file)
  }
}

/** Such an import can be resumed. */
export function isAbandoned(error: unknown, job: JobContext): boolean {
  return error instanceof Failure && error.code === 'cancelled' && job.signal.abandoned === true
}

const MANIFEST = 'manifest.json'
const VERSION = 4

interface Manifest {
  readonly version: number
  /** Unflushed files of an earlier one may be gone. */
  readonly boot: string
  readonly pid: number
  readonly startedAt: string
  readonly args: ImportArgs
  readonly identity: ReturnType<typeof identityOf>
  readonly stages: Readonly<Record<string, unknown>>
}

function readManifest(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
  } catch {
    return null
  }
}

/** The id of this start of the system; if it has none, the time of its start, to ten minutes. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / 600))
  }
}
