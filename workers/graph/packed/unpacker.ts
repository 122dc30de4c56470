/** One thread's unpacking of pieces: the module of unpack.wat, with its memory. */

import type { Wants } from '../../base/byte-source.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { GROUP_BYTES, groupsIn } from './packed-layout.ts'
import { UNPACK } from './unpack-module.ts'

/** Room for a block: raw words of a whole piece with their heads. */
export const MOST_BLOCK_BYTES = PIECE_BYTES + (64 << 10)
/** The place of an unpacked piece, behind the block. */
const WORDS_AT = MOST_BLOCK_BYTES + (64 << 10)

let compiled: WebAssembly.Module | undefined
let own: Unpacker | undefined

export class Unpacker {
  /** The memory of a block, filled before it is unpacked. */
  readonly block: Uint8Array<ArrayBuffer>
  readonly #words: Uint8Array<ArrayBuffer>
  readonly #unpack: (at: number, words: number, out: number) => void

  private constructor() {
    const { exports } = new WebAssembly.Instance((compiled ??= new WebAssembly.Module(Buffer.from(UNPACK, 'base64'))))
    const { buffer } = exports['memory'] as WebAssembly.Memory & { readonly buffer: ArrayBuffer }
    this.block = new Uint8Array(buffer, 0, MOST_BLOCK_BYTES)
    this.#words = new Uint8Array(buffer, WORDS_AT, PIECE_BYTES)
    this.#unpack = exports['unpack'] as (at: number, words: number, out: number) => void
  }

  /** The unpacker of this thread, which nothing else uses until control is given back. */
  static get here(): Unpacker {
    return (own ??= new Unpacker())
  }

  /** Fills a whole piece, or the groups of it that are wanted. @returns false where the block is no block */
  piece(into: Uint8Array, wants?: Wants): boolean {
    const groups = groupsIn(into.length)
    const ends = new Uint32Array(this.block.buffer, 0, groups)
    for (let group = 0, at = 4 * groups; group < groups; at = 4 * ends[group++]!) {
      const begin = group * GROUP_BYTES
      const end = Math.min(into.length, begin + GROUP_BYTES)
      if (wants?.(begin, end) === false) continue
      if (!this.group(at, group, into.length)) return false
      into.set(this.unpacked(begin, end), begin)
    }
    return true
  }

  /** Unpacks a group to its place in the piece. @param at byte of the block where it begins @param bytes of the piece @returns false where it is no group */
  group(at: number, group: number, bytes: number): boolean {
    const begin = group * GROUP_BYTES
    try {
      this.#unpack(at, Math.min(GROUP_BYTES, bytes - begin) / 4, WORDS_AT + begin)
      return true
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) return false
      throw error
    }
  }

  /** Bytes of the piece, as far as its groups are unpacked. */
  unpacked(first: number, end: number): Uint8Array {
    return this.#words.subarray(first, end)
  }
}
