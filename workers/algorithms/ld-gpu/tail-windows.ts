import type { ViewFile } from '../../graph/view-file.ts'
import type { Trace } from '../../trace.ts'

/** Entries [starts[i], starts[i] + counts[i]) of `entries` are the window of request i. Valid until the next read. */
export interface Windows {
  readonly entries: Uint32Array
  readonly starts: Uint32Array
  readonly counts: Uint32Array
}

/** Of what is read, at most this share again may lie between windows: a few large reads are faster than many small ones. */
const WASTE = 1 / 2
/** Gaps of 2^k entries, for k up to this, are told apart when a limit for gaps is chosen. */
const GAP_CLASSES = 24

/** Reads windows of a view's tails for many vertices at once, in as few reads as the waste that is allowed permits. */
export class TailWindows {
  readonly #view: ViewFile
  readonly #trace: Trace
  #entries = new Uint32Array(0)
  #firsts = new Float64Array(0)
  #starts = new Uint32Array(0)
  #counts = new Uint32Array(0)

  constructor(view: ViewFile, trace: Trace) {
    this.#view = view
    this.#trace = trace
  }

  /** @param wanted the window of each request, as entries of the tails; they ascend and do not overlap */
  read(requests: number, wanted: (request: number) => { readonly first: number; readonly count: number }): Windows {
    this.#reserve(requests)
    let needed = 0
    for (let i = 0; i < requests; i++) {
      const { first, count } = wanted(i)
      this.#firsts[i] = first
      this.#counts[i] = count
      needed += count
    }
    const limit = this.#gapLimit(requests, needed)
    this.#trace.span('disk read', 'tails', () => this.#readRuns(requests, limit, needed))
    return { entries: this.#entries, starts: this.#starts, counts: this.#counts }
  }

  /** The largest gap, a power of two, that may be read over so that the waste stays within its share. */
  #gapLimit(requests: number, needed: number): number {
    const gaps = new Float64Array(GAP_CLASSES + 1)
    for (let i = 1; i < requests; i++) {
      const gap = this.#firsts[i]! - this.#firsts[i - 1]! - this.#counts[i - 1]!
      if (gap > 0) gaps[Math.min(GAP_CLASSES, Math.ceil(Math.log2(gap)))]! += gap
    }
    let waste = 0
    let limit = 0
    for (let k = 0; k < GAP_CLASSES; k++) {
      waste += gaps[k]!
      if (waste > WASTE * needed) break
      limit = 2 ** k
    }
    return limit
  }

  #readRuns(requests: number, limit: number, needed: number): void {
    const room = Math.ceil((1 + WASTE) * needed)
    if (this.#entries.length < room) this.#entries = new Uint32Array(Math.ceil(1.5 * room))
    let filled = 0
    for (let i = 0; i < requests;) {
      const first = this.#firsts[i]!
      let end = first
      for (; i < requests && (end === first || this.#firsts[i]! - end <= limit); i++) {
        this.#starts[i] = filled + this.#firsts[i]! - first
        end = this.#firsts[i]! + this.#counts[i]!
      }
      const bytes = new Uint8Array(this.#entries.buffer, 4 * filled, 4 * (end - first))
      this.#view.read(this.#view.header.tails, 4 * first, bytes)
      filled += end - first
    }
  }

  #reserve(requests: number): void {
    if (requests <= this.#starts.length) return
    this.#firsts = new Float64Array(requests)
    this.#starts = new Uint32Array(requests)
    this.#counts = new Uint32Array(requests)
  }
}
