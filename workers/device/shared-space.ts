const PAGE_BYTES = 1 << 16

/** Words that threads share, in a memory of their own where kernels in WebAssembly can see them. */
export interface SharedWords {
  readonly array: Uint32Array
  /** undefined: no memory can have so many, or has them now. */
  readonly memory: WebAssembly.Memory | undefined
}

export function shareWords(words: number): SharedWords {
  const pages = Math.max(1, Math.ceil((4 * words) / PAGE_BYTES))
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
    return { array: new Uint32Array(memory.buffer, 0, words), memory }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { array: new Uint32Array(new SharedArrayBuffer(4 * words)), memory: undefined }
  }
}

/** Words in a memory of WebAssembly. */
export interface Place {
  /** Of {@link SharedSpace.memories}. */
  readonly memory: number
  /** Bytes. */
  readonly at: number
  readonly bytes: number
  readonly array: Uint32Array
}

interface Gap {
  readonly memory: number
  readonly at: number
  readonly end: number
  /** Whether some of it was released. */
  readonly isUsed: boolean
}

const MOST_PAGES = 1 << 16
/** Of a cache line. */
const ALIGNMENT = 64

/** Memories of WebAssembly that threads share, as few as hold what is allocated. What is released is used again. */
export class SharedSpace {
  readonly memories: WebAssembly.Memory[] = []
  readonly #foreign = new Set<number>()
  #gaps: Gap[] = []
  /** That is filled. */
  #last = -1

  /** Zeros. @throws RangeError without the memory */
  allocate(words: number): Place {
    const bytes = ALIGNMENT * Math.max(1, Math.ceil((4 * words) / ALIGNMENT))
    const gap = this.#gaps.find(({ at, end }) => end - at >= bytes) ?? this.#grow(bytes)
    const { memory, at } = gap
    this.#gaps = this.#gaps.filter((each) => each !== gap)
    if (gap.end - at > bytes) this.#gaps.push({ ...gap, at: at + bytes })
    const array = new Uint32Array(this.memories[memory]!.buffer, at, words)
    if (gap.isUsed) array.fill(0)
    return { memory, at, bytes, array }
  }

  /** Words of a memory of others. */
  adopt(memory: WebAssembly.Memory, array: Uint32Array): Place {
    const known = this.memories.indexOf(memory)
    const index = known < 0 ? this.memories.push(memory) - 1 : known
    this.#foreign.add(index)
    return { memory: index, at: array.byteOffset, bytes: array.byteLength, array }
  }

  release({ memory, at, bytes }: Place): void {
    if (this.#foreign.has(memory)) return
    const touches = (gap: Gap): boolean => gap.memory === memory && (gap.end === at || gap.at === at + bytes)
    const beside = this.#gaps.filter(touches)
    const from = Math.min(at, ...beside.map((gap) => gap.at))
    const end = Math.max(at + bytes, ...beside.map((gap) => gap.end))
    this.#gaps = [...this.#gaps.filter((gap) => !touches(gap)), { memory, at: from, end, isUsed: true }]
  }

  /** A gap of so many bytes at the end of a memory. */
  #grow(bytes: number): Gap {
    const last = this.#last
    const size = this.memories[last]?.buffer.byteLength ?? 0
    const open = this.#gaps.find(({ memory, end }) => memory === last && end === size)
    const at = open?.at ?? size
    const pages = Math.ceil((at + bytes - size) / PAGE_BYTES)
    if (last < 0 || size / PAGE_BYTES + pages > MOST_PAGES) {
      const initial = Math.ceil(bytes / PAGE_BYTES)
      this.#last = this.memories.push(new WebAssembly.Memory({ initial, maximum: MOST_PAGES, shared: true })) - 1
      return { memory: this.#last, at: 0, end: PAGE_BYTES * initial, isUsed: false }
    }
    this.memories[last]!.grow(pages)
    this.#gaps = this.#gaps.filter((gap) => gap !== open)
    return { memory: last, at, end: size + PAGE_BYTES * pages, isUsed: open?.isUsed ?? false }
  }
}
