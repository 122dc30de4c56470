/**
 * The hash of results starts from 1469598103934665603, not from the standard offset basis of FNV-1a, which has one digit
 * more: the published answers that every result is compared with were made so (docs/decisions/0005-hash-basis.md).
 */
const HASH_BASIS = 0x14650fb0739d0383n
/** The words that are hashed at a time: the memory of the module below. */
const WORDS = 1 << 15

/**
 * A WebAssembly module with `hash(words, h)`: FNV-1a over so many words of its memory, from h on. JavaScript has no 64-bit integers that
 * stay in registers. Assembled from:
 *
 *   (module
 *     (memory (export "memory") 2)
 *     (func (export "hash") (param $words i32) (param $h i64) (result i64) (local $at i32) (local $end i32) (local $w i64)
 *       (local.set $end (i32.shl (local.get $words) (i32.const 2)))
 *       (block $done (loop $next
 *         (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
 *         (local.set $w (i64.load32_u (local.get $at)))
 *         ;; four times, for each byte b of $w from the lowest on:
 *         (local.set $h (i64.mul (i64.xor (local.get $h) b) (i64.const 0x100000001b3)))
 *         (local.set $at (i32.add (local.get $at) (i32.const 4)))
 *         (br $next)))
 *       (local.get $h)))
 */
const MODULE =
  'AGFzbQEAAAABBwFgAn9+AX4DAgEABQMBAAIHEQIGbWVtb3J5AgAEaGFzaAAACn8BfQICfwF+IABBAnQhAwJAA0AgAiADTw0BIAI1AgAhBCABIARC/wGDhUKzg4CAgCB+IQEgASAEQgiIQv8Bg4VCs4OAgIAgfiEBIAEgBEIQiEL/AYOFQrODgICAIH4hASABIARCGIiFQrODgICAIH4hASACQQRqIQIMAAsLIAEL'

interface WordHasher {
  readonly memory: WebAssembly.Memory
  hash(words: number, h: bigint): bigint
}

/**
 * 64-bit FNV-1a over 32-bit little-endian words, as 16 hexadecimal digits: the fingerprint of a set (its member ids
 * ascending) or of a matching (its pairs).
 */
export class WordHash {
  readonly #hasher: WordHasher
  readonly #words: Uint32Array
  #count = 0
  #state = HASH_BASIS

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(MODULE, 'base64')))
    this.#hasher = exports as unknown as WordHasher
    this.#words = new Uint32Array(this.#hasher.memory.buffer, 0, WORDS)
  }

  add(word: number): void {
    if (this.#count === WORDS) this.#flush()
    this.#words[this.#count++] = word
  }

  digits(): string {
    this.#flush()
    return BigInt.asUintN(64, this.#state).toString(16).padStart(16, '0')
  }

  #flush(): void {
    this.#state = this.#hasher.hash(this.#count, this.#state)
    this.#count = 0
  }
}
