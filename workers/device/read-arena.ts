/** Regions start at multiples of this: a cache line. */
const ALIGN_BYTES = 64

interface Region {
  readonly job: number
  readonly start: number
  readonly end: number
}

/** Where a job's bytes go, and how many jobs must have been given back before they may be written there. */
export interface Place {
  readonly at: number
  readonly after: number
}

/** Bytes that a job of this size takes. */
export const arenaBytesOf = (bytes: number): number => ALIGN_BYTES * Math.ceil(bytes / ALIGN_BYTES)

/**
 * Plans a ring of memory for jobs of different sizes, which are filled by several threads, used in order and given back in order.
 * Every job gets one region, never broken at the end of the ring. The plan depends on nothing but the sizes.
 */
export class ReadArena {
  readonly #bytes: number
  #cursor = 0
  #jobs = 0
  /** Never falls: whoever is placed over the rest of a region waits for its job as well. */
  #after = 0
  /** What was placed and not placed over since, oldest first. */
  #regions: Region[] = []

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** The place of the next job. @throws Error when the arena is smaller */
  place(bytes: number): Place {
    const size = arenaBytesOf(bytes)
    if (size > this.#bytes) throw new Error(`${bytes} bytes do not fit into an arena of ${this.#bytes}`)
    const at = this.#cursor + size <= this.#bytes ? this.#cursor : 0
    const last = this.#regions.findLastIndex(({ start, end }) => start < at + size && at < end)
    // Jobs are given back in order: those before the last one in the way will be gone too.
    if (last >= 0) this.#after = Math.max(this.#after, this.#regions[last]!.job + 1)
    this.#regions.splice(0, last + 1)
    this.#regions.push({ job: this.#jobs++, start: at, end: at + size })
    this.#cursor = at + size
    return { at, after: this.#after }
  }
}
