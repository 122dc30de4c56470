/**
 * A largest independent set of a small graph, by branching: a vertex of many neighbours is in or out, and what is left is reduced (degrees 0 and 1,
 * domination, folding of degree 2: Fomin, Grandoni, Kratsch, Journal of the ACM 56, 2009). A cover by cliques bounds it, less one for each group of
 * cliques that cannot have a member each (Li, Quan, AAAI 2010). Components are solved one by one; lists are rows of bits.
 * Time is exponential: an attempt has so many words to read, counted alike on every machine, and is given up behind them. near-optimal.ts makes
 * one before a search, and by time more of them between its epochs.
 */

import { bitWords, lowestBit } from '../../base/words.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Words that a branch counts for besides those of its graph. */
const WORDS_A_BRANCH = 256
/** Vertices of a clique of which each is assumed to be a member, at most. */
const MOST_TRIED = 5
/** A graph is sparse where every vertex has fewer neighbours than this part of the vertices. */
const SPARSE = 8
/** Branches between two looks at the clock. */
const BRANCHES_A_LOOK = 1 << 6

/** An attempt is given up. */
class WorkSpent extends Error {}

/** Vertices of a component at most, and words of bits that the first attempt may read, roughly. */
const MOST = { vertices: 1 << 10, words: 1 << 21 }
/**
 * An attempt may read so many times as many words as the one before; it is due where those before took this share of the time at most, less where
 * the largest component has more than so many vertices.
 */
const AGAIN = { words: 4, share: 1 / 2, vertices: 256 }

/** Attempts to prove that no set of a graph is larger. */
export class Proofs {
  readonly #parts: readonly (readonly number[])[]
  readonly #adjacency: Adjacency
  readonly #pause: () => boolean
  #words = MOST.words
  #elapsedMs = 0

  /** @param pause called now and then; true ends an attempt */
  constructor(adjacency: Adjacency, pause: () => boolean) {
    this.#adjacency = adjacency
    this.#parts = componentsOf(adjacency).sort((a, b) => a.length - b.length)
    this.#pause = pause
  }

  /** Whether there is time for another attempt. */
  isDue(elapsedMs: number): boolean {
    const { share, vertices } = AGAIN
    return this.#isSmall && this.#elapsedMs <= share * Math.min(1, vertices / this.#largest) ** 2 * elapsedMs
  }

  get #isSmall(): boolean {
    return this.#largest <= MOST.vertices
  }

  /** Vertices of the largest component. */
  get #largest(): number {
    return this.#parts.at(-1)?.length ?? 0
  }

  /** @param members a set, one byte a vertex, which a largest one replaces @returns false: the attempt was given up */
  prove(members: Uint8Array): boolean {
    if (!this.#isSmall) return false
    const startMs = performance.now()
    try {
      members.set(this.#solve(members, new ExactSearch(this.#words, this.#pause)))
      return true
    } catch (error) {
      if (error instanceof WorkSpent) return false
      throw error
    } finally {
      this.#words *= AGAIN.words
      this.#elapsedMs += performance.now() - startMs
    }
  }

  #solve(least: Uint8Array, search: ExactSearch): Uint8Array {
    const { vertices, starts, targets } = this.#adjacency
    const numbers = new Uint32Array(vertices)
    const members = new Uint8Array(vertices)
    for (const part of this.#parts) {
      part.forEach((v, i) => (numbers[v] = i))
      const graph = new BitGraph(part.length)
      part.forEach((v, i) => {
        for (const u of targets.subarray(starts[v], starts[v + 1])) graph.join(i, numbers[u]!)
      })
      const kept = part.filter((v) => least[v] === 1)
      const found = search.solve(graph, kept.length)?.map((i) => part[i]!)
      for (const v of found ?? kept) members[v] = 1
    }
    return members
  }
}

/** The components; only one of those that have more than MOST.vertices where there is one, as a large graph is not looked at as a whole. */
function componentsOf({ vertices, starts, targets }: Adjacency): number[][] {
  const isSeen = new Uint8Array(vertices)
  const parts: number[][] = []
  for (let first = 0; first < vertices; first++) {
    if (isSeen[first] === 1) continue
    isSeen[first] = 1
    const part = [first]
    for (const v of part) {
      if (part.length > MOST.vertices) return [part]
      for (let i = starts[v]!; i < starts[v + 1]!; i++) {
        const u = targets[i]!
        if (isSeen[u] === 1) continue
        isSeen[u] = 1
        part.push(u)
      }
    }
    parts.push(part)
  }
  return parts
}

/** A graph whose lists are rows of bits; vertices leave it. */
class BitGraph {
  readonly vertices: number
  readonly words: number
  readonly rows: Uint32Array
  readonly open: Uint32Array
  readonly degrees: Uint32Array
  /** Vertices whose lists changed since they were looked at. */
  readonly changed: Uint32Array

  constructor(vertices: number) {
    this.vertices = vertices
    this.words = bitWords(vertices)
    this.rows = new Uint32Array(vertices * this.words)
    this.open = new Uint32Array(this.words)
    this.degrees = new Uint32Array(vertices)
    for (let v = 0; v < vertices; v++) this.open[v >>> 5]! |= 1 << (v & 31)
    this.changed = this.open.slice()
  }

  /** The graph of some vertices, in ascending order of their degrees. @param chosen bits */
  part(chosen: Uint32Array): { readonly graph: BitGraph; readonly ids: readonly number[] } {
    const { degrees } = this
    const ids = [...this.idsOf(chosen)].sort((u, v) => degrees[u]! - degrees[v]! || u - v)
    const numbers = new Uint32Array(this.vertices)
    ids.forEach((v, i) => (numbers[v] = i))
    const graph = new BitGraph(ids.length)
    ids.forEach((v, i) => {
      for (let w = 0; w < this.words; w++) {
        let bits = this.rows[v * this.words + w]! & chosen[w]!
        for (; bits !== 0; bits &= bits - 1) graph.join(i, numbers[(w << 5) + lowestBit(bits)]!)
      }
    })
    return { graph, ids }
  }

  *idsOf(chosen: Uint32Array): Generator<number> {
    for (let w = 0; w < this.words; w++)
      for (let bits = chosen[w]!; bits !== 0; bits &= bits - 1) yield (w << 5) + lowestBit(bits)
  }

  rowOf(v: number): Uint32Array {
    return this.rows.subarray(v * this.words, (v + 1) * this.words)
  }

  has(v: number): boolean {
    return ((this.open[v >>> 5]! >>> (v & 31)) & 1) === 1
  }

  /** Makes u a neighbour of v. */
  join(v: number, u: number): void {
    this.rows[v * this.words + (u >>> 5)]! |= 1 << (u & 31)
    this.degrees[v]!++
  }

  remove(v: number): void {
    this.open[v >>> 5]! &= ~(1 << (v & 31))
    const [word, bit] = [v >>> 5, 1 << (v & 31)]
    for (let w = 0; w < this.words; w++)
      for (let bits = this.rows[v * this.words + w]!; bits !== 0; bits &= bits - 1) {
        const u = (w << 5) + lowestBit(bits)
        this.rows[u * this.words + word]! &= ~bit
        this.degrees[u]!--
        this.changed[w]! |= bits & -bits
      }
  }

  /** v, whose neighbours a and b are not adjacent, becomes what stands for a and b together: a set has one more in any case. */
  fold(v: number, a: number, b: number): void {
    const { rows, words } = this
    const joint = this.rowOf(a).map((bits, w) => bits | rows[b * words + w]!)
    joint[v >>> 5]! &= ~(1 << (v & 31))
    this.remove(a)
    this.remove(b)
    this.degrees[v] = 0
    for (const u of this.idsOf(joint)) {
      this.join(v, u)
      this.join(u, v)
      this.changed[u >>> 5]! |= 1 << (u & 31)
    }
    this.changed[v >>> 5]! |= 1 << (v & 31)
  }

  /** Whether all neighbours of v but u are neighbours of u, too. */
  isDominated(u: number, v: number): boolean {
    const { rows, words } = this
    for (let w = 0, i = v * words, j = u * words; w < words; w++, i++, j++) {
      const more = rows[i]! & ~rows[j]!
      if (more !== 0 && (w !== u >>> 5 || more !== 1 << (u & 31))) return false
    }
    return true
  }
}

/** What reductions did: a vertex joined, or one was folded with two others. */
type Step = readonly [number] | readonly [number, number, number]

function undone(steps: readonly Step[], members: Iterable<number>): number[] {
  const set = new Set(members)
  for (const [v, a, b] of steps.toReversed()) {
    if (a === undefined || !set.delete(v)) set.add(v)
    else set.add(a).add(b!)
  }
  return [...set]
}

class ExactSearch {
  readonly #pause: () => boolean
  #left: number
  #branches = 0

  constructor(words: number, pause: () => boolean) {
    this.#left = words
    this.#pause = pause
  }

  /** @param graph is changed @returns a largest set, if it has more than so many members */
  solve(graph: BitGraph, least: number): number[] | undefined {
    const steps: Step[] = []
    let best: number[] | undefined
    let most = least
    for (;;) {
      this.#spend(graph)
      reduce(graph, steps)
      const cover = new CliqueCover(graph)
      const over = steps.length + cover.size - most
      if (over <= 0 || cover.conflicts(over) === over) return best
      if (cover.size === 0) return undone(steps, [])
      const parts = componentsIn(graph)
      if (parts.length > 1) {
        const members = this.#solveParts(graph, parts, most - steps.length)
        return members === undefined ? best : undone(steps, members)
      }
      const v = pivotOf(graph, cover.members, cover.starts[Math.max(0, most - steps.length)]!, cover.starts.at(-1)!)
      const rest = graph.open.slice()
      graph.rowOf(v).forEach((bits, w) => (rest[w]! &= ~bits))
      rest[v >>> 5]! &= ~(1 << (v & 31))
      const { graph: inner, ids } = graph.part(rest)
      const members = this.solve(inner, most - steps.length - 1)
      if (members !== undefined) {
        best = undone(steps, [v, ...members.map((i) => ids[i]!)])
        most = best.length
      }
      graph.remove(v)
    }
  }

  #solveParts(graph: BitGraph, parts: readonly Uint32Array[], least: number): number[] | undefined {
    const pieces = parts.map((chosen) => graph.part(chosen)).sort((a, b) => a.ids.length - b.ids.length)
    const bounds = pieces.map((piece) => new CliqueCover(piece.graph).size)
    let rest = bounds.reduce((sum, bound) => sum + bound, 0)
    const all: number[] = []
    for (const [i, piece] of pieces.entries()) {
      rest -= bounds[i]!
      const found = this.solve(piece.graph, Math.max(-1, least - all.length - rest))
      if (found === undefined) return undefined
      for (const v of found) all.push(piece.ids[v]!)
    }
    return all
  }

  #spend({ vertices, words }: BitGraph): void {
    this.#left -= WORDS_A_BRANCH + vertices * words
    if (this.#left < 0 || (++this.#branches % BRANCHES_A_LOOK === 0 && this.#pause())) throw new WorkSpent()
  }
}

function reduce(graph: BitGraph, steps: Step[]): void {
  const { changed, words } = graph
  for (let w = 0; w < words; w++) {
    const bits = changed[w]!
    if (bits === 0) continue
    changed[w]! &= bits - 1
    const v = (w << 5) + lowestBit(bits)
    if (graph.has(v)) visit(graph, v, steps)
    w = -1
  }
}

function visit(graph: BitGraph, v: number, steps: Step[]): void {
  const { rows, words, degrees } = graph
  const degree = degrees[v]!
  let [a, b] = [-1, -1]
  for (let w = 0; w < words; w++)
    for (let bits = rows[v * words + w]!; bits !== 0; bits &= bits - 1) {
      const u = (w << 5) + lowestBit(bits)
      if (degrees[u]! >= degree && graph.isDominated(u, v)) {
        graph.remove(u)
        if (degree <= 2) graph.changed[v >>> 5]! |= 1 << (v & 31)
        return
      }
      a = b
      b = u
    }
  if (degree === 0) {
    graph.remove(v)
    steps.push([v])
  } else if (degree === 2) {
    graph.fold(v, a, b)
    steps.push([v, a, b])
  }
}

/** A cover by cliques. */
class CliqueCover {
  /** The clique of each vertex, and its vertices: those of clique c are from starts[c] to starts[c + 1]. */
  readonly cliques: Int32Array
  readonly members: Uint32Array
  readonly starts: number[] = [0]
  readonly #graph: BitGraph
  /** Vertices of each clique that no assumed vertex is next to. */
  #sizes = new Int32Array(0)
  /** The clique whose last vertex is next to one that is out for that; -1: it is not out. */
  readonly #reasons: Int32Array

  constructor(graph: BitGraph) {
    const { rows, words, vertices } = graph
    this.#graph = graph
    this.cliques = new Int32Array(vertices)
    this.members = new Uint32Array(vertices)
    this.#reasons = new Int32Array(vertices).fill(-1)
    const left = graph.open.slice()
    const common = new Uint32Array(words)
    let listed = 0
    for (let w = 0; w < words;) {
      if (left[w] === 0) {
        w++
        continue
      }
      common.set(left)
      for (let at = w; at < words;) {
        const bits = common[at]!
        if (bits === 0) {
          at++
          continue
        }
        const v = (at << 5) + lowestBit(bits)
        this.cliques[v] = this.size
        this.members[listed++] = v
        left[at]! &= ~(bits & -bits)
        for (let i = at, j = v * words + at; i < words; i++, j++) common[i]! &= rows[j]!
      }
      this.starts.push(listed)
    }
  }

  get size(): number {
    return this.starts.length - 1
  }

  /** Cliques of which no set has a vertex each, in groups that share none: each costs one. Ends once there are so many. */
  conflicts(wanted: number): number {
    const { starts, size } = this
    this.#sizes = Int32Array.from({ length: size }, (_, c) => starts[c + 1]! - starts[c]!)
    const isUsed = new Uint8Array(size)
    const order = [...this.#sizes.keys()].sort((a, b) => this.#sizes[a]! - this.#sizes[b]! || b - a)
    let found = 0
    for (const c of order) {
      if (found >= wanted) break
      if (isUsed[c] === 1 || this.#sizes[c]! > MOST_TRIED) continue
      const group = this.#groupOf(c, isUsed)
      if (group === undefined) continue
      for (const used of group) isUsed[used] = 1
      found++
    }
    return found
  }

  /** Cliques that have no vertex each together with c, c among them; undefined: none were found. */
  #groupOf(c: number, isUsed: Uint8Array): Set<number> | undefined {
    const group = new Set([c])
    for (let i = this.starts[c]!; i < this.starts[c + 1]!; i++) {
      const isFound = this.#assume(c, this.members[i]!, isUsed, group)
      if (!isFound) return undefined
    }
    return group
  }

  /** Assumes that v is in, and what follows. @returns whether no set has a vertex of each clique then */
  #assume(c: number, v: number, isUsed: Uint8Array, group: Set<number>): boolean {
    const { rows, words } = this.#graph
    const out: number[] = []
    const chosen = [v]
    const from = [c]
    let empty = -1
    for (let at = 0; at < chosen.length && empty < 0; at++) {
      const u = chosen[at]!
      for (let w = 0; w < words && empty < 0; w++)
        for (let bits = rows[u * words + w]!; bits !== 0; bits &= bits - 1) {
          const x = (w << 5) + lowestBit(bits)
          const clique = this.cliques[x]!
          if (this.#reasons[x] !== -1 || clique === from[at] || isUsed[clique] === 1) continue
          this.#reasons[x] = from[at]!
          out.push(x)
          const size = --this.#sizes[clique]!
          if (size === 1 && clique !== c) {
            chosen.push(this.#lastOf(clique))
            from.push(clique)
          } else if (size === 0) {
            empty = clique
            break
          }
        }
    }
    if (empty >= 0) this.#collect(empty, group)
    for (const x of out) {
      this.#reasons[x] = -1
      this.#sizes[this.cliques[x]!]!++
    }
    return empty >= 0
  }

  #lastOf(clique: number): number {
    let i = this.starts[clique]!
    while (this.#reasons[this.members[i]!] !== -1) i++
    return this.members[i]!
  }

  #collect(empty: number, group: Set<number>): void {
    const stack = [empty]
    for (let clique = stack.pop(); clique !== undefined; clique = stack.pop()) {
      group.add(clique)
      for (let i = this.starts[clique]!; i < this.starts[clique + 1]!; i++) {
        const reason = this.#reasons[this.members[i]!]!
        if (reason !== -1 && !group.has(reason)) stack.push(reason)
      }
    }
  }
}

/** A vertex of the most neighbours: of those beyond the cliques that a set may fill, unless the graph is sparse. */
function pivotOf({ degrees, vertices }: BitGraph, members: Uint32Array, beyond: number, end: number): number {
  const most = (from: number): number => {
    let pivot = members[from]!
    for (let i = from + 1; i < end; i++) if (degrees[members[i]!]! > degrees[pivot]!) pivot = members[i]!
    return pivot
  }
  const pivot = most(0)
  return SPARSE * degrees[pivot]! < vertices ? pivot : most(beyond)
}

function componentsIn({ rows, words, open }: BitGraph): Uint32Array[] {
  const left = open.slice()
  const parts: Uint32Array[] = []
  for (let first = 0; first < words; first++)
    while (left[first] !== 0) {
      const part = new Uint32Array(words)
      const stack = [(first << 5) + lowestBit(left[first]!)]
      left[first]! &= left[first]! - 1
      for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
        part[v >>> 5]! |= 1 << (v & 31)
        for (let w = 0; w < words; w++) {
          let bits = rows[v * words + w]! & left[w]!
          left[w]! &= ~bits
          for (; bits !== 0; bits &= bits - 1) stack.push((w << 5) + lowestBit(bits))
        }
      }
      parts.push(part)
    }
  return parts
}
