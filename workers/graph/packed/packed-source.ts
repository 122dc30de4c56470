/**
 * The bytes of a canonical graph, unpacked from its packed file as they are read: whole pieces are compared with the CRC-32 of their block first;
 * of other pieces only the groups that are asked for are read and unpacked, as the bytes of a raw file are that are no whole piece. A thread
 * unpacks what it reads; what is read beside the work of a thread that feeds a GPU, other threads unpack. It holds the index of all blocks, 16
 * bytes each, and the last group.
 */

import { closeSync, fstatSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type ByteSource, readBeside, type Wants } from '../../base/byte-source.ts'
import { type Failure, inputFailure } from '../../base/failure.ts'
import { openFile, readFully } from '../../base/file-bytes.ts'
import { processorsHere } from '../../base/host-resources.ts'
import { settleAll } from '../../base/job.ts'
import { PIECE_BYTES, pieceBytes } from '../../base/sums.ts'
import { bytesOf, sharedWords } from '../../base/words.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import {
  unpackedBytes,
  decodeIndex,
  GROUP_BYTES,
  groupsIn,
  HEADER_BYTES,
  indexBytes,
  type PackedIndex,
  piecesIn,
} from './packed-layout.ts'
import { MOST_BLOCK_BYTES, Unpacker } from './unpacker.ts'

/** A smaller graph is unpacked before threads have started. */
const LEAST_BYTES = 64 << 20
const MOST_THREADS = 16
/** Bytes of each of the reads side by side. */
const PART_BYTES = 2 << 20

export class PackedSource implements ByteSource {
  readonly path: string
  readonly verifies = true
  readonly index: PackedIndex
  readonly #file: number
  readonly #leastBytes: number
  /** The ends of the groups of the piece looked at last, in words of its block. */
  #ends = new Uint32Array(0)
  #endsOf = -1
  /** The group that was unpacked last, as most reads of a few bytes follow one another. */
  readonly #kept = new Uint8Array(GROUP_BYTES)
  #keptGroup = -1
  readonly #rooms = new PieceRooms()

  /** @param leastBytes of the graph, from which on threads unpack what is read beside @throws Failure (input) when the file is gone, or its index is not what was written; (storage) */
  constructor(path: string, leastBytes = LEAST_BYTES) {
    this.path = path
    this.#leastBytes = leastBytes
    this.#file = openFile(path, 'r')
    try {
      this.index = this.#readIndex()
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  /** Bytes of the canonical graph. */
  get bytes(): number {
    return this.index.bytes
  }

  read(bytes: Uint8Array, at: number, wants?: Wants): void {
    this.#inPieces(bytes, at, (piece, from, into) => {
      const begin = piece * PIECE_BYTES - at
      const wantsOfPiece: Wants | undefined = wants && ((first, end) => wants(begin + first, begin + end))
      if (into.length === pieceBytes(this.bytes, piece))
        unpackBlock(this.#file, this.#blockOf(piece), into, wantsOfPiece)
      else this.#groups(piece, from, into)
    })
  }

  async readBeside(bytes: Uint8Array, at: number): Promise<void> {
    const parts: (() => void | Promise<void>)[] = []
    this.#inPieces(bytes, at, (piece, from, into) => {
      const isWhole = into.length === pieceBytes(this.bytes, piece)
      parts.push(() => (isWhole ? this.#wholeBeside(piece, into) : this.#groups(piece, from, into)))
    })
    await settleAll(parts.map(async (read) => read()))
  }

  /** Reads blocks as they are, from that of a piece on, in threads of Node's own. @returns which fails as {@link readBeside} of files does */
  blocksBeside(piece: number): (bytes: Uint8Array, at: number) => Promise<void> {
    const first = this.index.positions[piece]!
    return async (bytes, at) => {
      const parts: Promise<void>[] = []
      for (let done = 0; done < bytes.length; done += PART_BYTES)
        parts.push(readBeside(this.#file, bytes.subarray(done, done + PART_BYTES), first + at + done, this.path))
      await settleAll(parts)
    }
  }

  async #wholeBeside(piece: number, into: Uint8Array): Promise<void> {
    if (this.bytes < this.#leastBytes) return unpackBlock(this.#file, this.#blockOf(piece), into)
    const bytes = into.length
    const room = await this.#rooms.take()
    try {
      const task = { file: this.#file, block: this.#blockOf(piece), into: room.subarray(0, bytes) }
      await runInThread<UnpackTask, void>('unpack-piece', task)
      // A lost device takes its staging buffers with it.
      if (into.length < bytes) throw new DOMException('the staging buffer is not mapped', 'OperationError')
      into.set(task.into)
    } finally {
      this.#rooms.give(room)
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #readIndex(): PackedIndex {
    const { size } = fstatSync(this.#file)
    const header = Buffer.alloc(Math.min(size, HEADER_BYTES))
    readFully(this.#file, header, 0, this.path)
    const bytes = unpackedBytes(header)
    const length = bytes === undefined ? Infinity : indexBytes(piecesIn(bytes))
    if (length > size) throw this.#damaged('its header')
    const file = Buffer.alloc(length)
    readFully(this.#file, file, 0, this.path)
    const index = decodeIndex(file, crc32)
    if (index === undefined) throw this.#damaged('its index')
    if (index.positions.at(-1) !== size) throw this.#damaged('its length')
    return index
  }

  #inPieces(bytes: Uint8Array, at: number, each: (piece: number, from: number, into: Uint8Array) => void): void {
    if (at + bytes.length > this.bytes) throw this.#damaged('its length')
    for (let done = 0; done < bytes.length;) {
      const piece = Math.floor((at + done) / PIECE_BYTES)
      const from = at + done - piece * PIECE_BYTES
      const length = Math.min(bytes.length - done, PIECE_BYTES - from)
      each(piece, from, bytes.subarray(done, done + length))
      done += length
    }
  }

  #blockOf(piece: number): PackedBlock {
    const { positions, crcs } = this.index
    const at = positions[piece]!
    return { path: this.path, at, bytes: positions[piece + 1]! - at, crc: crcs[piece]! }
  }

  /** Part of a piece, from its byte `from` on. */
  #groups(piece: number, from: number, into: Uint8Array): void {
    const bytes = pieceBytes(this.bytes, piece)
    const first = Math.floor(from / GROUP_BYTES)
    const end = Math.ceil((from + into.length) / GROUP_BYTES)
    const number = (piece * PIECE_BYTES) / GROUP_BYTES + first
    if (end === first + 1 && number === this.#keptGroup)
      return into.set(this.#kept.subarray(from - first * GROUP_BYTES, from - first * GROUP_BYTES + into.length))
    const ends = this.#endsIn(piece)
    const begin = first === 0 ? ends.length : ends[first - 1]!
    const { here } = Unpacker
    const length = 4 * (ends[end - 1]! - begin)
    const position = this.index.positions[piece]! + 4 * begin
    if (!(length > 0) || position + length > this.index.positions[piece + 1]!) throw this.#damagedPiece(piece)
    readFully(this.#file, here.block.subarray(0, length), position, this.path)
    for (let group = first; group < end; group++) {
      const at = 4 * ((group === 0 ? ends.length : ends[group - 1]!) - begin)
      if (!here.group(at, group, bytes)) throw this.#damagedPiece(piece)
    }
    into.set(here.unpacked(from, from + into.length))
    const last = here.unpacked((end - 1) * GROUP_BYTES, Math.min(bytes, end * GROUP_BYTES))
    this.#kept.set(last)
    this.#keptGroup = number + end - 1 - first
  }

  #endsIn(piece: number): Uint32Array {
    if (piece === this.#endsOf) return this.#ends
    const ends = new Uint32Array(groupsIn(pieceBytes(this.bytes, piece)))
    readFully(this.#file, new Uint8Array(ends.buffer), this.index.positions[piece]!, this.path)
    this.#ends = ends
    this.#endsOf = piece
    return ends
  }

  #damagedPiece(piece: number): Failure {
    return damagedBlock(this.#blockOf(piece))
  }

  #damaged(what: string): Failure {
    return damagedPacked(this.path, what)
  }
}

/** A piece of a packed graph, as its index has it. */
interface PackedBlock {
  readonly path: string
  readonly at: number
  readonly bytes: number
  readonly crc: number
}

interface UnpackTask {
  /** The packed file, which stays open meanwhile. */
  readonly file: number
  readonly block: PackedBlock
  /** The place of the piece, in shared memory. */
  readonly into: Uint8Array
}

/** Unpacks a piece in a thread of its own. */
export function unpackTask({ file, block, into }: UnpackTask): Promise<void> {
  unpackBlock(file, block, into)
  return Promise.resolve()
}

/** Reads a whole piece, of which groups that are not wanted stay as they were. @throws Failure (input) where the block is not what was written; (storage) */
function unpackBlock(file: number, block: PackedBlock, into: Uint8Array, wants?: Wants): void {
  if (block.bytes > MOST_BLOCK_BYTES) throw damagedBlock(block)
  const { here } = Unpacker
  const packed = here.block.subarray(0, block.bytes)
  readFully(file, packed, block.at, block.path)
  if (crc32(packed) !== block.crc || !here.piece(into, wants)) throw damagedBlock(block)
}

const damagedBlock = ({ path, at, bytes }: PackedBlock): Failure =>
  damagedPacked(path, `what stands at the bytes ${at} to ${at + bytes - 1}`)

const damagedPacked = (path: string, what: string): Failure =>
  inputFailure(
    path,
    `${what} is not as it was written`,
    'The packed graph is damaged: import the graph again; check the disk if it happens again.',
  )

/** Shared memory for a piece each, as many as threads may unpack at a time. */
class PieceRooms {
  readonly #free: Uint8Array[] = []
  readonly #waiting: ((room: Uint8Array) => void)[] = []
  #made = 0

  take(): Promise<Uint8Array> {
    const room = this.#free.pop()
    if (room !== undefined) return Promise.resolve(room)
    if (this.#made === Math.min(MOST_THREADS, processorsHere()))
      return new Promise((resolve) => void this.#waiting.push(resolve))
    this.#made++
    return Promise.resolve(bytesOf(sharedWords(PIECE_BYTES / 4)))
  }

  give(room: Uint8Array): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(room)
    else next(room)
  }
}
