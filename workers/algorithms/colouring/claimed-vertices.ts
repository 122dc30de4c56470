import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { shouldStop } from '../../threads/barrier.ts'
import type { SharedColouring, SharedLists } from './shared-colouring.ts'

/** Vertices that a thread claims at a time: few while they wait for each other, then as many as a share of those before them. */
const LEAST_CLAIM = 4
const MOST_CLAIM = 1024
const CLAIM_SHARE = 1 << 12
/** Claims between two looks at the clock. */
const CLAIMS = 16
/** How often a thread looks for a colour before it parks for a while. */
const LOOKS = 2000
const PARK_MS = 1

/**
 * Colours the vertices that this thread claims. A predecessor without a colour is of an earlier band, so that another thread has it at this
 * moment, which is waited for; or of the same, and is coloured first: two threads give a vertex the same colour.
 */
export class ClaimedVertices {
  readonly #shared: SharedColouring
  readonly #lists: SharedLists
  readonly #bandOf: Uint32Array
  readonly #total: number
  readonly #control: Int32Array
  /** Of each colour the last visit that saw it. */
  #seen = new Float64Array(1024)
  #visit = 0
  /** Vertices that wait for the next one, and where in their lists. */
  readonly #stack: number[] = []
  readonly #places: number[] = []

  /** @param total vertices of the order @param control of the workers */
  constructor(shared: SharedColouring, lists: SharedLists, total: number, control: Int32Array) {
    this.#shared = shared
    this.#lists = lists
    this.#bandOf = lists.bands.ofKey
    this.#total = total
    this.#control = control
  }

  get left(): number {
    return Math.max(0, this.#total - Atomics.load(this.#lists.claimed, 0))
  }

  /** For a while. @returns whether there are more */
  colourSome(untilMs: number): boolean {
    const { claimed, order } = this.#lists
    const { colours } = this.#shared
    do {
      for (let i = 0; i < CLAIMS; i++) {
        const wanted = Math.min(MOST_CLAIM, Math.max(LEAST_CLAIM, Math.floor(Atomics.load(claimed, 0) / CLAIM_SHARE)))
        const first = Atomics.add(claimed, 0, wanted)
        if (first >= this.#total) return false
        const end = Math.min(this.#total, first + wanted)
        for (let at = first; at < end; at++) if (colours[order[at]!] === UNCOLOURED) this.#colour(order[at]!)
      }
    } while (performance.now() < untilMs)
    return true
  }

  #colour(vertex: number): void {
    const [stack, places] = [this.#stack, this.#places]
    const { starts } = this.#lists
    let v = vertex
    let at = this.#see(v, starts[v]!)
    for (;;) {
      if (at < 0) {
        if (stack.length === 0) return
        v = stack.pop()!
        // What was seen of its list is forgotten; most of the rest has its colour.
        at = this.#next(v, places.pop()!)
        if (at < 0) at = this.#see(v, starts[v]!)
      } else {
        stack.push(v)
        places.push(at)
        v = this.#lists.predecessors[at]!
        at = this.#see(v, starts[v]!)
      }
    }
  }

  /** The place of the next predecessor, from one on, that has to be coloured first; -1: of none. */
  #next(v: number, from: number): number {
    const { predecessors, ends } = this.#lists
    const { colours } = this.#shared
    for (let at = from; at < ends[v]!; at++) {
      const u = predecessors[at]!
      if (colours[u] === UNCOLOURED && !this.#isAwaited(u, v)) return at
    }
    return -1
  }

  /** Colours a vertex unless one of its predecessors has to be coloured first. @returns the place of that one; -1: of none */
  #see(v: number, start: number): number {
    const { predecessors, ends } = this.#lists
    const { colours } = this.#shared
    const end = ends[v]!
    const visit = ++this.#visit
    let seen = this.#seen
    for (let at = start; at < end; at++) {
      const u = predecessors[at]!
      let colour = colours[u]!
      if (colour === UNCOLOURED) {
        if (!this.#isAwaited(u, v)) return at
        colour = colours[u]!
      }
      if (colour >= seen.length) seen = this.#grow(colour)
      seen[colour] = visit
    }
    let colour = 0
    while (seen[colour] === visit) colour++
    colours[v] = colour
    return -1
  }

  /** Waits for the colour of a vertex of an earlier band. @returns whether it is one */
  #isAwaited(u: number, v: number): boolean {
    const { keys, colours } = this.#shared
    if (this.#bandOf[keys[u]!] === this.#bandOf[keys[v]!]) return false
    for (let i = 0; Atomics.load(colours, u) === UNCOLOURED; i++) {
      if (i < LOOKS) continue
      throwIfCancelled({ aborted: shouldStop(this.#control) })
      Atomics.wait(new Int32Array(colours.buffer), u, UNCOLOURED | 0, PARK_MS)
    }
    return true
  }

  #grow(colour: number): Float64Array<ArrayBuffer> {
    const larger = new Float64Array(2 * (colour + 1))
    larger.set(this.#seen)
    this.#seen = larger
    return larger
  }
}
