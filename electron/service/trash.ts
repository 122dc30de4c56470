/**
 * Deleted datasets, which can be brought back until they expire, whatever ends meanwhile. A folder keeps a note of its row and its runs and is
 * renamed behind a dot; the library's table knows no more of it. What a program leaves half done the next one finishes: a folder with a note and
 * no row was being deleted or brought back, and is deleted.
 */

import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type RemovedDataset, storedDatasetSchema, type StoredDataset } from '../contract/dataset.ts'
import { bytesUnder } from '../library/leftovers.ts'
import type { Library } from '../library/library.ts'
import { Failure, inputFailure } from '../../workers/base/failure.ts'
import { readSealed, writeSealed } from '../../workers/base/output-file.ts'

const PREFIX = '.deleted-'
const NOTE = 'deleted.json'
const KEPT_MS = 30 * 24 * 3_600_000
const LOOK_MS = 3_600_000

const noteSchema = z.object({ row: storedDatasetSchema, runs: z.array(z.string()), until: z.string() })
type Note = z.infer<typeof noteSchema>

interface Kept extends Note {
  /** The folder that holds the note. */
  readonly path: string
}

const claimOn = (folder: string): string => `deletion of ${folder}`

export class Trash {
  readonly #library: Library
  readonly #changed: (removed: readonly RemovedDataset[]) => void
  readonly #timer: NodeJS.Timeout

  /** @param changed receives what is there after each change */
  constructor(library: Library, changed: (removed: readonly RemovedDataset[]) => void) {
    this.#library = library
    this.#changed = changed
    this.#quietly(() => this.#finishOthers())
    this.#expire()
    this.#timer = setInterval(() => this.#expire(), LOOK_MS).unref()
  }

  /** The newest first. */
  list(): RemovedDataset[] {
    return this.#kept()
      .filter(({ until }) => Date.parse(until) > Date.now())
      .map(({ row, runs, until, path }) => ({
        ...{ id: row.id, name: row.name, vertices: row.vertices, bytes: bytesUnder(path), runs, until },
      }))
      .toSorted((a, b) => (a.until < b.until ? 1 : -1))
  }

  /** @returns until when it can be brought back: now where its folder is gone, or the disk has no room for a note */
  put(row: StoredDataset): Date {
    return this.#claimed(row.folder, () => {
      const path = this.#library.datasetFolder(row)
      const until = new Date(Date.now() + KEPT_MS)
      const runs = this.#library.runs.list().filter(({ datasetId }) => datasetId === row.id)
      const isNoted =
        existsSync(path) && this.#note(path, { row, runs: runs.map(({ id }) => id), until: until.toISOString() })
      this.#library.datasets.remove(row.id)
      if (isNoted) renameSync(path, this.#asideOf(row.folder))
      else this.#library.discard(path)
      this.#tell()
      return isNoted ? until : new Date()
    })
  }

  /** @throws Failure (input) when it is not here, or its name is taken */
  restore(
    id: number,
    name: string | undefined,
  ): { readonly restored: StoredDataset; readonly runs: readonly string[] } {
    const kept = this.#kept().find(({ row, until }) => row.id === id && Date.parse(until) > Date.now())
    if (kept === undefined) throw gone()
    const { row, runs, path } = kept
    return this.#claimed(row.folder, () => {
      const folder = this.#library.datasetFolder(row)
      // Another program may have brought it back meanwhile.
      if (!existsSync(path)) throw gone()
      this.#library.untrash(path, folder)
      try {
        const restored = this.#library.datasets.restore({ ...row, name: name ?? row.name }, runs)
        rmSync(join(folder, NOTE), { force: true })
        this.#tell()
        return { restored, runs }
      } catch (error) {
        renameSync(folder, path)
        throw error
      }
    })
  }

  /** Deletes for good. @param ids absent: all */
  discard(ids?: readonly number[]): void {
    for (const { row, path } of this.#kept()) if (ids?.includes(row.id) !== false) this.#library.discard(path)
    this.#tell()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #asideOf(folder: string): string {
    return this.#library.datasetFolder({ folder: `${PREFIX}${folder}` })
  }

  #claimed<T>(folder: string, work: () => T): T {
    const claim = claimOn(folder)
    if (this.#library.claims.take(claim) !== null) throw gone()
    try {
      return work()
    } finally {
      this.#library.claims.release(claim)
    }
  }

  /** @returns false where nothing can be written, as on a full disk: a deletion makes room there */
  #note(path: string, note: Note): boolean {
    try {
      writeSealed(join(path, NOTE), note)
      return true
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }

  #kept(): readonly Kept[] {
    const parent = join(this.#library.folder, 'datasets')
    if (!existsSync(parent)) return []
    const paths = readdirSync(parent)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => join(parent, name))
    return paths.flatMap((path) => {
      const note = noteSchema.safeParse(readSealed(join(path, NOTE))).data
      return note === undefined ? [] : [{ ...note, path }]
    })
  }

  #expire(): void {
    this.#quietly(() => {
      const parent = join(this.#library.folder, 'datasets')
      const old = this.#kept().filter(({ until }) => Date.parse(until) <= Date.now())
      const known = new Set(this.#kept().map(({ path }) => path))
      // One whose note is damaged has no other date than its own.
      const damaged = readdirSync(parent)
        .filter((name) => name.startsWith(PREFIX) && !known.has(join(parent, name)))
        .map((name) => join(parent, name))
        .filter((path) => Date.now() - statSync(path).ctimeMs > KEPT_MS)
      for (const path of [...old.map((one) => one.path), ...damaged]) this.#library.discard(path)
      if (old.length > 0) this.#tell()
    })
  }

  #finishOthers(): void {
    const parent = join(this.#library.folder, 'datasets')
    const folders = readdirSync(parent).filter((name) => !name.startsWith('.'))
    const noted = folders.filter((name) => existsSync(join(parent, name, NOTE)))
    // Nearly always: then no row of a dataset is read.
    if (noted.length === 0) return
    const owned = new Set(this.#library.datasets.list().map(({ folder }) => folder))
    for (const folder of noted) {
      const path = join(parent, folder)
      if (this.#library.claims.holder(claimOn(folder)) !== null) continue
      if (owned.has(folder)) rmSync(join(path, NOTE), { force: true })
      else renameSync(path, this.#asideOf(basename(path)))
    }
  }

  /** A library that cannot be written now is tidied up another time. */
  #quietly(work: () => void): void {
    try {
      work()
    } catch {
      return
    }
  }

  #tell(): void {
    this.#quietly(() => this.#changed(this.list()))
  }
}

const gone = (): Failure =>
  inputFailure(
    undefined,
    'this dataset cannot be brought back any more',
    'Deleted datasets are kept for thirty days, or until they are deleted for good; import it again.',
  )
