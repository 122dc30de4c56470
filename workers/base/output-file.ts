import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { asFailure, inputFailure } from './failure.ts'
import { writeFully } from './file-bytes.ts'
import { makeFolders, shortened } from './folders.ts'

const MOST_LINKS = 40
/** Leaves room for what is put behind it. */
const NAME_BYTES = 200
/** Streams of the program itself, whatever they lead to: the engine has others than the command line. */
const ownStream = /^\/dev\/std(?:in|out|err)$|^\/(?:dev|proc\/(?:self|thread-self|\d+))\/fd\/[012]$/
/** In the environment: the mask that people's own files are made with, where that of the process is the library's. */
export const OUTPUT_UMASK = 'ANTICLIQUE_OUTPUT_UMASK'

/** Where something goes that a person wants written. */
export interface OutputPlace {
  /** Behind all links: these stay, and what they lead to is replaced. */
  readonly path: string
  /** A pipe, a terminal or another device that takes bytes: it is written to, and never replaced. */
  readonly isStream: boolean
}

/** @throws Failure (input) for a directory, a disk, a socket, a circle of links, or a stream of the program itself */
export function outputPlace(path: string): OutputPlace {
  const end = endOfLinks(path)
  const found = attempt(path, () => statSync(path, { throwIfNoEntry: false }))
  if (found === undefined) return { path: end, isStream: false }
  if (found.isFile()) return { path: realpathSync(path), isStream: false }
  if (found.isFIFO() || found.isCharacterDevice()) return { path, isStream: true }
  const what = found.isDirectory() ? 'a directory' : found.isSocket() ? 'a socket' : 'a disk'
  throw inputFailure(path, `this is ${what}, not a file`, 'Name a file.')
}

/**
 * A file that a person named, while it is written: aside, so that it has its name only once it is whole. What killed programs left
 * of it is taken away.
 */
export class OutputFile {
  readonly file: number
  readonly isStream: boolean
  readonly #path: string
  /** undefined: it is written to where it is. */
  readonly #aside: string | undefined
  #isOpen = true

  /** @throws Failure as `outputPlace`; (input or storage) as the system says */
  constructor(path: string) {
    const place = outputPlace(path)
    this.#path = place.path
    this.isStream = place.isStream
    this.#aside = place.isStream ? undefined : asideOf(place.path)
    this.file = attempt(path, () => {
      if (this.#aside === undefined) return openSync(place.path, 'w')
      makeFolders(dirname(place.path), ownMode(0o777))
      sweep(place.path)
      return openSync(this.#aside, 'wx')
    })
  }

  write(bytes: Uint8Array): void {
    writeFully(this.file, bytes, null, this.#path)
  }

  /** Waits until what was written is on the disk. @throws Failure (storage) */
  flush(): void {
    if (!this.isStream) attempt(this.#path, () => fsyncSync(this.file))
  }

  /** Flushes it and gives it its name. @throws Failure (storage) */
  finish(): void {
    attempt(this.#path, () => {
      if (this.#aside === undefined) return this.#close()
      allowAsBefore(this.file, statSync(this.#path, { throwIfNoEntry: false }))
      fsyncSync(this.file)
      this.#close()
      renameSync(this.#aside, this.#path)
    })
  }

  /** Takes away what was written, unless it is finished. */
  discard(): void {
    if (this.#isOpen) this.#close()
    if (this.#aside !== undefined) rmSync(this.#aside, { force: true })
  }

  #close(): void {
    this.#isOpen = false
    closeSync(this.file)
  }
}

/** Writes a file that a person named. @throws Failure as `OutputFile` */
export function writeOutput(path: string, content: string | Uint8Array): void {
  const output = new OutputFile(path)
  try {
    output.write(typeof content === 'string' ? Buffer.from(content) : content)
    output.finish()
  } finally {
    output.discard()
  }
}

/** What the last of the links names, whether it is there or not. @throws Failure (input) */
function endOfLinks(path: string): string {
  let end = resolve(path)
  for (let links = 0; links <= MOST_LINKS; links++) {
    const folder = found(() => realpathSync(dirname(end))) ?? dirname(end)
    const here = join(folder, basename(end))
    if (ownStream.test(end) || ownStream.test(here))
      throw inputFailure(path, "this is where the program's own answer goes", 'Name a file or a pipe.')
    const link = found(() => readlinkSync(here))
    if (link === undefined) return end
    end = resolve(folder, link)
  }
  throw asFailure(Object.assign(new Error('too many links'), { code: 'ELOOP' }), path)
}

/** undefined where it is not there, or is no link. */
function found(look: () => string): string | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asFailure(error, path)
  }
}

const asidePrefix = (path: string): string => `${shortened(basename(path), NAME_BYTES)}.partial-`

const asideOf = (path: string): string =>
  join(dirname(path), `${asidePrefix(path)}${process.pid}-${Math.random().toString(36).slice(2, 8)}`)

/** Takes away what programs that are gone have half written of this file. */
function sweep(path: string): void {
  const prefix = asidePrefix(path)
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(prefix) && isGone(Number(/^\d+(?=-|$)/.exec(name.slice(prefix.length))?.[0])))
      rmSync(join(dirname(path), name), { force: true })
}

function isGone(pid: number): boolean {
  if (!Number.isSafeInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** What the person's own mask leaves of these permissions; undefined where it is that of this process. */
function ownMode(mode: number): number | undefined {
  const mask = process.env[OUTPUT_UMASK]
  return mask === undefined ? undefined : mode & ~Number(mask)
}

/** A file that takes the place of another may be read by the same people. */
function allowAsBefore(file: number, before: Stats | undefined): void {
  const mode = before === undefined ? ownMode(0o666) : before.mode & 0o777
  if (mode === undefined) return
  try {
    fchmodSync(file, mode)
  } catch {
    // Some file systems know no such thing.
  }
}
