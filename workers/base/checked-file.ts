/**
 * A stored file of which every piece of 1 MiB that a read touches has been compared with its CRC-32 since the file was opened, once for all
 * threads: which pieces were is in shared memory. Damage is a failure with words of its kind of file. A read costs its bytes, rounded up to
 * pieces, the first time. sums.ts has the checksums; graph, labels, tables and tiles are read through it.
 */

import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type ByteSource, FileSource } from './byte-source.ts'
import { type Failure, inputFailure } from './failure.ts'
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

/** What small reads need of a file, or of its bytes in memory. */
export type SmallReads = Pick<CheckedFile, 'bytes' | 'read' | 'long' | 'damaged'>

/** Bytes that are read and compared in the time of one small read. */
const BYTES_A_READ = 4096

type OpenSource = (path: string) => ByteSource & { readonly bytes: number }

/** Every piece that a read touches has been compared with its CRC-32 since the file was opened. */
export class CheckedFile {
  readonly handle: CheckedHandle
  /** The bytes, for readers that compare checksums themselves. */
  readonly source: ByteSource
  /** The piece read last: the rest of it is mostly read next. */
  #kept = new Uint8Array(0)
  #keptPiece = -1

  private constructor(handle: CheckedHandle, source: ByteSource) {
    this.handle = handle
    this.source = source
  }

  /** @param open absent: the file as it is @throws Failure (input) when the file is gone, or has not as many bytes as its sums say */
  static open(
    path: string,
    { fileBytes, crcs }: Pick<Sums, 'fileBytes' | 'crcs'>,
    words: DamageWords,
    open?: OpenSource,
  ): CheckedFile {
    const shared = new Uint32Array(new SharedArrayBuffer(4 * crcs.length))
    shared.set(crcs)
    const verified = new Int32Array(new SharedArrayBuffer(4 * Math.ceil(crcs.length / 32)))
    return CheckedFile.of({ path, bytes: fileBytes, crcs: shared, verified, words }, open)
  }

  /** The file of another thread. @throws Failure likewise */
  static of(handle: CheckedHandle, open: OpenSource = (path) => new FileSource(path)): CheckedFile {
    const { path, bytes, words } = handle
    const source = open(path)
    const found = source.bytes
    if (found === bytes) return new CheckedFile(handle, source)
    source.close()
    throw inputFailure(path, `${words.what}: it has ${found} bytes, and ${bytes} were written`, words.remedy)
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
    this.#requireWithin(at + into.length)
    for (let done = 0; done < into.length;) {
      const piece = Math.floor((at + done) / PIECE_BYTES)
      const from = at + done - piece * PIECE_BYTES
      const length = Math.min(into.length - done, PIECE_BYTES - from)
      this.#fill(piece, from, into.subarray(done, done + length))
      done += length
    }
  }

  /**
   * Fills `room` with the bytes [at, end), the first at its place in its piece. Of several readers that share a file out each compares the pieces that
   * end with its bytes, and reads them whole for that: no piece is compared twice.
   * @param isLast whether no reader has what follows
   * @throws Failure likewise
   */
  readShare(at: number, end: number, room: Uint8Array, isLast: boolean): void {
    this.#requireWithin(end)
    const origin = at - (at % PIECE_BYTES)
    for (let from = at, stop; from < end; from = stop) {
      const piece = Math.floor(from / PIECE_BYTES)
      const first = piece * PIECE_BYTES
      const pieceEnd = first + pieceBytes(this.bytes, piece)
      stop = Math.min(end, pieceEnd)
      const isCompared = (stop === pieceEnd || isLast) && !this.#isVerified(piece)
      const bytes = isCompared
        ? room.subarray(first - origin, pieceEnd - origin)
        : room.subarray(from - origin, stop - origin)
      this.source.read(bytes, isCompared ? first : from)
      if (isCompared) this.#compare(piece, bytes)
    }
  }

  /** @throws Failure likewise */
  read(at: number, bytes: number): Buffer<ArrayBuffer> {
    const into = Buffer.from(new ArrayBuffer(bytes))
    this.readInto(at, into)
    return into
  }

  /** The same for so many small reads to come: from memory, where the whole file is read in less time than they take. @throws Failure likewise */
  forReads(reads: number): SmallReads {
    const { bytes } = this
    if (bytes > BYTES_A_READ * reads) return this
    const all = this.read(0, bytes)
    const read = (at: number, length: number): Buffer<ArrayBuffer> => {
      this.#requireWithin(at + length)
      return all.subarray(at, at + length)
    }
    const long = (at: number): number => Number(read(at, 8).readBigUInt64LE())
    return { bytes, read, long, damaged: (how) => this.damaged(how) }
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
    if (!agrees(this.handle.crcs, piece, crc32(bytes))) {
      const first = piece * PIECE_BYTES
      throw this.damaged(`the bytes ${first} to ${first + bytes.length - 1} are not those that were written`)
    }
    this.#setVerified(piece)
  }

  close(): void {
    this.source.close()
  }

  #requireWithin(end: number): void {
    if (end > this.bytes) throw this.damaged(`more was expected behind its ${this.bytes} bytes`)
  }

  #fill(piece: number, from: number, into: Uint8Array): void {
    const first = piece * PIECE_BYTES
    const whole = pieceBytes(this.bytes, piece)
    if (piece === this.#keptPiece) into.set(this.#kept.subarray(from, from + into.length))
    else if (this.#isVerified(piece)) this.source.read(into, first + from)
    else if (into.length === whole) {
      this.source.read(into, first)
      this.#compare(piece, into)
    } else {
      this.#keptPiece = -1
      if (this.#kept.length < whole) this.#kept = new Uint8Array(whole)
      const kept = this.#kept.subarray(0, whole)
      this.source.read(kept, first)
      this.#compare(piece, kept)
      this.#keptPiece = piece
      into.set(kept.subarray(from, from + into.length))
    }
  }

  #compare(piece: number, bytes: Uint8Array): void {
    if (this.source.verifies) this.#setVerified(piece)
    else this.verify(piece, bytes)
  }

  #setVerified(piece: number): void {
    Atomics.or(this.handle.verified, piece >>> 5, 1 << (piece & 31))
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
