/**
 * Packed pieces on their way to a GPU: blocks are copied as they are in the file, several times fewer bytes than the words, and the GPU unpacks
 * them into the batch (kernels/memory/unpack-groups.wgsl). Some buffers take blocks in turn; a batch takes several of them where its blocks are
 * more than one holds. Here is decided which way is taken: a GPU unpacks where the graph is packed, its plan has the room for blocks, and
 * checksums of the canonical graph are compared there, as those of blocks are not; else processors unpack (graph/packed/packed-source.ts).
 */

import { unpackGroups, unpackThreads } from '../../kernels/memory/unpack-groups.ts'
import { settleAll } from '../base/job.ts'
import { PIECE_BYTES, piecesOf } from '../base/sums.ts'
import {
  allocateBuffers,
  bytesOfBuffers,
  type Device,
  type DeviceBuffer,
  fillWords,
  releaseBuffers,
} from '../device/device.ts'
import { GROUP_BYTES, groupsIn } from '../graph/packed/packed-layout.ts'
import type { PackedSource } from '../graph/packed/packed-source.ts'
import { MOST_BLOCK_BYTES } from '../graph/packed/unpacker.ts'

/** Buffers that take blocks in turn: as many as there are staging buffers. */
const BUFFERS = 4
const MOST_BYTES = 16 << 20

/** Words of each buffer for blocks, as many as the room allows, and bytes of all; 0 where processors unpack. */
export interface BlockRoom {
  readonly packedWords: number
  readonly packedBytes: number
}

/** A buffer that takes blocks. */
interface Slot {
  readonly buffer: DeviceBuffer
  /** What the blocks in it are unpacked by is queued. */
  free: Promise<void>
}

export class DeviceUnpacker {
  readonly #device: Device
  readonly #source: PackedSource
  readonly #buffers: Readonly<Record<string, DeviceBuffer>>
  readonly #slots: readonly Slot[]
  #next = 0

  private constructor(device: Device, source: PackedSource, buffers: Readonly<Record<string, DeviceBuffer>>) {
    this.#device = device
    this.#source = source
    this.#buffers = buffers
    const { blocks: _, ...slots } = buffers
    this.#slots = Object.values(slots).map((buffer) => ({ buffer, free: Promise.resolve() }))
  }

  /** @param roomBytes for all of its buffers */
  static room(roomBytes: number, isPacked: boolean | undefined, fileBytes: number): BlockRoom {
    const least = MOST_BLOCK_BYTES / 4
    const bytesOf = (words: number): number => bytesOfBuffers(DeviceUnpacker.space(words, fileBytes))
    let packedWords = Math.min(MOST_BYTES / 4, piecesOf(fileBytes) * least)
    while (packedWords > least && bytesOf(packedWords) > roomBytes)
      packedWords = Math.max(least, Math.floor(packedWords / 2))
    if (isPacked !== true || bytesOf(packedWords) > roomBytes) packedWords = 0
    return { packedWords, packedBytes: bytesOf(packedWords) }
  }

  /** Words of its buffers. */
  static space(packedWords: number, fileBytes: number): Readonly<Record<string, number>> {
    if (packedWords === 0) return {}
    const slots = Array.from({ length: BUFFERS }, (_, i) => [`blocks ${i}`, packedWords] as const)
    return { ...Object.fromEntries(slots), blocks: piecesOf(fileBytes) + 1 }
  }

  /** @throws Failure (device) without the memory */
  static async open(device: Device, source: PackedSource, packedWords: number): Promise<DeviceUnpacker> {
    const [buffers] = await Promise.all([
      allocateBuffers(device, DeviceUnpacker.space(packedWords, source.bytes)),
      device.prepare([unpackGroups]),
    ])
    // Modulo 2^32.
    await fillWords(
      device,
      buffers['blocks']!,
      Uint32Array.from(source.index.positions, (at) => at / 4),
    )
    return new DeviceUnpacker(device, source, buffers)
  }

  /**
   * Fills bytes of a buffer, from byte `into` on, with those of the canonical graph from a piece's first one on, in whole groups. Launches after the
   * promise has settled see them. @throws Failure (storage), (device)
   */
  async bring(words: DeviceBuffer, bytes: number, at: number, into: number): Promise<void> {
    const { positions } = this.#source.index
    const end = Math.min(this.#source.bytes, GROUP_BYTES * Math.ceil((at + bytes) / GROUP_BYTES))
    if (into + end - at > 4 * words.words) throw new Error(`${words.label} has no room for whole groups`)
    const parts: Promise<void>[] = []
    for (let piece = at / PIECE_BYTES; piece * PIECE_BYTES < end;) {
      const slot = this.#slots[this.#next++ % BUFFERS]!
      const first = piece++
      while (piece * PIECE_BYTES < end && positions[piece + 1]! - positions[first]! <= 4 * slot.buffer.words) piece++
      const count = Math.min(end, piece * PIECE_BYTES) - first * PIECE_BYTES
      const part = { first, end: piece, into: into + first * PIECE_BYTES - at, bytes: count }
      const unpacked = slot.free.then(() => this.#bringPart(slot.buffer, words, part))
      slot.free = unpacked.catch(() => {})
      parts.push(unpacked)
    }
    await settleAll(parts)
  }

  async #bringPart(
    packed: DeviceBuffer,
    words: DeviceBuffer,
    { first, end, into, bytes }: { first: number; end: number; into: number; bytes: number },
  ): Promise<void> {
    const source = this.#source
    const { positions } = source.index
    await this.#device.upload(packed, positions[end]! - positions[first]!, source.blocksBeside(first))
    const last = groupsIn(Math.min(PIECE_BYTES, source.bytes - (end - 1) * PIECE_BYTES))
    const params = { first: into / 4, count: bytes / 4, piece: first, last }
    this.#device.launch(unpackGroups, unpackThreads(bytes / 4), params, {
      packed,
      blocks: this.#buffers['blocks']!,
      words,
    })
  }

  release(): void {
    releaseBuffers(this.#device, this.#buffers)
  }
}
