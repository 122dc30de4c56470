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
} from '../import-resources.ts'
import { importBytes } from '../text-source.ts'
import { preparingBytes } from '../../base/host-resources.ts'
import { ThreadPool } from '../import-threads.ts'
import { writtenSince } from '../formats/stored-file.ts'
import { takenName, requireDisk } from '../write-dataset.ts'
import type { Scratch } from './spilled-entries.ts'

const HEAD_BYTES = 1 << 20
/** Scratch folders of imports that are under way in this thread. */
const inUse = new Set<string>()

export class ScratchWork {
  readonly shares: MemoryShares
  readonly job: JobContext
  readonly folder: string
  /** Where the graph is made. */
  readonly dataset: string
  /** Once there is something to resume. */
  journal: Journal | null = null
  /** Files may be read to their end. @throws Failure (input) */
  readonly requireUnwritten: () => void
  readonly #args: ImportArgs
  /** Of all files. */
  readonly #bytes: number
  readonly #threads: number
  #pool: ThreadPool | null = null
  /** Of the file that is read, and of those before it. */
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

  /** null where nothing can be resumed. @throws Failure (input) for a file that has changed */
  continue(): Journal | null {
    const journal = Journal.continue(this.folder)
    if (journal === null || !(journal.has('parse') || journal.has('copy'))) return null
    const now = identityOf(this.#args)
    if (JSON.stringify(journal.identity) !== JSON.stringify(now))
      throw inputFailure(
        this.#args.source,
        'the file or the options are not those of the import that was interrupted',
        'Import it again once what it left is removed.',
        [{ action: 'discard' }],
      )
    return (this.journal = journal)
  }

  /** @throws Failure (storage) */
  open(way: 'external' | 'copy' = 'external'): Scratch {
    this.#way = way
    this.journal ??= this.#create()
    const threads = way === 'copy' ? Math.min(COPYING_THREADS, this.#threads) : this.#threads
    this.#pool ??= new ThreadPool(threads, this.job)
    mkdirSync(this.dataset, { recursive: true })
    const { folder, dataset, shares, journal } = this
    return { folder, dataset, shares, pool: this.#pool, stage: journal.stage.bind(journal) }
  }

  #create(): Journal {
    if (inUse.has(this.folder)) throw takenName(this.#args.folder)
    const journal = Journal.create(this.folder, this.#args, identityOf(this.#args))
    inUse.add(this.folder)
    return journal
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
    this.journal?.remove()
    this.#leave()
  }

  async end(): Promise<void> {
    await this.#endThreads()
    this.#leave()
  }

  async #endThreads(): Promise<void> {
    await this.#pool?.end()
    this.#pool = null
  }

  #leave(): void {
    if (this.journal !== null) inUse.delete(this.folder)
    this.journal = null
  }
}

/** The files' state, and all options that change the graph. @throws Failure (input) when a file is missing */
function identityOf(args: ImportArgs): ImportIdentity {
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

interface ImportIdentity {
  readonly sources: readonly {
    readonly path: string
    readonly bytes: number
    readonly modifiedMs: number
    readonly head: string
  }[]
  readonly options: string
}

interface Manifest {
  readonly version: number
  /** Unflushed files of an earlier one may be gone. */
  readonly boot: string
  readonly pid: number
  readonly startedAt: string
  readonly args: ImportArgs
  readonly identity: ImportIdentity
  readonly stages: Readonly<Record<string, unknown>>
}

/** Records complete stages on disk. */
class Journal {
  readonly folder: string
  #manifest: Manifest

  private constructor(folder: string, manifest: Manifest) {
    this.folder = folder
    this.#manifest = manifest
  }

  /** Removes what was there. @throws Failure (storage) */
  static create(folder: string, args: ImportArgs, identity: ImportIdentity): Journal {
    const journal = new Journal(folder, {
      version: VERSION,
      boot: bootId(),
      pid: process.pid,
      startedAt: new Date().toISOString(),
      args,
      identity,
      stages: {},
    })
    // There is no moment at which a folder without its manifest stands there.
    const aside = `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
    try {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(aside, { recursive: true })
      journal.#write(aside)
      renameSync(aside, folder)
    } catch (error) {
      rmSync(aside, { recursive: true, force: true })
      throw asFailure(error, folder)
    }
    return journal
  }

  /** null: of another version, or older than the machine's start. */
  static continue(folder: string): Journal | null {
    const manifest = readManifest(folder)
    if (manifest === null || manifest.version !== VERSION || manifest.boot !== bootId()) return null
    const journal = new Journal(folder, { ...manifest, pid: process.pid })
    journal.#write()
    return journal
  }

  get identity(): ImportIdentity {
    return this.#manifest.identity
  }

  has(name: string): boolean {
    return name in this.#manifest.stages
  }

  /** Results are plain JSON. */
  async stage<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.has(name)) return this.#manifest.stages[name] as T
    const result = await work()
    this.#manifest = { ...this.#manifest, stages: { ...this.#manifest.stages, [name]: result } }
    this.#write()
    return result
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Not flushed: what an earlier start of the machine left is not resumed. */
  #write(folder = this.folder): void {
    const path = join(folder, MANIFEST)
    const aside = `${path}.partial-${process.pid}`
    writeFileSync(aside, JSON.stringify(this.#manifest))
    renameSync(aside, path)
  }
}

function readManifest(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
  } catch {
    return null
  }
}

/** Where the system has no id: the time of its start, to ten minutes. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / 600))
  }
}
