/**
 * Exact reductions of the maximum independent set problem on a graph in memory, and peeling (Chang, Li, Zhang: Computing a Near-Maximum
 * Independent Set in Linear Time by Reducing-Peeling, SIGMOD 2017). Decided vertices leave the graph; the degrees of the others are
 * those among themselves.
 * - Degree 0: in.
 * - Domination (section 2): where every neighbour of u, and u, is v or a neighbour of v, v is out. Degree 1, triangles and simplicial vertices
 *   are its cases.
 * - Paths of degree two (section 4, Lemma 4.1): out, or in place of them an edge between their ends.
 * Time and memory are linear in the arcs but for looks at domination, which are bounded.
 * reduced-graph.ts has what is left, set-bounds.ts peels with it.
 */

import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-set.ts'
import { DEPENDENT, PEELED, GraphReduction } from './reduced-graph.ts'
import type { Adjacency } from './in-memory-graph.ts'
import { WordList } from '../../base/words.ts'

/** Neighbours of a vertex that is looked at for others that it dominates. */
const MAX_DEGREE = 12
/** Entries of lists that one such look may scan. */
const MAX_SCANNED = 4096
/** Entries that all of them may, for each entry of the graph and for each vertex that they remove: where they find nothing they would be most of the time. */
const SCANNED_PER_ARC = 2
const SCANNED_PER_FIND = 1024

/** A graph while it is reduced. */
export class Reduction extends GraphReduction {
  readonly #starts: Uint32Array
  readonly #targets: Uint32Array
  /** Vertices whose degree fell to 2 and to MAX_DEGREE at most, each once. */
  readonly #few: WordList
  readonly #some: WordList
  readonly #queued: Uint8Array
  readonly #marks: Uint32Array
  #mark = 0
  /** Vertices that were taken out without proof. */
  peeled = 0
  #scansLeft: number

  /** @param adjacency is changed */
  constructor(adjacency: Adjacency) {
    super(adjacency)
    const { vertices, starts, targets } = adjacency
    this.#starts = starts
    this.#targets = targets
    this.#few = new WordList(vertices)
    this.#some = new WordList(vertices)
    this.#queued = new Uint8Array(vertices)
    this.#marks = new Uint32Array(vertices)
    this.#scansLeft = SCANNED_PER_ARC * targets.length
    for (let v = vertices - 1; v >= 0; v--) this.#queue(v)
  }

  isOpen(v: number): boolean {
    return this.states[v] === OPEN
  }

  /** Takes an open vertex out of the graph that the set may have nevertheless: at most one member is lost. */
  peel(v: number): void {
    this.peeled++
    this.#remove(v, PEELED)
  }

  /** Reduces until nothing changes. @param pause called now and then; what it throws is thrown, and true ends it early */
  run(pause: () => boolean | void): void {
    for (let steps = 0; ; steps++) {
      if ((steps & 0x3ff) === 0 && pause() === true) return
      let v = this.#few.pop()
      if (v !== undefined) {
        if (this.#queued[v] === FEW) this.#visitFew(v)
        continue
      }
      v = this.#some.pop()
      if (v === undefined) return
      if (this.#queued[v] === SOME) this.#visitSome(v)
    }
  }

  #queue(v: number): void {
    const degree = this.degrees[v]!
    const queued = this.#queued[v]!
    if (degree <= 2) {
      if (queued === FEW) return
      this.#queued[v] = FEW
      this.#few.push(v)
    } else if (degree <= MAX_DEGREE && queued === 0) {
      this.#queued[v] = SOME
      this.#some.push(v)
    }
  }

  #visitFew(v: number): void {
    this.#queued[v] = 0
    if (this.states[v] !== OPEN) return
    if (this.degrees[v]! < 2) this.#take(v)
    else this.#reducePath(v)
  }

  #visitSome(u: number): void {
    this.#queued[u] = 0
    if (this.states[u] !== OPEN) return
    const from = this.#starts[u]!
    const degree = this.#clean(u)
    let scanned = 0
    for (let i = from; i < from + degree; i++) scanned += this.lengths[this.#targets[i]!]!
    if (scanned > MAX_SCANNED || scanned > this.#scansLeft) return
    this.#scansLeft -= scanned
    const mark = ++this.#mark
    this.#marks[u] = mark
    for (let i = from; i < from + degree; i++) this.#marks[this.#targets[i]!] = mark
    for (let i = from; i < from + degree; i++) {
      const v = this.#targets[i]!
      if (this.degrees[v]! < degree || !this.#dominates(v, degree, mark)) continue
      this.#scansLeft += SCANNED_PER_FIND
      // u's degree falls: it is queued again.
      this.#remove(v, OUT)
      return
    }
  }

  /** Whether v has `degree` open neighbours that are marked: u and all others of u. */
  #dominates(v: number, degree: number, mark: number): boolean {
    const from = this.#starts[v]!
    const end = from + this.#clean(v)
    let found = 0
    for (let i = from; i < end; i++) if (this.#marks[this.#targets[i]!] === mark) found++
    return found === degree
  }

  #reducePath(v: number): void {
    const path = [v]
    const first = this.#walk(path, v, 0)
    if (first === v) return this.#remove(v, OUT)
    path.reverse()
    const last = this.#walk(path, v, 1)
    const [a, b] = [path[0]!, path[path.length - 1]!]
    if (first === last) return this.#remove(first, OUT)
    const joined = this.#isEdge(first, last)
    if (joined === undefined) return
    if (path.length % 2 === 1) {
      if (joined) {
        this.#remove(first, OUT)
        this.#remove(last, OUT)
      } else if (path.length > 1) {
        this.#leave(path, 1)
        this.#rewire(a, path[1]!, last)
        this.#rewire(last, b, a)
        this.#queue(a)
      }
      return
    }
    this.#leave(path, 0)
    if (joined) {
      for (const end of [first, last]) {
        this.degrees[end]!--
        this.#queue(end)
      }
    } else {
      this.#rewire(first, a, last)
      this.#rewire(last, b, first)
    }
  }

  /**
   * Follows vertices of degree two from v, by its neighbour `side`, and adds them to the path.
   * @returns the vertex behind the path; v itself for a cycle
   */
  #walk(path: number[], v: number, side: 0 | 1): number {
    this.#clean(v)
    let before = v
    let at = this.#targets[this.#starts[v]! + side]!
    while (at !== v && this.degrees[at] === 2) {
      path.push(at)
      this.#clean(at)
      const from = this.#starts[at]!
      const next = this.#targets[from]! === before ? this.#targets[from + 1]! : this.#targets[from]!
      before = at
      at = next
    }
    return at
  }

  /** Undefined where both lists are long. */
  #isEdge(a: number, b: number): boolean | undefined {
    const [u, v] = this.lengths[a]! <= this.lengths[b]! ? [a, b] : [b, a]
    if (this.lengths[u]! > MAX_SCANNED) return undefined
    const from = this.#starts[u]!
    const end = from + this.#clean(u)
    for (let i = from; i < end; i++) if (this.#targets[i] === v) return true
    return false
  }

  /** The path from its vertex `from` on leaves the graph; the one at `from` is decided first. */
  #leave(path: readonly number[], from: number): void {
    for (let i = path.length - 1; i >= from; i--) {
      const v = path[i]!
      const at = this.#starts[v]!
      this.states[v] = DEPENDENT
      for (const word of [v, this.#targets[at]!, this.#targets[at + 1]!]) this.dependents.push(word)
    }
    this.gain += (path.length - from) / 2
  }

  #rewire(v: number, from: number, to: number): void {
    const end = this.#starts[v]! + this.lengths[v]!
    let i = this.#starts[v]!
    while (i < end && this.#targets[i] !== from) i++
    this.#targets[i] = to
  }

  #take(v: number): void {
    this.states[v] = IN
    this.gain++
    const from = this.#starts[v]!
    const end = from + this.#clean(v)
    for (let i = from; i < end; i++) this.#remove(this.#targets[i]!, OUT)
  }

  #remove(v: number, state: number): void {
    if (this.states[v] !== OPEN) return
    this.states[v] = state
    const from = this.#starts[v]!
    const end = from + this.lengths[v]!
    for (let i = from; i < end; i++) {
      const u = this.#targets[i]!
      if (this.states[u] !== OPEN) continue
      this.degrees[u]!--
      if (this.degrees[u]! <= MAX_DEGREE) this.#queue(u)
    }
  }

  /** Drops decided vertices from a list; returns its length, which is the degree. */
  #clean(v: number): number {
    const from = this.#starts[v]!
    const length = this.lengths[v]!
    if (length === this.degrees[v]) return length
    let kept = from
    for (let i = from; i < from + length; i++) {
      const u = this.#targets[i]!
      if (this.states[u] === OPEN) this.#targets[kept++] = u
    }
    this.lengths[v] = kept - from
    return kept - from
  }
}

const FEW = 2
const SOME = 1

/** Vertices that are looked at, spread over the graph, and those of them that suffice. */
const LOOKS = 4096
const ENOUGH = 4

/** Whether reductions find anything in a graph that is worth to number the rest anew. Small graphs are not looked at. */
export function isReducible(adjacency: Adjacency): boolean {
  if (adjacency.vertices < LOOKS) return true
  let found = 0
  for (let i = 0; i < LOOKS && found < ENOUGH; i++)
    if (isReduced(adjacency, Math.floor((i * adjacency.vertices) / LOOKS))) found++
  return found === ENOUGH
}

/** Whether a vertex is reduced: by a degree of 2 at most, or as it dominates a neighbour; see {@link Reduction}. */
function isReduced({ starts, targets }: Adjacency, u: number): boolean {
  const list = targets.subarray(starts[u]!, starts[u + 1]!)
  if (list.length <= 2 || list.length > MAX_DEGREE) return list.length <= 2
  const around = new Set([u, ...list])
  return list.some((v) => {
    const others = targets.subarray(starts[v]!, starts[v + 1]!)
    if (others.length < list.length || others.length > MAX_SCANNED) return false
    let met = 0
    for (const w of others) if (around.has(w)) met++
    return met === list.length
  })
}
