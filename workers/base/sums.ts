/**
 * Checksums of stored files, by pieces of 1 MiB: CRC-32 to compare while reading, SHA-256 of all pieces as identity. They lie in `F.sums` beside
 * a file F (docs/formats.md, "Checksums"). SumsBuilder adds them up as bytes pass in any order and from several threads, so that a file that was
 * just written need not be read again. checked-file.ts compares them.
 */

import { createHash, type Hash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { bufferOf } from './words.ts'
import { type ByteSource, FileSource } from './byte-source.ts'
import { asFailure, type Failure, inputFailure } from './failure.ts'
import { openFile, readFully } from './file-bytes.ts'
import { type JobContext, throwIfCancelled } from './job.ts'
import { writeAside } from './output-file.ts'

/** The sums of a stored file F, in `F.sums` beside it (docs/formats.md, "Checksums"): CRC-32 to compare, SHA-256 as identity. */
export interface Sums {
  readonly fileBytes: number
  readonly crcs: Uint32Array
  /** SHA-256 of each piece, 32 bytes each. */
  readonly digests: Uint8Array
  /** SHA-256 of the whole file, hexadecimal: the identity of datasets of version 0.1; else null. */
  readonly whole: string | null
  readonly root: string
}

export const PIECE_BYTES = 1 << 20
export const SUMS_SUFFIX = '.sums'
export const DIGEST_BYTES = 32

const MAGIC = 'ACQ.SUMS'
const VERSION = 1
const HEADER_BYTES = 24

export const piecesOf = (fileBytes: number): number => Math.ceil(fileBytes / PIECE_BYTES)

export const pieceBytes = (fileBytes: number, piece: number): number =>
  Math.min(PIECE_BYTES, fileBytes - piece * PIECE_BYTES)

/** An unknown one, 0, is noted in `crcs`, which threads share. */
export function agrees(crcs: Uint32Array, piece: number, crc: number): boolean {
  const known = Atomics.compareExchange(crcs, piece, 0, crc)
  return known === 0 || known === crc
}

export const identityOf = ({ whole, root }: Sums): string => whole ?? root

/** The sums of one thread, for the thread that adds them up. */
export interface SummedPieces {
  readonly pieces: Float64Array
  readonly crcs: Uint32Array
  readonly digests: Uint8Array
}

interface OpenPiece {
  crc: number
  readonly hash: Hash
}

/** Builds sums from bytes as they are written or read, in several sequences. {@link finish} reads what no sequence covers. */
export class SumsBuilder {
  readonly #whole = new Map<number, { readonly crc: number; readonly digest: Uint8Array }>()
  readonly #open = new Map<number, OpenPiece>()

  add(at: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const from = at + done
      const length = Math.min(PIECE_BYTES - (from % PIECE_BYTES), bytes.length - done)
      this.#extend(from, bytes.subarray(done, done + length))
      done += length
    }
  }

  addPiece(piece: number, bytes: Uint8Array): void {
    this.#close(piece, { crc: crc32(bytes), hash: createHash('sha256').update(bytes) })
  }

  /** Has {@link finish} read a piece again. */
  forget(piece: number): void {
    this.#whole.delete(piece)
    for (const end of this.#open.keys()) if (Math.floor((end - 1) / PIECE_BYTES) === piece) this.#open.delete(end)
  }

  missing(fileBytes: number): number[] {
    this.#closeLast(fileBytes)
    return Array.from({ length: piecesOf(fileBytes) }, (_, piece) => piece).filter((piece) => !this.#whole.has(piece))
  }

  get pieces(): SummedPieces {
    const count = this.#whole.size
    const summed = {
      pieces: Float64Array.from(this.#whole.keys()),
      crcs: new Uint32Array(count),
      digests: new Uint8Array(DIGEST_BYTES * count),
    }
    let i = 0
    for (const { crc, digest } of this.#whole.values()) {
      summed.crcs[i] = crc
      summed.digests.set(digest, DIGEST_BYTES * i++)
    }
    return summed
  }

  take({ pieces, crcs, digests }: SummedPieces): void {
    pieces.forEach((piece, i) => {
      const digest = digests.slice(DIGEST_BYTES * i, DIGEST_BYTES * (i + 1))
      this.#whole.set(piece, { crc: crcs[i]!, digest })
    })
  }

  finish(fileBytes: number, read: (at: number, bytes: Uint8Array) => void): Sums {
    const count = piecesOf(fileBytes)
    const crcs = new Uint32Array(count)
    const digests = new Uint8Array(DIGEST_BYTES * count)
    for (const piece of this.missing(fileBytes)) {
      const bytes = new Uint8Array(pieceBytes(fileBytes, piece))
      read(piece * PIECE_BYTES, bytes)
      this.addPiece(piece, bytes)
    }
    for (let piece = 0; piece < count; piece++) {
      const { crc, digest } = this.#whole.get(piece)!
      crcs[piece] = crc
      digests.set(digest, DIGEST_BYTES * piece)
    }
    return sealed({ fileBytes, crcs, digests, whole: null })
  }

  #extend(from: number, part: Uint8Array): void {
    const end = from + part.length
    const open = from % PIECE_BYTES === 0 ? { crc: 0, hash: createHash('sha256') } : this.#open.get(from)
    if (open === undefined) return
    this.#open.delete(from)
    open.crc = crc32(part, open.crc)
    open.hash.update(part)
    if (end % PIECE_BYTES === 0) this.#close(end / PIECE_BYTES - 1, open)
    else this.#open.set(end, open)
  }

  #closeLast(fileBytes: number): void {
    const last = this.#open.get(fileBytes)
    if (last === undefined) return
    this.#open.delete(fileBytes)
    this.#close(Math.floor(fileBytes / PIECE_BYTES), last)
  }

  #close(piece: number, { crc, hash }: OpenPiece): void {
    this.#whole.set(piece, { crc, digest: hash.digest() })
  }
}

/** Stands for a second reading, when every piece was summed as it passed. */
export function neverRead(): never {
  throw new Error('a piece of the file was not summed')
}

export const sealed = (sums: Omit<Sums, 'root'>): Sums => ({ ...sums, root: sha256(body(sums)).toString('hex') })

export function encodeSums(sums: Sums): Uint8Array {
  return Buffer.concat([body(sums), Buffer.from(sums.root, 'hex')])
}

/** @throws Failure (input) for what does not agree with itself */
export function decodeSums(bytes: Uint8Array, path: string): Sums {
  const file = bufferOf(bytes)
  const bodyBytes = file.length - DIGEST_BYTES
  const isOurs =
    bodyBytes >= HEADER_BYTES && file.toString('latin1', 0, 8) === MAGIC && file.readUInt32LE(12) === PIECE_BYTES
  if (!isOurs || !sha256(file.subarray(0, bodyBytes)).equals(file.subarray(bodyBytes))) throw damagedSums(path)
  if (file.readUInt32LE(8) !== VERSION) throw newerSums(path)
  const fileBytes = Number(file.readBigUInt64LE(16))
  const count = piecesOf(fileBytes)
  const digestsAt = HEADER_BYTES + 4 * count
  const wholeAt = digestsAt + DIGEST_BYTES * count
  if (bodyBytes !== wholeAt && bodyBytes !== wholeAt + DIGEST_BYTES) throw damagedSums(path)
  const crcs = Uint32Array.from({ length: count }, (_, i) => file.readUInt32LE(HEADER_BYTES + 4 * i))
  const digests = Uint8Array.from(file.subarray(digestsAt, wholeAt))
  const whole = bodyBytes === wholeAt ? null : file.toString('hex', wholeAt, bodyBytes)
  return { fileBytes, crcs, digests, whole, root: file.toString('hex', bodyBytes) }
}

/** null where there are none. @throws Failure (input) when they are damaged */
export function readSums(path: string): Sums | null {
  // An error that is thrown and caught takes longer than the question.
  if (!existsSync(path)) return null
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw asFailure(error, path)
  }
  return decodeSums(bytes, path)
}

function body({ fileBytes, crcs, digests, whole }: Omit<Sums, 'root'>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES + 4 * crcs.length)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(VERSION, 8)
  header.writeUInt32LE(PIECE_BYTES, 12)
  header.writeBigUInt64LE(BigInt(fileBytes), 16)
  crcs.forEach((crc, i) => header.writeUInt32LE(crc, HEADER_BYTES + 4 * i))
  return Buffer.concat([header, digests, Buffer.from(whole ?? '', 'hex')])
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function damagedSums(path: string): Failure {
  return inputFailure(
    path,
    'these checksums are damaged',
    'What they belong to cannot be trusted: import the graph again, or repeat the run.',
  )
}

function newerSums(path: string): Failure {
  return inputFailure(path, 'these checksums are of a newer version', 'Use the version of Anticlique that wrote them.')
}

interface SummedFile {
  readonly sums: Sums
  /** SHA-256 of the whole file; null where it was not wanted. */
  readonly whole: string | null
}

/** Sums a file in one pass. @param source of its bytes, which is closed; absent: the file as it is @throws Failure (input) when it is not there; (storage); (cancelled) */
export function sumFile(
  path: string,
  job: JobContext,
  wantsWhole = false,
  source: ByteSource & { readonly bytes: number } = new FileSource(path),
): SummedFile {
  try {
    const size = source.bytes
    const builder = new SumsBuilder()
    const whole = wantsWhole ? createHash('sha256') : null
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size))
    for (let at = 0; at < size; at += PIECE_BYTES) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'checksum', done: at, total: size, unit: 'bytes' })
      const bytes = piece.subarray(0, Math.min(PIECE_BYTES, size - at))
      source.read(bytes, at)
      builder.add(at, bytes)
      whole?.update(bytes)
    }
    const sums = builder.finish(size, (at, bytes) => source.read(bytes, at))
    return { sums, whole: whole?.digest('hex') ?? null }
  } finally {
    source.close()
  }
}

/** Stores the sums of a complete file beside it. @throws Failure (storage) */
export function finishSums(path: string, builder: SumsBuilder): Sums {
  const file = openFile(path, 'r')
  try {
    const sums = builder.finish(fstatSync(file).size, (at, bytes) => readFully(file, bytes, at, path))
    writeSums(`${path}${SUMS_SUFFIX}`, sums)
    return sums
  } finally {
    closeSync(file)
  }
}

export function writeSums(path: string, sums: Sums): void {
  writeAside(path, [encodeSums(sums)])
}
