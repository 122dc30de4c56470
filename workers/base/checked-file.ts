/**
 * A stored file of which every piece of 1 MiB that a read touches has been compared with its CRC-32 since the file was opened, once for all
 * threads: which pieces were is in shared memory. Damage is a failure with words of its kind of file. A read costs its bytes, rounded up to
 * pieces, the first time. sums.ts has the checksums; graph, labels, tables and tiles are read through it.
 */

import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { asFailure, type Failure, inputFailure } from './failure.ts'
import { readFully } from './file-bytes.ts'
import { quietJob } from './job.ts'
import { whereWritable } from './output-file.ts'
import { agrees, PIECE_BYTES, pieceBytes, readSums, sumFile, type Sums, SUMS_SUFFIX, writeSums } from './sums.ts'

export interface DamageWords {
  readonly what: string
  readonly remedy: string
}

export interface CheckedHandle {
  readonly path: string
  readonly bytes: number
  /** The CRC-32 of each piece, in shared memory; 0: not known yet. */
  readonly crcs: Uint32Array
  /** A bit for each piece, in shared memory. */
  readonly verified: Int32Array
  readonly words: DamageWords
}

/** Every piece that a read touches has been compared with its CRC-32 since the file was opened. */
export class CheckedFile {
  readonly handle: CheckedHandle
  /** The file, for readers that compare checksums themselves. */
  readonly file: number
  /** The piece read last: the rest of it is mostly read next. */
  #kept = new Uint8Array(0)
  #keptPiece = -1

  private constructor(handle: CheckedHandle, file: number) {
    this.handle = handle
    this.file = file
  }

  /** @throws Failure (input) when the file is gone, or has not as many bytes as its sums say */
  static open(path: string, { fileBytes, crcs }: Pick<Sums, 'fileBytes' | 'crcs'>, words: DamageWords): CheckedFile {
    const shared = new Uint32Array(new SharedArrayBuffer(4 * crcs.length))
    shared.set(crcs)
    const verified = new Int32Array(new SharedArrayBuffer(4 * Math.ceil(crcs.length / 32)))
    return CheckedFile.of({ path, bytes: fileBytes, crcs: shared, verified, words })
  }

  /** The file of another thread. @throws Failure likewise */
  static of(handle: CheckedHandle): CheckedFile {
    const { path, bytes, words } = handle
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { size } = fstatSync(file)
      if (size !== bytes)
        throw inputFailure(path, `${words.what}: it has ${size} bytes, and ${bytes} were written`, words.remedy)
      return new CheckedFile(handle, file)
    } catch (error) {
      if (file !== undefined) closeSync(file)
      throw asFailure(error, path)
    }
  }

  get path(): string {
    return this.handle.path
  }

  get bytes(): number {
    return this.handle.bytes
  }

  /**
   * Fills `into`. @throws Failure (input) where the file is damaged, or ends before; (storage) where the disk cannot be
   * read
   */
  readInto(at: number, into: Uint8Array): void {
    if (at + into.length > this.bytes) throw this.damaged(`more was expected behind its ${this.bytes} bytes`)
    for (let done = 0; done < into.length;) {
      const piece = Math.floor((at + done) / PIECE_BYTES)
      const from = at + done - piece * PIECE_BYTES
      const length = Math.min(into.length - done, PIECE_BYTES - from)
      this.#fill(piece, from, into.subarray(done, done + length))
      done += length
    }
  }

  /** @throws Failure likewise */
  read(at: number, bytes: number): Buffer<ArrayBuffer> {
    const into = Buffer.from(new ArrayBuffer(bytes))
    this.readInto(at, into)
    return into
  }

  word(at: number): number {
    return this.read(at, 4).readUInt32LE()
  }

  /** A u64 below 2^53. */
  long(at: number): number {
    return Number(this.read(at, 8).readBigUInt64LE())
  }

  damaged(how = 'it is not what belongs beside the graph'): Failure {
    const { what, remedy } = this.handle.words
    return inputFailure(this.path, `${what}: ${how}`, remedy)
  }

  /** @throws Failure (input) where they differ from what was written */
  verify(piece: number, bytes: Uint8Array): void {
    const { crcs, verified } = this.handle
    if (!agrees(crcs, piece, crc32(bytes))) {
      const first = piece * PIECE_BYTES
      throw this.damaged(`the bytes ${first} to ${first + bytes.length - 1} are not those that were written`)
    }
    Atomics.or(verified, piece >>> 5, 1 << (piece & 31))
  }

  close(): void {
    closeSync(this.file)
  }

  #fill(piece: number, from: number, into: Uint8Array): void {
    const first = piece * PIECE_BYTES
    const whole = pieceBytes(this.bytes, piece)
    if (piece === this.#keptPiece) into.set(this.#kept.subarray(from, from + into.length))
    else if (this.#isVerified(piece)) readFully(this.file, into, first + from, this.path)
    else if (into.length === whole) {
      readFully(this.file, into, first, this.path)
      this.verify(piece, into)
    } else {
      this.#keptPiece = -1
      if (this.#kept.length < whole) this.#kept = new Uint8Array(whole)
      const kept = this.#kept.subarray(0, whole)
      readFully(this.file, kept, first, this.path)
      this.verify(piece, kept)
      this.#keptPiece = piece
      into.set(kept.subarray(from, from + into.length))
    }
  }

  #isVerified(piece: number): boolean {
    return ((Atomics.load(this.handle.verified, piece >>> 5) >>> (piece & 31)) & 1) === 1
  }
}

const SIDE_DAMAGE: DamageWords = { what: 'the file is damaged', remedy: 'Import the graph again.' }

/**
 * A file beside the graph; null for none. @param isSound of a file of version 0.1, which has no sums @throws Failure
 * (input) when it is damaged, or only its sums are left; (storage)
 */
export function openSideFile(path: string, words = SIDE_DAMAGE, isSound = (): boolean => true): CheckedFile | null {
  const sumsPath = `${path}${SUMS_SUFFIX}`
  const stored = readSums(sumsPath)
  if (!existsSync(path)) {
    if (stored === null) return null
    throw inputFailure(path, 'the file is gone, and its checksums are there', words.remedy)
  }
  if (stored !== null) return CheckedFile.open(path, stored, words)
  if (!isSound()) throw inputFailure(path, words.what, words.remedy)
  const { sums } = sumFile(path, quietJob)
  whereWritable(() => writeSums(sumsPath, sums))
  return CheckedFile.open(path, sums, words)
}
