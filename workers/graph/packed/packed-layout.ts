/**
 * The packed form of a canonical graph (docs/formats.md, "Packed graphs"): the bytes of graph.gr by pieces of 1 MiB, each packed by itself into
 * a block with its own CRC-32, behind an index of all blocks. A block has its groups of 4096 words one after another, and where each ends, so
 * that a few lists are read without the rest of the piece. A group is raw words, offsets or lists, some with marks; numbers stand in streams of four
 * widths (pack-piece.ts writes them, unpack.wat reads them). The checksums of graph.gr stay beside it, and its identity is that of these.
 */

import { PIECE_BYTES } from '../../base/sums.ts'

/** The words of a group: the unit of reading. */
export const GROUP_WORDS = 4096
export const GROUP_BYTES = 4 * GROUP_WORDS

const MAGIC = 'ACQ.PACK'
const VERSION = 3
/** Blocks of version 2 have no lists with marks. */
const READ_VERSIONS = [2, VERSION]
/** Magic, version, bytes of a piece, bytes of graph.gr, its identity, words of a group, CRC-32 of header and index. */
export const HEADER_BYTES = 64
const IDENTITY_AT = 24
const IDENTITY_BYTES = 32
const CRC_AT = 60
/** Position of a block (u64), its bytes, its CRC-32. */
const ENTRY_BYTES = 16

/** What the words of a segment are; its head is the kind and, above two bits, the number of words that it stands for. */
export const RAW = 0
export const OFFSETS = 1
export const LISTS = 2
/** Lists in which many neighbours follow one another. */
export const MARKED_LISTS = 3

export interface PackedIndex {
  /** Bytes of the canonical graph. */
  readonly bytes: number
  /** The identity of the canonical graph: the root of its checksums. */
  readonly identity: string
  /** The place where block i begins: [i]; and where the last one ends. */
  readonly positions: Float64Array
  /** The CRC-32 of each block. */
  readonly crcs: Uint32Array
}

export const piecesIn = (bytes: number): number => Math.ceil(bytes / PIECE_BYTES)

/** Groups of a piece of so many bytes. */
export const groupsIn = (bytes: number): number => Math.ceil(bytes / GROUP_BYTES)

export const indexBytes = (pieces: number): number => HEADER_BYTES + ENTRY_BYTES * pieces

/** Header and index of a packed graph. @param crcOf CRC-32 */
export function encodeIndex(index: PackedIndex, crcOf: (bytes: Uint8Array) => number): Uint8Array {
  const { bytes, identity, positions, crcs } = index
  const file = Buffer.alloc(indexBytes(crcs.length))
  file.write(MAGIC, 'latin1')
  file.writeUInt32LE(VERSION, 8)
  file.writeUInt32LE(PIECE_BYTES, 12)
  file.writeBigUInt64LE(BigInt(bytes), 16)
  file.write(identity, IDENTITY_AT, 'hex')
  file.writeUInt32LE(GROUP_WORDS, IDENTITY_AT + IDENTITY_BYTES)
  crcs.forEach((crc, piece) => {
    const at = indexBytes(piece)
    file.writeBigUInt64LE(BigInt(positions[piece]!), at)
    file.writeUInt32LE(positions[piece + 1]! - positions[piece]!, at + 8)
    file.writeUInt32LE(crc, at + 12)
  })
  file.writeUInt32LE(crcOf(file), CRC_AT)
  return file
}

/** The bytes of the canonical graph that a header stands for; undefined where it is no header of a version that is read. */
export function unpackedBytes(header: Buffer): number | undefined {
  const isOurs =
    header.length >= HEADER_BYTES &&
    header.toString('latin1', 0, 8) === MAGIC &&
    READ_VERSIONS.includes(header.readUInt32LE(8)) &&
    header.readUInt32LE(12) === PIECE_BYTES &&
    header.readUInt32LE(IDENTITY_AT + IDENTITY_BYTES) === GROUP_WORDS
  const bytes = isOurs ? Number(header.readBigUInt64LE(16)) : undefined
  return bytes !== undefined && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** @param file header and index @returns undefined where they are not what was written */
export function decodeIndex(file: Buffer, crcOf: (bytes: Uint8Array) => number): PackedIndex | undefined {
  const bytes = unpackedBytes(file)
  if (bytes === undefined || file.length !== indexBytes(piecesIn(bytes))) return undefined
  const pieces = piecesIn(bytes)
  const crc = file.readUInt32LE(CRC_AT)
  const unsealed = Buffer.from(file)
  unsealed.writeUInt32LE(0, CRC_AT)
  if (crcOf(unsealed) !== crc) return undefined
  const words = new Uint32Array(new Uint8Array(file).buffer)
  const positions = new Float64Array(pieces + 1)
  const crcs = new Uint32Array(pieces)
  positions[0] = file.length
  for (let piece = 0; piece < pieces; piece++) {
    const at = indexBytes(piece) / 4
    if (words[at]! + words[at + 1]! * 2 ** 32 !== positions[piece]) return undefined
    positions[piece + 1] = positions[piece]! + words[at + 2]!
    crcs[piece] = words[at + 3]!
  }
  return { bytes, identity: file.toString('hex', IDENTITY_AT, IDENTITY_AT + IDENTITY_BYTES), positions, crcs }
}
