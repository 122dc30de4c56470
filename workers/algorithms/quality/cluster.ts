import { BitGraph, BranchAndBound } from './branch-and-bound.ts'
import type { Adjacency } from './held-graph.ts'
import type { SwappableSet } from './swappable-set.ts'
import type { Xorshift } from '../../generate/random.ts'

/** Vertices around the members of a cluster: before and after those that are dominated leave. */
const MOST_VERTICES = 1024
const MOST_UNDOMINATED = 256
/** Of the tree of branch and bound. */
const MOST_NODES = 200
/** Entries of lists that are read while the tree gets a node. */
const ENTRIES_PER_NODE = 32
/** Such entries for a unit of work. Clusters gain more than other steps do in their time. */
const ENTRIES_PER_WORK = 192

/**
 * Some members that are close to each other, and all vertices that have no other member next to them: a largest set of these is found by branch and
 * bound. It moves what swaps cannot where lists are long: then few vertices are not dominated by others.
 */
export class Cluster {
  /** In members. So many that four of five clusters are solved. */
  static readonly sizes = { least: 4, most: 64, first: 8, growth: 65 / 64 }
  readonly #starts: Uint32Array
  readonly #targets: Uint32Array
  /** Rounds in which vertices were met last, their members in the cluster, and these: their number, later a vertex's place; and the exclusive or of their ids. */
  readonly #rounds: Uint32Array
  readonly #counts: Uint32Array
  readonly #around: Uint32Array
  #round = 0
  #members = 0
  readonly #ids: number[] = []
  /** Members outside, by the number of vertices that have but them and members of the cluster next to them. */
  readonly #links = new Map<number, number>()
  readonly #graph = new BitGraph(MOST_VERTICES)
  readonly #undominated = new BitGraph(MOST_UNDOMINATED)
  readonly #solver = new BranchAndBound(MOST_UNDOMINATED, MOST_NODES)
  readonly #joined = new Uint8Array(MOST_VERTICES)
  #entries = 0

  constructor({ vertices, starts, targets }: Adjacency) {
    this.#starts = starts
    this.#targets = targets
    this.#rounds = new Uint32Array(vertices)
    this.#counts = new Uint32Array(vertices)
    this.#around = new Uint32Array(vertices)
  }

  /** A measure of the time that the cluster took. */
  get work(): number {
    return this.#entries / ENTRIES_PER_WORK
  }

  /** The members, and the vertices that were decided. */
  get vertices(): readonly number[] {
    return this.#ids
  }

  /** Whether the i-th of them is to be a member. */
  isJoined(i: number): boolean {
    return this.#joined[i] === 1
  }

  /**
   * Solves the cluster of so many members around a vertex.
   * @returns members more than there are; undefined: there are too many vertices to decide
   */
  solve(set: SwappableSet, centre: number, most: number, random: Xorshift): number | undefined {
    this.#entries = 0
    this.#gather(set, this.#memberAt(set, centre), most)
    if (this.#members === 0) return undefined
    this.#shuffle(random)
    this.#fill()
    const kept = this.#graph.undominated()
    if (kept.length > MOST_UNDOMINATED) return undefined
    this.#compact(kept)
    // As many as there are: other ones, from where swaps may lead on.
    const isSolved = this.#solver.solve(this.#undominated, this.#members - 1)
    this.#entries += ENTRIES_PER_NODE * this.#solver.nodes
    const { found } = this.#solver
    if (!isSolved && found.length <= this.#members) return undefined
    this.#joined.fill(0, 0, this.#ids.length)
    for (const i of found) this.#joined[kept[i]!] = 1
    return found.length - this.#members
  }

  #memberAt(set: SwappableSet, v: number): number {
    if (set.isMember(v)) return v
    let i = this.#starts[v]!
    while (!set.isMember(this.#targets[i]!)) i++
    return this.#targets[i]!
  }

  #gather(set: SwappableSet, first: number, most: number): void {
    const ids = this.#ids
    ids.length = 0
    this.#round++
    this.#links.clear()
    this.#members = 0
    for (let next: number | undefined = first; next !== undefined && this.#members < most; next = this.#mostLinked()) {
      const before = ids.length
      this.#take(set, next)
      if (ids.length > MOST_VERTICES) {
        ids.length = before
        return
      }
      this.#members++
    }
  }

  #take(set: SwappableSet, member: number): void {
    this.#links.delete(member)
    this.#ids.push(member)
    const end = this.#starts[member + 1]!
    for (let i = this.#starts[member]!; i < end; i++) {
      const u = this.#targets[i]!
      if (this.#rounds[u] !== this.#round) {
        this.#rounds[u] = this.#round
        this.#counts[u] = 0
        this.#around[u] = 0
      }
      const outside = set.tightness(u) - ++this.#counts[u]!
      this.#around[u]! ^= member
      if (outside === 0) this.#ids.push(u)
      if (outside !== 1) continue
      const other = (set.around(u) ^ this.#around[u]!) >>> 0
      this.#links.set(other, (this.#links.get(other) ?? 0) + 1)
    }
    this.#entries += end - this.#starts[member]!
  }

  #mostLinked(): number | undefined {
    let found: number | undefined
    let most = 0
    for (const [member, links] of this.#links) {
      if (links <= most) continue
      found = member
      most = links
    }
    return found
  }

  #shuffle(random: Xorshift): void {
    const ids = this.#ids
    for (let i = ids.length - 1; i > 0; i--) {
      const j = random.draw(i + 1)
      const v = ids[i]!
      ids[i] = ids[j]!
      ids[j] = v
    }
  }

  #fill(): void {
    const ids = this.#ids
    const round = ++this.#round
    this.#graph.reset(ids.length)
    ids.forEach((v, place) => {
      this.#rounds[v] = round
      this.#counts[v] = place
    })
    ids.forEach((v, place) => {
      const end = this.#starts[v + 1]!
      this.#entries += end - this.#starts[v]!
      for (let i = this.#starts[v]!; i < end; i++) {
        const u = this.#targets[i]!
        if (this.#rounds[u] === round) this.#graph.addArc(place, this.#counts[u]!)
      }
    })
  }

  #compact(kept: number[]): void {
    const graph = this.#graph
    const degrees = new Map(kept.map((v) => [v, kept.reduce((sum, u) => sum + (graph.isArc(v, u) ? 1 : 0), 0)]))
    // Cliques begin with vertices of few neighbours; those of many are branched on first.
    kept.sort((a, b) => degrees.get(a)! - degrees.get(b)!)
    this.#undominated.reset(kept.length)
    kept.forEach((v, i) => {
      kept.forEach((u, j) => {
        if (graph.isArc(v, u)) this.#undominated.addArc(i, j)
      })
    })
  }
}
