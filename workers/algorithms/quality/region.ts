import { RegionStates, SLOTS } from './region-states.ts'
import type { Adjacency } from './held-graph.ts'
import type { SwappableSet } from './swappable-set.ts'
import type { Xorshift } from '../../generate/random.ts'

/** Vertices with more neighbours are in no region: their lists would be read again and again. */
const MAX_DEGREE = 64
/** In place of the bits of a vertex: no neighbour of it is decided; one is. */
const UNMET = -1
const MET = -2

/**
 * A largest set of a region, or nearly: the members around it stay, its vertices are decided anew by dynamic programming along a border that sweeps
 * over it. It moves what swaps cannot, many vertices at a time, where the graph is such that borders are short, as of meshes.
 */
export class Region {
  /** In vertices. So many that every other region is solved. */
  static readonly sizes = { least: 64, most: 512, first: 320, growth: 17 / 16 }
  /** Vertices of the region; once it is solved in the order in which they were decided. */
  readonly #ids: number[] = []
  readonly #order: number[] = []
  readonly #joined: Uint8Array
  readonly #starts: Uint32Array
  readonly #targets: Uint32Array
  readonly #states = new RegionStates()
  /** Rounds in which vertices were met last, and their places in the region. */
  readonly #rounds: Uint32Array
  readonly #places: Uint32Array
  #round = 0
  /** Vertices of the region, and those that were left out. */
  #gathered = 0
  /** By place: undecided neighbours, and the vertex's bit, 0 without undecided neighbours. */
  readonly #undecided: Int32Array
  readonly #bits: Int32Array
  /** Places of vertices that are met. */
  readonly #border: number[] = []

  /** @param most vertices of a region */
  constructor({ vertices, starts, targets }: Adjacency, most: number) {
    this.#starts = starts
    this.#targets = targets
    this.#rounds = new Uint32Array(vertices)
    this.#places = new Uint32Array(vertices)
    this.#joined = new Uint8Array(most)
    this.#undecided = new Int32Array(most)
    this.#bits = new Int32Array(most)
  }

  /** A measure of the time that the region took. */
  get work(): number {
    return this.#states.looked + 16 * this.#gathered
  }

  /** The vertices that were decided. */
  get vertices(): readonly number[] {
    return this.#order
  }

  /** Whether the i-th of them is to be a member. */
  isJoined(i: number): boolean {
    return this.#joined[i] === 1
  }

  /**
   * Solves the region of so many vertices around a vertex, but for those next to members outside.
   * @returns members more than there are; undefined: its borders are too long
   */
  solve(set: SwappableSet, centre: number, most: number, random: Xorshift): number | undefined {
    this.#gather(centre, most)
    this.#gathered = this.#ids.length
    this.#leaveOut(set)
    this.#number()
    if (!this.#sweep(random)) return undefined
    let before = 0
    for (const v of this.#ids) if (set.isMember(v)) before++
    return this.#states.finish(this.#joined) - before
  }

  /** Breadth first. */
  #gather(centre: number, most: number): void {
    const ids = this.#ids
    const round = ++this.#round
    ids.length = 0
    if (!this.#isShort(centre)) return
    ids.push(centre)
    this.#rounds[centre] = round
    for (let at = 0; at < ids.length; at++) {
      const end = this.#starts[ids[at]! + 1]!
      for (let i = this.#starts[ids[at]!]!; i < end && ids.length < most; i++) {
        const u = this.#targets[i]!
        if (this.#rounds[u] === round || !this.#isShort(u)) continue
        this.#rounds[u] = round
        ids.push(u)
      }
    }
  }

  #isShort(v: number): boolean {
    return this.#starts[v + 1]! - this.#starts[v]! <= MAX_DEGREE
  }

  #leaveOut(set: SwappableSet): void {
    const ids = this.#ids
    let kept = 0
    for (const v of ids) {
      let isKept = true
      const end = set.isMember(v) ? 0 : this.#starts[v + 1]!
      for (let i = this.#starts[v]!; isKept && i < end; i++) {
        const u = this.#targets[i]!
        isKept = this.#rounds[u] === this.#round || !set.isMember(u)
      }
      if (isKept) ids[kept++] = v
    }
    ids.length = kept
  }

  #number(): void {
    const ids = this.#ids
    const round = ++this.#round
    ids.forEach((v, place) => {
      this.#rounds[v] = round
      this.#places[v] = place
    })
    ids.forEach((v, place) => {
      let undecided = 0
      for (let i = this.#starts[v]!; i < this.#starts[v + 1]!; i++)
        if (this.#rounds[this.#targets[i]!] === round) undecided++
      this.#undecided[place] = undecided
      this.#bits[place] = UNMET
    })
  }

  /** Decides all vertices, from the farthest ones; false where bits do not suffice. */
  #sweep(random: Xorshift): boolean {
    const ids = this.#ids
    const border = this.#border
    border.length = 0
    this.#order.length = 0
    this.#states.begin(random)
    let unused = 2 ** SLOTS - 1
    for (let first = ids.length - 1; this.#order.length < ids.length;) {
      if (border.length === 0) {
        while (this.#bits[first] !== UNMET) first--
        border.push(first)
      }
      const place = border.splice(this.#nextOf(border), 1)[0]!
      this.#order.push(ids[place]!)
      const { around, released } = this.#meet(ids[place]!)
      const own = this.#undecided[place] === 0 ? 0 : unused & -unused
      if (own === 0 && this.#undecided[place]! > 0) return false
      this.#bits[place] = own
      this.#states.decide({ own, around, released })
      unused = (unused & ~own) | released
    }
    return true
  }

  /** The place in the border of the vertex after which the fewest vertices have undecided neighbours; of equals the one that was met first. */
  #nextOf(border: readonly number[]): number {
    let next = 0
    let least = Infinity
    for (let at = 0; at < border.length; at++) {
      const v = this.#ids[border[at]!]!
      let growth = this.#undecided[border[at]!]! > 0 ? 1 : 0
      const end = this.#starts[v + 1]!
      for (let i = this.#starts[v]!; i < end; i++) {
        const u = this.#targets[i]!
        if (this.#rounds[u] !== this.#round) continue
        const place = this.#places[u]!
        if (this.#bits[place]! >= 0 && this.#undecided[place] === 1) growth--
      }
      if (growth >= least) continue
      least = growth
      next = at
    }
    return next
  }

  /** Tells the neighbours of a vertex that it is decided. */
  #meet(v: number): { around: number; released: number } {
    let [around, released] = [0, 0]
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const u = this.#targets[i]!
      if (this.#rounds[u] !== this.#round) continue
      const place = this.#places[u]!
      const left = --this.#undecided[place]!
      const bits = this.#bits[place]!
      if (bits >= 0) {
        around |= bits
        if (left === 0) released |= bits
      } else if (bits === UNMET) {
        this.#bits[place] = MET
        this.#border.push(place)
      }
    }
    return { around, released }
  }
}
