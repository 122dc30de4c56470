import { WORD_HASH } from './modules.ts'

/**
 * The hash of results starts from 1469598103934665603, not from the standard offset basis of FNV-1a, which has one digit
 * more: the published answers that every result is compared with were made so (docs/decisions/0005-hash-basis.md).
 */
const HASH_BASIS = 0x14650fb0739d0383n

/** word-hash.wat */
interface Hasher {
  readonly memory: WebAssembly.Memory
  readonly found: WebAssembly.Global<'i32'>
  hashBits(bytes: number, first: bigint, h: bigint): bigint
  hashPairs(vertices: number, first: number, h: bigint): bigint
}

const newHasher = (): Hasher =>
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(WORD_HASH, 'base64'))).exports as unknown as Hasher

const digitsOf = (h: bigint): string => BigInt.asUintN(64, h).toString(16).padStart(16, '0')

/**
 * Number of bits that are set, at most 2^32 - 1, and the fingerprint of a set: 64-bit FNV-1a, as 16 hexadecimal digits, over their
 * indices, ascending, as 32-bit little-endian words.
 * @param pause called now and then; what it throws is thrown
 */
export function hashOfBits(bits: Uint8Array, pause: () => void): { readonly size: number; readonly hash: string } {
  const hasher = newHasher()
  const memory = new Uint8Array(hasher.memory.buffer)
  let state = HASH_BASIS
  for (let at = 0; at < bits.length; at += memory.length) {
    pause()
    const part = bits.subarray(at, at + memory.length)
    const bytes = Math.ceil(part.length / 8) * 8
    memory.set(part)
    memory.fill(0, part.length, bytes)
    state = hasher.hashBits(bytes, 8n * BigInt(at), state)
  }
  return { size: hasher.found.value >>> 0, hash: digitsOf(state) }
}

/**
 * Number of pairs, and the same of a matching: over v, then its mate, by ascending v, of every v that is below its mate.
 * @param mates 2^32 - 1: none. @param pause called now and then; what it throws is thrown
 */
export function hashOfPairs(mates: Uint32Array, pause: () => void): { readonly pairs: number; readonly hash: string } {
  const hasher = newHasher()
  const memory = new Uint32Array(hasher.memory.buffer)
  let state = HASH_BASIS
  for (let first = 0; first < mates.length; first += memory.length) {
    pause()
    const part = mates.subarray(first, first + memory.length)
    memory.set(part)
    state = hasher.hashPairs(part.length, first, state)
  }
  return { pairs: hasher.found.value >>> 0, hash: digitsOf(state) }
}
