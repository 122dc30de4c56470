import { WordList, bitWords, bitsSet } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'
import type { Adjacency } from './held-graph.ts'

/** Words of bits that are swept at a time. */
const PIECE_WORDS = 1 << 10
/** Beyond the last vertex. */
const NEVER = 0x7fffffff

/** Of a bitmap of vertices. */
export const hasBit = (bits: Uint32Array, v: number): boolean => ((bits[v >>> 5]! >>> (v & 31)) & 1) !== 0

/**
 * Makes an independent set one that is at least as large as each of two. Where they differ, vertices are joined to their neighbours in the other set:
 * no such component touches another one, nor what the sets have in common, so that each is taken from the set that has more of it (the partition
 * crossover of Whitley, Hains, Howe, GECCO 2009, for independent sets). At a tie the first set keeps its own.
 * @param set a bit a vertex; changed @param other likewise, not changed
 */
export function mergeSets({ starts, targets }: Adjacency, set: Uint32Array, other: Uint32Array): void {
  const differ = set.map((word, i) => word ^ other[i]!)
  const component = new WordList()
  const visit = (v: number): void => {
    differ[v >>> 5]! &= ~(1 << (v & 31))
    component.push(v)
  }
  for (let w = 0; w < differ.length; w++) {
    while (differ[w] !== 0) {
      component.length = 0
      visit((w << 5) | (31 - Math.clz32(differ[w]!)))
      let balance = 0
      for (let at = 0; at < component.length; at++) {
        const v = component.values[at]!
        balance += hasBit(set, v) ? 1 : -1
        for (let i = starts[v]!; i < starts[v + 1]!; i++) if (hasBit(differ, targets[i]!)) visit(targets[i]!)
      }
      if (balance >= 0) continue
      for (const v of component.words) set[v >>> 5]! ^= 1 << (v & 31)
    }
  }
}

/** @param members one byte a vertex @returns a bit a vertex */
export function packMembers(members: Uint8Array): Uint32Array {
  const bits = new Uint32Array(bitWords(members.length))
  for (let v = 0; v < members.length; v++) if (members[v] === 1) bits[v >>> 5]! |= 1 << (v & 31)
  return bits
}

/** One byte a vertex. */
export function unpackMembers(bits: Uint32Array, vertices: number): Uint8Array {
  const members = new Uint8Array(vertices)
  for (let v = 0; v < vertices; v++) members[v] = hasBit(bits, v) ? 1 : 0
  return members
}

/** An independent set that is swept piece by piece. */
export interface Sweeps {
  /** A bit a vertex. */
  readonly members: Uint32Array
  /** Of the set. */
  size: number
  /** Of a sweep. */
  readonly pieces: number
  /** What is drawn from here on follows from it. */
  seed(seed: number): void
  /** Visits the vertices of a piece. @param temperature where a member costs 1 */
  sweep(piece: number, temperature: number): void
  end(): void
}

/**
 * The visits of simulated annealing of an independent set (Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, Science 220, 1983), in
 * the order of the ids. A vertex without a member next to it joins; one with a single one takes its place at even odds; one with two takes their
 * place with a chance of exp(-1 / temperature): vertices that may are drawn ahead.
 *
 * The neighbours that were members stand at the front of a list, and mostly two of them still are: then a visit reads two words of the list and two
 * bits, and lists are read as they follow each other in memory. What a visit does is the same in whatever order a list is.
 */
export abstract class Visits {
  readonly members: Uint32Array
  protected readonly adjacency: Adjacency
  protected random = new Xorshift(0)

  /** @param adjacency whose lists come into another order @param members a bit a vertex */
  constructor(adjacency: Adjacency, members: Uint32Array) {
    this.adjacency = adjacency
    this.members = members
  }

  /** Of a vertex that is to join in place of the first neighbours of its list. */
  protected abstract accept(v: number, start: number, count: number): void

  /** Visits vertices outside. @param from first of the words that have them @param past behind the last one */
  protected visitWords(from: number, past: number, temperature: number): void {
    const { vertices, starts, targets } = this.adjacency
    const { members } = this
    /** Of the gaps between vertices that may take the place of two. */
    const scale = 1 / Math.log1p(-Math.exp(-1 / temperature))
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
    const drawn = (1 + this.random.draw(NEVER)) / (NEVER + 1)
    return Math.min(NEVER, v + 1 + Math.floor(Math.log(drawn) * scale))
  }

  /** @param most members that it may take the place of */
  #visit(v: number, start: number, end: number, most: number): void {
    const { targets } = this.adjacency
    const { members } = this
    let front = start
    for (let i = start; i < end; i++) {
      const u = targets[i]!
      if (((members[u >>> 5]! >>> (u & 31)) & 1) === 0) continue
      targets[i] = targets[front]!
      targets[front] = u
      if (++front - start > most) return
    }
    if (front - start === 1 && this.random.draw(2) === 0) return
    this.accept(v, start, front - start)
  }
}

/** Annealing by one thread: each change is there for the next visit. */
export class Annealing extends Visits implements Sweeps {
  size = 0

  constructor(adjacency: Adjacency) {
    super(adjacency, new Uint32Array(bitWords(adjacency.vertices)))
  }

  get pieces(): number {
    return Math.ceil(this.members.length / PIECE_WORDS)
  }

  seed(seed: number): void {
    this.random = new Xorshift(seed)
  }

  sweep(piece: number, temperature: number): void {
    const from = piece * PIECE_WORDS
    this.visitWords(from, Math.min(this.members.length, from + PIECE_WORDS), temperature)
  }

  end(): void {}

  protected accept(v: number, start: number, count: number): void {
    const { targets } = this.adjacency
    const { members } = this
    for (let i = start; i < start + count; i++) members[targets[i]! >>> 5]! &= ~(1 << (targets[i]! & 31))
    members[v >>> 5]! |= 1 << (v & 31)
    this.size += 1 - count
  }
}

/** Lets free vertices join. */
export function fillUp({ vertices, starts, targets }: Adjacency, set: Pick<Sweeps, 'members' | 'size'>): void {
  const { members } = set
  for (let v = 0; v < vertices; v++) {
    if (hasBit(members, v)) continue
    const end = starts[v + 1]!
    let i = starts[v]!
    while (i < end && !hasBit(members, targets[i]!)) i++
    if (i < end) continue
    members[v >>> 5]! |= 1 << (v & 31)
    set.size++
  }
}

export const countBits = (bits: Uint32Array): number => bits.reduce((sum, word) => sum + bitsSet(word), 0)
