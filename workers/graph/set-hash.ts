import { WORD_HASH } from './modules.ts'

/**
 * The hash of results starts from 1469598103934665603, not from the standard offset basis of FNV-1a, which has one digit
 * more: the published answers that every result is compared with were made so (docs/decisions/0005-hash-basis.md).
 */
const HASH_BASIS = 0x14650fb0739d0383n

/** word-hash.wat */
interface Hasher {
  readonly memory: WebAssembly.Memory
  readonly members: WebAssembly.Global<'i32'>
  hashWords(words: number, h: bigint): bigint
  hashBits(bytes: number, first: bigint, h: bigint): bigint
}

const newHasher = (): Hasher =>
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(WORD_HASH, 'base64'))).exports as unknown as Hasher

const digitsOf = (h: bigint): string => BigInt.asUintN(64, h).toString(16).padStart(16, '0')

/**
 * 64-bit FNV-1a over 32-bit little-endian words, as 16 hexadecimal digits: the fingerprint of a set (its member ids
 * ascending) or of a matching (its pairs).
 */
export class WordHash {
  readonly #hasher = newHasher()
  readonly #words = new Uint32Array(this.#hasher.memory.buffer)
  #count = 0
  #state = HASH_BASIS

  add(word: number): void {
    if (this.#count === this.#words.length) this.#flush()
    this.#words[this.#count++] = word
  }

  digits(): string {
    this.#flush()
    return digitsOf(this.#state)
  }

  #flush(): void {
    this.#state = this.#hasher.hashWords(this.#count, this.#state)
    this.#count = 0
  }
}

/** Number of bits that are set, at most 2^32 - 1, and the hash of their indices, ascending. @param pause called now and then; what it throws is thrown */
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
  return { size: hasher.members.value >>> 0, hash: digitsOf(state) }
}
