/** One thread's unpacking of pieces: the module of unpack.wat, with its memory. */

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

  /** The bytes of a whole piece, good until the next. @param bytes of the piece @returns undefined where the block is no block */
  piece(bytes: number): Uint8Array | undefined {
    const groups = groupsIn(bytes)
    const ends = new Uint32Array(this.block.buffer, 0, groups)
    for (let group = 0, at = 4 * groups; group < groups; at = 4 * ends[group++]!)
      if (!this.group(at, group, bytes)) return undefined
    return this.#words.subarray(0, bytes)
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
