import { MOST_PAGES, PAGE_BYTES } from '../../kernels/kernel.ts'

/** Words that threads share; zeros. */
export const sharedWords = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))

/** Zeros that threads share; undefined: none can have so many bytes, or has them now. */
export function sharedMemory(bytes: number): WebAssembly.Memory | undefined {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES))
  if (pages > MOST_PAGES) return undefined
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Words that threads share, in a memory of their own where kernels in WebAssembly can see them. */
export interface SharedWords {
  readonly array: Uint32Array
  /** The memory, as {@link sharedMemory} has it. */
  readonly memory: WebAssembly.Memory | undefined
}

export function shareWords(words: number): SharedWords {
  const memory = sharedMemory(4 * words)
  return { array: memory === undefined ? sharedWords(words) : new Uint32Array(memory.buffer, 0, words), memory }
}

/** Words of a bitmap. */
export const bitWords = (bits: number): number => Math.ceil(bits / 32)

/** The place of the lowest bit that is set. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

/** How many bits of a word are set. */
export function bitsSet(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Items by group: those of group g are members [starts[g], starts[g + 1]), in their order. */
export interface Groups {
  readonly starts: Uint32Array
  readonly members: Uint32Array
}

/** Groups items by counting. @param groups the group of each item; below `count`, or it is left out */
export function groupedBy(groups: Uint32Array, count: number): Groups {
  const starts = new Uint32Array(count + 1)
  for (const group of groups) if (group < count) starts[group + 1]!++
  for (let group = 0; group < count; group++) starts[group + 1]! += starts[group]!
  const next = starts.slice(0, count)
  const members = new Uint32Array(starts[count]!)
  groups.forEach((group, item) => {
    if (group < count) members[next[group]!++] = item
  })
  return { starts, members }
}

/** Little-endian, in place. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The same bytes as Node has them: it searches many at a time, where other arrays take a nanosecond for each. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Unsigned words, as many as are appended: four bytes each, where an array of numbers takes eight. */
export class WordList {
  length = 0
  /** `length` of them count. */
  values: Uint32Array<ArrayBuffer>

  constructor(capacity = FIRST_WORDS) {
    this.values = new Uint32Array(Math.max(1, capacity))
  }

  push(word: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(2 * this.length)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = word
  }

  pop(): number | undefined {
    return this.length === 0 ? undefined : this.values[--this.length]
  }

  append({ values, length }: WordList): void {
    // Most are short: a view for `set` would cost more.
    for (let i = 0; i < length; i++) this.push(values[i]!)
  }

  /** Valid until the next one is appended. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.values.subarray(0, this.length)
  }

  /** What it had; it is empty then. */
  take(): Uint32Array<ArrayBuffer> {
    const taken = this.words
    this.values = new Uint32Array(FIRST_WORDS)
    this.length = 0
    return taken
  }
}

const FIRST_WORDS = 64
