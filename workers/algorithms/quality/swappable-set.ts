import type { Adjacency } from './held-graph.ts'

/** In place of a tightness: of a member, plus the number of its neighbours that have no other. */
const MEMBER = 0x80000000
/** Most members and neighbours of a vertex whose loss is counted; of others it would take longer than it gains. */
const MAX_COUNTED = { members: 4, neighbours: 32 }
/** Vertices that are looked up in a list; for more it is marked. */
const FEW = 6

/**
 * An independent set of a graph in memory, by which members may be swapped for two of their neighbours. In place of the lists of Andrade, Resende
 * and Werneck (2012, section 3.1) a vertex has its tightness, the number of members next to it, and the exclusive or of their ids: of a
 * vertex with one such member that is the member.
 */
export class SwappableSet {
  size = 0
  /** Vertices that may have no member next to them. */
  readonly free: number[] = []
  readonly #starts: Uint32Array
  readonly #targets: Uint32Array
  readonly #vertices: number
  /** Two words a vertex, which are used together: its tightness, or MEMBER; and the exclusive or of the members next to it. */
  readonly #states: Uint32Array
  readonly #marks: Uint32Array
  #mark = 0
  /** Members whose neighbours may have become swappable. */
  readonly #proposed: Uint32Array
  readonly #isProposed: Uint8Array
  #proposals = 0
  readonly #single: number[] = []

  constructor({ vertices, starts, targets }: Adjacency) {
    this.#starts = starts
    this.#targets = targets
    this.#vertices = vertices
    this.#states = new Uint32Array(2 * vertices)
    this.#marks = new Uint32Array(vertices)
    this.#proposed = new Uint32Array(vertices)
    this.#isProposed = new Uint8Array(vertices)
  }

  isMember(v: number): boolean {
    return this.#states[2 * v]! >= MEMBER
  }

  /** Neither a member nor next to one. */
  isFree(v: number): boolean {
    return this.#states[2 * v] === 0
  }

  /** Members next to a vertex outside. */
  tightness(v: number): number {
    return this.#states[2 * v]!
  }

  /** The exclusive or of their ids. */
  around(v: number): number {
    return this.#states[2 * v + 1]!
  }

  clear(): void {
    this.#states.fill(0)
    this.size = 0
    this.forget()
  }

  copyTo(members: Uint8Array): void {
    for (let v = 0; v < this.#vertices; v++) members[v] = this.isMember(v) ? 1 : 0
  }

  /** @param v is free */
  add(v: number): void {
    const targets = this.#targets
    const states = this.#states
    this.size++
    let single = 0
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const at = 2 * targets[i]!
      const tight = states[at]!++
      if (tight === 0) single++
      else if (tight === 1) states[2 * states[at + 1]!]!--
      states[at + 1]! ^= v
    }
    states[2 * v] = MEMBER + single
  }

  /** @param isNoted whether vertices that become free, and members that become swappable, are kept in mind */
  remove(v: number, isNoted: boolean): void {
    const targets = this.#targets
    const states = this.#states
    this.size--
    states[2 * v] = 0
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const u = targets[i]!
      const around = (states[2 * u + 1]! ^= v)
      const left = --states[2 * u]!
      if (left === 1) {
        if (++states[2 * around]! > MEMBER + 1 && isNoted) this.propose(around)
      } else if (left === 0 && isNoted) this.free.push(u)
    }
  }

  /** Members next to a vertex outside, less those that one of their other neighbours may replace where it joins. */
  loss(v: number): number {
    const states = this.#states
    const tight = states[2 * v]!
    const start = this.#starts[v]!
    const isCounted = tight <= MAX_COUNTED.members && this.#starts[v + 1]! - start <= MAX_COUNTED.neighbours
    if (tight === 1 || !isCounted) return tight
    const targets = this.#targets
    let loss = 0
    for (let i = start, left = tight; left > 0; i++) {
      const state = states[2 * targets[i]!]!
      if (state < MEMBER) continue
      if (state === MEMBER) loss++
      left--
    }
    return loss
  }

  propose(v: number): void {
    if (this.#isProposed[v] === 1) return
    this.#isProposed[v] = 1
    this.#proposed[this.#proposals++] = v
  }

  /** The member that was proposed last, or a vertex that is none any more; undefined: there is none. */
  takeProposed(): number | undefined {
    if (this.#proposals === 0) return undefined
    const v = this.#proposed[--this.#proposals]!
    this.#isProposed[v] = 0
    return v
  }

  forget(): void {
    this.free.length = 0
    while (this.takeProposed() !== undefined);
  }

  /** Of the neighbours that have no other member next to them, one and those from the first on that is not adjacent to it; none where all are. */
  replacements(member: number): readonly number[] {
    const single = this.#single
    single.length = 0
    const states = this.#states
    // At least two, and it is a member.
    if (states[2 * member]! <= MEMBER + 1) return single
    const targets = this.#targets
    const end = this.#starts[member + 1]!
    for (let i = this.#starts[member]!; i < end; i++) {
      const u = targets[i]!
      if (states[2 * u] === 1) single.push(u)
    }
    for (let i = 0; i + 1 < single.length; i++) {
      const j = this.#firstApart(i)
      if (j < single.length) return [single[i]!, ...single.slice(j)]
    }
    single.length = 0
    return single
  }

  /** Behind i in the list of single vertices; its length where all are adjacent to the one at i. */
  #firstApart(i: number): number {
    const single = this.#single
    const targets = this.#targets
    const start = this.#starts[single[i]!]!
    const end = this.#starts[single[i]! + 1]!
    let j = i + 1
    if (single.length - j <= FEW) {
      for (; j < single.length; j++) {
        const u = single[j]!
        let at = start
        while (at < end && targets[at] !== u) at++
        if (at === end) break
      }
      return j
    }
    const marks = this.#marks
    const mark = ++this.#mark
    for (let at = start; at < end; at++) marks[targets[at]!] = mark
    while (j < single.length && marks[single[j]!] === mark) j++
    return j
  }
}
