/**
 * The bytes of a canonical graph, unpacked from its packed file as they are read: whole pieces are compared with the CRC-32 of their block first;
 * of other pieces only the groups that are asked for are read and unpacked, as the bytes of a raw file are that are no whole piece. A thread
 * unpacks what it reads. It holds the index of all blocks, 16 bytes each, and the last group.
 */

import { closeSync, fstatSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type ByteSource, readBeside } from '../../base/byte-source.ts'
import { type Failure, inputFailure } from '../../base/failure.ts'
import { openFile, readFully } from '../../base/file-bytes.ts'
import { settleAll } from '../../base/job.ts'
import { PIECE_BYTES, pieceBytes } from '../../base/sums.ts'
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

export class PackedSource implements ByteSource {
  readonly path: string
  readonly verifies = true
  readonly index: PackedIndex
  readonly #file: number
  /** The ends of the groups of the piece looked at last, in words of its block. */
  #ends = new Uint32Array(0)
  #endsOf = -1
  /** The group that was unpacked last, as most reads of a few bytes follow one another. */
  readonly #kept = new Uint8Array(GROUP_BYTES)
  #keptGroup = -1

  /** @throws Failure (input) when the file is gone, or its index is not what was written; (storage) */
  constructor(path: string) {
    this.path = path
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

  read(bytes: Uint8Array, at: number): void {
    this.#inPieces(bytes, at, (piece, from, into) => {
      if (into.length === pieceBytes(this.bytes, piece)) this.#wholePiece(piece, into)
      else this.#groups(piece, from, into)
    })
  }

  async readBeside(bytes: Uint8Array, at: number): Promise<void> {
    const whole: (() => Promise<void>)[] = []
    this.#inPieces(bytes, at, (piece, from, into) => {
      whole.push(async () => {
        if (into.length < pieceBytes(this.bytes, piece)) return this.#groups(piece, from, into)
        const { positions } = this.index
        const block = new Uint8Array(positions[piece + 1]! - positions[piece]!)
        await readBeside(this.#file, block, positions[piece]!, this.path)
        // Of a lost device.
        if (into.length === 0) throw new DOMException('the staging buffer is not mapped', 'OperationError')
        Unpacker.here.block.set(block)
        this.#unpack(piece, block.length, into)
      })
    })
    await settleAll(whole.map((read) => read()))
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

  #wholePiece(piece: number, into: Uint8Array): void {
    const { positions } = this.index
    const length = positions[piece + 1]! - positions[piece]!
    if (length > MOST_BLOCK_BYTES) throw this.#damagedPiece(piece)
    readFully(this.#file, Unpacker.here.block.subarray(0, length), positions[piece]!, this.path)
    this.#unpack(piece, length, into)
  }

  /** What is in the memory of the unpacker. */
  #unpack(piece: number, length: number, into: Uint8Array): void {
    const { here } = Unpacker
    const isSound = crc32(here.block.subarray(0, length)) === this.index.crcs[piece]
    const words = isSound ? here.piece(into.length) : undefined
    if (words === undefined) throw this.#damagedPiece(piece)
    into.set(words)
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
    const { positions } = this.index
    return this.#damaged(`what stands at the bytes ${positions[piece]} to ${positions[piece + 1]! - 1}`)
  }

  #damaged(what: string): Failure {
    return inputFailure(
      this.path,
      `${what} is not as it was written`,
      'The packed graph is damaged: import the graph again; check the disk if it happens again.',
    )
  }
}
