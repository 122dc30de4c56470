import { bitWords } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'
import type { Adjacency } from './held-graph.ts'
import { LocalSearch, type SearchLimits, hasLongLists } from './local-search.ts'
import type { SearchQuality } from './quality-option.ts'

/** The first and the last temperature, where a member costs 1; between them it falls by the same part in the same time. */
const TEMPERATURES = { first: 0.35, last: 0.07 }
/** Words of bits that are swept at a time; visits between two looks at the clock, at least. */
const CHUNK_WORDS = 1 << 10
const VISITS_A_LOOK = 1 << 12
/** That take about as long as a step of local search. */
const VISITS_A_STEP = 1 << 10
/** Beyond the last vertex. */
const NEVER = 0x7fffffff
/** Of a search, what annealing takes; less where lists are long, as there are many arcs for a vertex. */
const SHARE = { short: 3 / 4, long: 1 / 4 }
/** Of local search, while it begins. */
const ARCS_A_MS = 20_000

/** Of a part of a search: how much of the whole search is over after so many steps more, 0 to 1. */
export interface AnnealingLimits extends SearchLimits {
  readonly fraction: (made: number) => number
}

/** Of a search; all of one in which beginning a local search would take half of the time that is left for it. */
export function annealingShare({ vertices, targets }: Adjacency, { limitMs }: SearchQuality): number {
  if (hasLongLists({ vertices, targets })) return SHARE.long
  return (1 - SHARE.short) * limitMs < (2 * targets.length) / ARCS_A_MS ? 1 : SHARE.short
}

/** Simulated annealing, then local search, of a graph in memory. The same graph, set, seed and steps give the same set. */
export class AnnealedSearch {
  readonly #adjacency: Adjacency
  readonly #share: number
  /** One at a time is made, where it is needed: each takes memory. */
  #search: Annealing | LocalSearch | undefined

  /** @param share of annealing */
  constructor(adjacency: Adjacency, share: number) {
    this.#adjacency = adjacency
    this.#share = share
  }

  /** Of the largest set so far. */
  get best(): number {
    return this.#search?.best ?? 0
  }

  /** As {@link LocalSearch.run}; a set stays where annealing finds no larger one. That cools once, whatever the steps that are asked for. */
  run(members: Uint8Array, seed: number, { steps, pause, fraction }: AnnealingLimits): number {
    let made = 0
    if (fraction(0) < this.#share) {
      const annealing = new Annealing(this.#adjacency)
      this.#search = annealing
      made = annealing.run(members, seed, pause, (steps) => fraction(steps) / this.#share)
      if (fraction(made) < this.#share || this.#share === 1 || made >= steps) return made
    }
    if (!(this.#search instanceof LocalSearch)) {
      // What it finds follows from their order, too, which is another one where it goes on in another process.
      sortLists(this.#adjacency)
      this.#search = new LocalSearch(this.#adjacency)
    }
    return made + this.#search.run(members, seed, { steps: steps - made, pause })
  }
}

/**
 * Simulated annealing of an independent set (Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, Science 220, 1983). A sweep visits
 * all vertices outside in the order of their ids. One without a member next to it joins; one with a single one takes its place at even odds; one
 * with two takes their place with a chance of exp(-1 / temperature): vertices that may are drawn ahead.
 *
 * The neighbours that were members stand at the front of a list, and mostly two of them still are: then a visit reads two words of the list and two
 * bits, and lists are read as they follow each other in memory.
 */
class Annealing {
  best = 0
  readonly #adjacency: Adjacency
  /** A bit a vertex. */
  readonly #members: Uint32Array
  #size = 0
  #random = new Xorshift(0)

  /** @param adjacency whose lists come into another order */
  constructor(adjacency: Adjacency) {
    this.#adjacency = adjacency
    this.#members = new Uint32Array(bitWords(adjacency.vertices))
  }

  /** @param fraction of its time that is over after so many steps */
  run(members: Uint8Array, seed: number, pause: () => boolean, fraction: (made: number) => number): number {
    const { vertices } = this.#adjacency
    const bits = this.#members
    bits.fill(0)
    this.#size = 0
    for (let v = 0; v < vertices; v++) {
      if (members[v] === 0) continue
      bits[v >>> 5]! |= 1 << (v & 31)
      this.#size++
    }
    const before = this.#size
    this.best = before
    this.#random = new Xorshift(seed)
    const visits = Math.max(1, Math.min(vertices, 32 * CHUNK_WORDS))
    const chunks = Math.ceil(VISITS_A_LOOK / visits)
    let made = 0
    for (let looks = 1, at = 0; fraction(made) < 1 && this.#size < vertices; looks++) {
      const { first, last } = TEMPERATURES
      const temperature = first * (last / first) ** fraction(made)
      for (let i = 0; i < chunks; i++) {
        this.#sweep(at, 1 / Math.log1p(-Math.exp(-1 / temperature)))
        at = at + CHUNK_WORDS < bits.length ? at + CHUNK_WORDS : 0
      }
      made = Math.floor((looks * chunks * visits) / VISITS_A_STEP)
      this.best = Math.max(before, this.#size)
      if (pause()) break
    }
    this.#fillUp()
    this.best = Math.max(before, this.#size)
    if (this.#size > before) for (let v = 0; v < vertices; v++) members[v] = (bits[v >>> 5]! >>> (v & 31)) & 1
    return made
  }

  /** @param scale of the gaps between vertices that may take the place of two */
  #sweep(from: number, scale: number): void {
    const { vertices, starts, targets } = this.#adjacency
    const members = this.#members
    const past = Math.min(members.length, from + CHUNK_WORDS)
    let hot = this.#gap(from * 32 - 1, scale)
    for (let w = from; w < past; w++) {
      let open = ~members[w]!
      if (w === members.length - 1 && (vertices & 31) !== 0) open &= (1 << (vertices & 31)) - 1
      while (open !== 0) {
        const bit = open & -open
        open ^= bit
        const v = (w << 5) | (31 - Math.clz32(bit))
        const start = starts[v]!
        const end = starts[v + 1]!
        if (v >= hot) {
          this.#visit(v, start, end, 2)
          hot = this.#gap(v, scale)
          continue
        }
        if (end - start > 1) {
          const a = targets[start]!
          const b = targets[start + 1]!
          if (((members[a >>> 5]! >>> (a & 31)) & (members[b >>> 5]! >>> (b & 31)) & 1) !== 0) continue
        }
        this.#visit(v, start, end, 1)
      }
    }
  }

  /** The next vertex behind v that may take the place of two. */
  #gap(v: number, scale: number): number {
    const drawn = (1 + this.#random.draw(NEVER)) / (NEVER + 1)
    return Math.min(NEVER, v + 1 + Math.floor(Math.log(drawn) * scale))
  }

  /** @param most members that it may take the place of */
  #visit(v: number, start: number, end: number, most: number): void {
    const { targets } = this.#adjacency
    const members = this.#members
    let front = start
    for (let i = start; i < end; i++) {
      const u = targets[i]!
      if (((members[u >>> 5]! >>> (u & 31)) & 1) === 0) continue
      targets[i] = targets[front]!
      targets[front] = u
      if (++front - start > most) return
    }
    if (front - start === 1 && this.#random.draw(2) === 0) return
    for (let i = start; i < front; i++) members[targets[i]! >>> 5]! &= ~(1 << (targets[i]! & 31))
    members[v >>> 5]! |= 1 << (v & 31)
    this.#size += 1 - (front - start)
  }

  /** Lets free vertices join. */
  #fillUp(): void {
    const { vertices, starts, targets } = this.#adjacency
    const members = this.#members
    const isIn = (v: number): boolean => ((members[v >>> 5]! >>> (v & 31)) & 1) !== 0
    for (let v = 0; v < vertices; v++) {
      if (isIn(v)) continue
      const end = starts[v + 1]!
      let i = starts[v]!
      while (i < end && !isIn(targets[i]!)) i++
      if (i < end) continue
      members[v >>> 5]! |= 1 << (v & 31)
      this.#size++
    }
  }
}

/** Longer ones are sorted by the library. */
const SHORT = 64

/** Most are nearly in order. */
function sortLists({ vertices, starts, targets }: Adjacency): void {
  for (let v = 0; v < vertices; v++) {
    const [start, end] = [starts[v]!, starts[v + 1]!]
    if (end - start > SHORT) {
      targets.subarray(start, end).sort()
      continue
    }
    for (let i = start + 1; i < end; i++) {
      const target = targets[i]!
      let at = i
      for (; at > start && targets[at - 1]! > target; at--) targets[at] = targets[at - 1]!
      targets[at] = target
    }
  }
}
