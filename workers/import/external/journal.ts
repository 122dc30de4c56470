import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { uptime } from 'node:os'
import { asFailure } from '../../base/failure.ts'
import type { ImportArgs } from '../../contract/jobs.ts'

const MANIFEST = 'manifest.json'
const VERSION = 2

/** A resumed import must have the same. */
export interface ImportIdentity {
  readonly sources: readonly {
    readonly path: string
    readonly bytes: number
    readonly modifiedMs: number
    readonly head: string
  }[]
  readonly options: string
}

export interface Manifest {
  readonly version: number
  /** What was written in another run of the machine may not be on the disk. */
  readonly boot: string
  readonly pid: number
  readonly startedAt: string
  readonly args: ImportArgs
  readonly identity: ImportIdentity
  readonly stages: Readonly<Record<string, unknown>>
}

/** For a build that starts anew when it is interrupted. */
export const unlogged: Pick<Journal, 'stage'> = { stage: (_name, work) => work() }

/** Records complete stages on disk. */
export class Journal {
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
    try {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      journal.#write()
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw asFailure(error, folder)
    }
    return journal
  }

  /** null where nothing can be resumed: of another version, or older than the machine's start. */
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

  /** From an earlier process, or done now. Results are plain JSON. */
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

  #write(): void {
    const path = join(this.folder, MANIFEST)
    try {
      const file = openSync(`${path}.new`, 'w')
      try {
        writeSync(file, JSON.stringify(this.#manifest))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(`${path}.new`, path)
    } catch (error) {
      throw asFailure(error, path)
    }
  }
}

/** null where none can be read. */
function readManifest(folder: string): Manifest | null {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) return null
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest
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
