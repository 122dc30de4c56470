/**
 * Files that are written aside and renamed once they are whole, so that a full disk, a kill or two programs leave the old file or the new one:
 * results in the person's own places (permissions stay, links are followed, pipes are written through) and sealed JSON in the library, behind a
 * CRC-32. What dead programs left aside is swept by the next one. file-bytes.ts has the bare reads and writes, sums.ts files with checksums.
 */

import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import { asFailure, atPath, Failure, inputFailure, OTHER_LIBRARY } from './failure.ts'
import { writeFully } from './file-bytes.ts'
import { OUTPUT_UMASK } from './job.ts'

const MOST_LINKS = 40
const NAME_BYTES = 200
/** The engine has others than the command line. */
const ownStream = /^\/dev\/std(?:in|out|err)$|^\/(?:dev|proc\/(?:self|thread-self|\d+))\/fd\/[012]$/

interface OutputPlace {
  /** The path behind all links. */
  readonly path: string
  readonly isStream: boolean
}

/** @throws Failure (input) for a directory, a disk, a socket, a circle of links, or a stream of the program itself */
export function outputPlace(path: string): OutputPlace {
  const end = endOfLinks(path)
  const found = atPath(path, () => statSync(path, { throwIfNoEntry: false }))
  if (found === undefined) return { path: end, isStream: false }
  if (found.isFile()) return { path: realpathSync(path), isStream: false }
  if (found.isFIFO() || found.isCharacterDevice()) return { path, isStream: true }
  const what = found.isDirectory() ? 'a directory' : found.isSocket() ? 'a socket' : 'a disk'
  throw inputFailure(path, `this is ${what}, not a file`, 'Name a file.')
}

/** Works as `atPath`; no other library makes room for a file outside of it. */
function atOutput<T>(path: string, work: () => T): T {
  try {
    return atPath(path, work)
  } catch (error) {
    if (!(error instanceof Failure) || error.fixes?.includes(OTHER_LIBRARY) !== true) throw error
    throw new Failure({ ...error.toValue(), remedy: `${error.remedy} Or write to another disk.`, fixes: undefined })
  }
}

/** Has its name only once it is whole. */
export class OutputFile {
  readonly file: number
  readonly isStream: boolean
  readonly #path: string
  /** undefined for a stream. */
  readonly #aside: string | undefined
  #isOpen = true

  /** @throws Failure as `outputPlace`; (input or storage) as the system says */
  constructor(path: string) {
    const place = outputPlace(path)
    this.#path = place.path
    this.isStream = place.isStream
    this.#aside = place.isStream ? undefined : asidePath(place.path)
    this.file = atOutput(path, () => {
      if (this.#aside === undefined) return openSync(place.path, 'w')
      makeFolders(dirname(place.path), ownMode(0o777))
      sweepAsides(dirname(place.path), shortName(place.path))
      return openSync(this.#aside, 'wx')
    })
  }

  write(bytes: Uint8Array): void {
    atOutput(this.#path, () => writeFully(this.file, bytes, null, this.#path))
  }

  /** @throws Failure (storage) */
  flush(): void {
    if (!this.isStream) atOutput(this.#path, () => fsyncSync(this.file))
  }

  /** Flushes it and gives it its name. @throws Failure (storage) */
  finish(): void {
    atOutput(this.#path, () => {
      if (this.#aside === undefined) return this.#close()
      allowAsBefore(this.file, statSync(this.#path, { throwIfNoEntry: false }))
      fsyncSync(this.file)
      this.#close()
      renameSync(this.#aside, this.#path)
    })
  }

  /** Removes what was written, unless it is finished. */
  discard(): void {
    if (this.#isOpen) this.#close()
    if (this.#aside !== undefined) rmSync(this.#aside, { force: true })
  }

  #close(): void {
    this.#isOpen = false
    closeSync(this.file)
  }
}

export function writeOutput(path: string, content: string | Uint8Array): void {
  const output = new OutputFile(path)
  try {
    output.write(typeof content === 'string' ? Buffer.from(content) : content)
    output.finish()
  } finally {
    output.discard()
  }
}

/** It has its name only once it is whole. @param flushed false: after a loss of power it may be empty @throws Failure (storage) */
export function fillAside(path: string, fill: (file: number) => void, flushed = true): void {
  const aside = asidePath(path)
  try {
    makeFolders(dirname(path))
    const file = openSync(aside, 'wx')
    try {
      fill(file)
      if (flushed) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, path)
  }
}

/**
 * Its like for what takes long. @param fill gets the path that it has for now, and returns false to leave the old file
 * @param beside the folder of that path, on the same disk, where what a kill leaves is swept @throws Failure (storage)
 */
export async function fillAsideSlowly(
  path: string,
  fill: (file: number, aside: string) => Promise<boolean | void>,
  beside: string,
): Promise<void> {
  const aside = join(beside, basename(asidePath(path)))
  try {
    const file = atPath(path, () => openSync(aside, 'wx'))
    let isWhole = false
    try {
      isWhole = (await fill(file, aside)) !== false
      if (isWhole) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    if (isWhole) renameSync(aside, path)
  } catch (error) {
    throw asFailure(error, path)
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Makes names durable; Windows cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export function writeAside(path: string, chunks: Iterable<Uint8Array>, flushed = true): void {
  const write = (file: number): void => {
    for (const chunk of chunks) writeFully(file, chunk, null, path)
  }
  fillAside(path, write, flushed)
}

/** The name tells whether the process that writes is alive. */
const asidePath = (path: string): string =>
  join(dirname(path), `${shortName(path)}.partial-${process.pid}-${Math.random().toString(36).slice(2)}`)

const shortName = (path: string): string => shortened(basename(path), NAME_BYTES)

/** Removes what dead programs wrote aside. @param of the name of a file; absent: any */
export function sweepAsides(folder: string, of?: string): void {
  for (const name of readdirSync(folder)) {
    const [, whole, pid] = /^(.*)\.partial-(\d+)(?:-|$)/.exec(name) ?? []
    if (pid !== undefined && (of === undefined || whole === of) && isGone(Number(pid)))
      rmSync(join(folder, name), { force: true })
  }
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

/** @throws Failure (input) */
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

/** undefined where the person's own mask is that of this process. */
function ownMode(mode: number): number | undefined {
  const mask = process.env[OUTPUT_UMASK]
  return mask === undefined ? undefined : mode & ~Number(mask)
}

/** Gives a file the permissions of the one that it replaces. */
function allowAsBefore(file: number, before: Stats | undefined): void {
  const mode = before === undefined ? ownMode(0o666) : before.mode & 0o777
  if (mode === undefined) return
  try {
    fchmodSync(file, mode)
  } catch {
    // Some file systems know no such thing.
  }
}

/**
 * Node's own `recursive` never returns below /proc. @param mode whatever the mask is @throws Error as the system says
 */
export function makeFolders(path: string, mode?: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(path)
  if (parent !== path) makeFolders(parent, mode)
  try {
    mkdirSync(path)
    if (mode !== undefined) chmodSync(path, mode)
  } catch (error) {
    const found = statSync(path, { throwIfNoEntry: false })
    // Another program was faster.
    if (found?.isDirectory() === true) return
    throw found === undefined
      ? error
      : Object.assign(new Error(`ENOTDIR: not a directory, ${path}`), { code: 'ENOTDIR' })
  }
}

/** Whole characters, at most so many bytes. File systems take 255. */
export function shortened(name: string, bytes: number, keep: 'end' | 'beginning' = 'end'): string {
  const characters = [...name]
  for (let left = Buffer.byteLength(name); left > bytes;)
    left -= Buffer.byteLength((keep === 'end' ? characters.shift() : characters.pop()) ?? '')
  return characters.join('')
}

const SEAL_DIGITS = 8

/** Stores JSON behind a line with its CRC-32. @param flushed as {@link fillAside} has it; then there is nothing @throws Failure (storage) */
export function writeSealed(path: string, value: unknown, flushed = true): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  writeAside(path, [Buffer.from(`${sealOf(text)}\n${text}`)], flushed)
}

/** Skips a write to a library that cannot be written: its next use makes anew what is written. */
export function whereWritable(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** undefined where there is nothing, or not what was written. */
export function readSealed(path: string): unknown {
  try {
    const file = readFileSync(path, 'utf8')
    const text = file.slice(SEAL_DIGITS + 1)
    return file.startsWith(`${sealOf(text)}\n`) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Files of version 0.1 have no seal. */
export function readSealedOrOld(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8')
    return text.startsWith('{') ? JSON.parse(text) : readSealed(path)
  } catch {
    return undefined
  }
}

const sealOf = (text: string): string => crc32(text).toString(16).padStart(SEAL_DIGITS, '0')
