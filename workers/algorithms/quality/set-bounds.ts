/**
 * What no independent set exceeds, and peeling, which gives a set with its bound. Three bounds: a cover by cliques, greedily, again and again
 * where the graph is small; the linear relaxation, by a largest matching of the bipartite double cover (Nemhauser, Trotter 1975; Hopcroft, Karp
 * 1973), m sqrt n at most; and reducing-peeling (Chang, Li, Zhang, SIGMOD 2017), linear. All are of graphs in memory, and give up when their time
 * is over. search-start.ts takes the least.
 */

import { Xorshift } from '../../generate/random.ts'
import { radixOrder } from '../../graph/radix-order.ts'
import { joinFree, packMembers, unpackMembers } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'
import { Reduction } from './reduction.ts'

const NONE = 0xffffffff

/** Cliques that cover all vertices. */
export interface CliqueCover {
  /** The clique of each vertex, from 0 on. */
  readonly cliques: Uint32Array
  readonly count: number
  /** What their heaviest vertices weigh together. */
  readonly bound: number
}

/**
 * No independent set weighs more than the bound: of cliques that cover all vertices it has one vertex each at most. A vertex joins the largest
 * clique all of which it is adjacent to. Vertices of few neighbours come first, or heavy ones.
 * @param pause called now and then @param weights 1 each where there are none
 */
export const cliqueCover = (adjacency: Adjacency, pause: () => void, weights?: Float64Array): CliqueCover =>
  coverInOrder(adjacency, weights === undefined ? byDegree(adjacency) : byWeight(weights), pause, weights)

/** Covers that are made one from another at most, and arcs that they may look at. */
const COVERS = { rounds: 128, arcs: 1 << 26 }

/**
 * A cover of fewer cliques: made anew from the vertices of one clique after the other, in an order that is drawn, it is never larger (iterated
 * greedy, of colourings by Culberson, 1992).
 */
export function smallCliqueCover(adjacency: Adjacency, pause: () => void): CliqueCover {
  let cover = cliqueCover(adjacency, pause)
  const random = new Xorshift(0)
  const rounds = Math.min(COVERS.rounds, Math.floor(COVERS.arcs / Math.max(1, adjacency.targets.length)))
  for (let round = 0; round < rounds; round++) {
    const { cliques, count } = cover
    const drawn = Uint32Array.from({ length: count }, () => random.draw(2 ** 32))
    cover = coverInOrder(adjacency, radixOrder([cliques, cliques.map((clique) => drawn[clique]!)]), pause)
  }
  return cover
}

function coverInOrder(
  { vertices, starts, targets }: Adjacency,
  order: Uint32Array,
  pause: () => void,
  weights?: Float64Array,
): CliqueCover {
  const cliques = new Uint32Array(vertices).fill(NONE)
  const sizes = new Uint32Array(vertices)
  const common = new Uint32Array(vertices)
  let [count, bound] = [0, 0]
  order.forEach((v, step) => {
    if ((step & 0x3fff) === 0) pause()
    let best = NONE
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const clique = cliques[targets[i]!]!
      if (clique === NONE || ++common[clique]! < sizes[clique]!) continue
      if (best === NONE || sizes[clique]! > sizes[best]!) best = clique
    }
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const clique = cliques[targets[i]!]!
      if (clique !== NONE) common[clique] = 0
    }
    if (best === NONE) {
      best = count++
      bound += weights?.[v] ?? 1
    }
    cliques[v] = best
    sizes[best]!++
  })
  return { cliques, count, bound }
}

/** Vertices in descending order of their weights, none of which is negative, then of their ids. */
function byWeight(weights: Float64Array): Uint32Array {
  // Bits ascend as such numbers do, but for -0.
  const words = new Uint32Array(weights.map((weight) => weight + 0).buffer)
  const key = (high: 0 | 1): Uint32Array => Uint32Array.from(weights, (_, v) => ~words[2 * v + high]!)
  return radixOrder([key(0), key(1)])
}

/** Vertices in ascending order of their degrees, then of their ids. */
const byDegree = ({ vertices, starts }: Adjacency): Uint32Array =>
  radixOrder([starts.subarray(1, vertices + 1).map((end, v) => end - starts[v]!)])

/** Phases of augmenting, each of which is a pass over the arcs; a matching that is not the largest gives a weaker bound. */
const PHASES = 12

/**
 * No independent set has more vertices: the value of the linear relaxation, or more. With a largest matching of the bipartite double cover, where v
 * is adjacent to the copies of its neighbours, that is n less half of it (Nemhauser and Trotter, Mathematical Programming 8, 1975).
 * @param pause called now and then
 */
export function relaxation(adjacency: Adjacency, pause: () => void): number {
  const matching = new DoubleMatching(adjacency)
  for (let phase = 0; phase < PHASES; phase++) {
    pause()
    if (!matching.augment(pause)) break
  }
  return Math.floor(adjacency.vertices - matching.size / 2)
}

/** Hopcroft and Karp, SIAM Journal on Computing 2, 1973. */
class DoubleMatching {
  size = 0
  readonly #adjacency: Adjacency
  /** The copy that v is matched to, and the vertex that a copy is. */
  readonly #copies: Uint32Array
  readonly #owners: Uint32Array
  /** Distance from a vertex that is not matched, along alternating paths. */
  readonly #levels: Uint32Array
  /** The next neighbour to try. */
  readonly #cursors: Uint32Array
  readonly #path: Uint32Array

  constructor(adjacency: Adjacency) {
    const { vertices, starts, targets } = adjacency
    this.#adjacency = adjacency
    this.#copies = new Uint32Array(vertices).fill(NONE)
    this.#owners = new Uint32Array(vertices).fill(NONE)
    this.#levels = new Uint32Array(vertices)
    this.#cursors = new Uint32Array(vertices)
    this.#path = new Uint32Array(vertices + 1)
    for (const v of byDegree(adjacency))
      for (let i = starts[v]!; i < starts[v + 1]!; i++) {
        if (this.#owners[targets[i]!] !== NONE) continue
        this.#match(v, targets[i]!)
        this.size++
        break
      }
  }

  /** Augments along shortest paths that share no vertex; false where there is none. */
  augment(pause: () => void): boolean {
    if (!this.#layer(pause)) return false
    const { vertices, starts } = this.#adjacency
    this.#cursors.set(starts.subarray(0, vertices))
    for (let v = 0; v < vertices; v++) {
      if ((v & 0xffff) === 0) pause()
      if (this.#copies[v] === NONE && this.#follow(v)) this.size++
    }
    return true
  }

  /** Levels by breadth-first search; whether a copy that is not matched was reached. */
  #layer(pause: () => void): boolean {
    const { vertices, starts, targets } = this.#adjacency
    this.#levels.fill(NONE)
    let queue: number[] = []
    for (let v = 0; v < vertices; v++) {
      if (this.#copies[v] !== NONE) continue
      this.#levels[v] = 0
      queue.push(v)
    }
    let isReached = false
    for (let level = 1; queue.length > 0 && !isReached; level++) {
      pause()
      const next: number[] = []
      for (const v of queue)
        for (let i = starts[v]!; i < starts[v + 1]!; i++) {
          const owner = this.#owners[targets[i]!]!
          if (owner === NONE) isReached = true
          else if (this.#levels[owner] === NONE) {
            this.#levels[owner] = level
            next.push(owner)
          }
        }
      queue = next
    }
    return isReached
  }

  /** Depth-first along the levels. */
  #follow(root: number): boolean {
    const { starts, targets } = this.#adjacency
    const path = this.#path
    path[0] = root
    for (let depth = 0; depth >= 0;) {
      const v = path[depth]!
      if (this.#cursors[v] === starts[v + 1]!) {
        this.#levels[v] = NONE
        depth--
        continue
      }
      const owner = this.#owners[targets[this.#cursors[v]!++]!]!
      if (owner === NONE) {
        this.#flip(depth)
        return true
      }
      if (this.#levels[owner] === depth + 1) path[++depth] = owner
    }
    return false
  }

  #flip(depth: number): void {
    for (let i = depth; i >= 0; i--) {
      const v = this.#path[i]!
      this.#levels[v] = NONE
      this.#match(v, this.#adjacency.targets[this.#cursors[v]! - 1]!)
    }
  }

  #match(v: number, copy: number): void {
    this.#copies[v] = copy
    this.#owners[copy] = v
  }
}

/** An independent set by reducing and peeling, and a bound. */
export interface PeeledSet {
  /** One byte a vertex. */
  readonly members: Uint8Array
  /** No independent set has more vertices. */
  readonly bound: number
}

/**
 * Reduces, and takes out a vertex of the largest degree where nothing can be reduced, until all are decided (Chang, Li, Zhang, SIGMOD 2017,
 * section 3). Each vertex that was taken out costs one member at most.
 * @param pause called now and then; what it throws is thrown
 */
export function peeledSet(adjacency: Adjacency, pause: () => void): PeeledSet {
  const reduction = new Reduction({
    ...adjacency,
    starts: adjacency.starts.slice(),
    targets: adjacency.targets.slice(),
  })
  reduction.run(pause)
  peelAll(reduction, adjacency.vertices, pause)
  const members = reduction.reduced().expand(new Uint8Array(0))
  const bound = members.reduce((sum, bit) => sum + bit, 0) + reduction.peeled
  const free = packMembers(members)
  joinFree(adjacency, free)
  return { members: unpackMembers(free, members.length), bound }
}

/** Vertices by the degree that they had when they were looked at last; as degrees only fall, the largest is found by looking again. */
function peelAll(reduction: Reduction, vertices: number, pause: () => void): void {
  const { degrees } = reduction
  let largest = 0
  for (let v = 0; v < vertices; v++) if (reduction.isOpen(v)) largest = Math.max(largest, degrees[v]!)
  const first = new Uint32Array(largest + 1).fill(NONE)
  const next = new Uint32Array(vertices)
  const put = (v: number): void => {
    const degree = degrees[v]!
    next[v] = first[degree]!
    first[degree] = v
  }
  for (let v = vertices - 1; v >= 0; v--) if (reduction.isOpen(v)) put(v)
  for (let degree = largest; degree > 0;) {
    const v = first[degree]!
    if (v === NONE) {
      degree--
      continue
    }
    first[degree] = next[v]!
    if (!reduction.isOpen(v)) continue
    if (degrees[v]! < degree) put(v)
    else {
      reduction.peel(v)
      reduction.run(pause)
    }
  }
}
