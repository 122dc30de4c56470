import { WordList } from '../../base/words.ts'
import { EventQueue } from './event-queue.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Arcs that are scanned between two pauses. */
const ARCS_A_PAUSE = 1 << 18
const STACK_WORDS = 64
/** A vertex is put into the queue anew where it has lost such a part of its neighbours: its place is near enough until then. */
const STALE = 3 / 4

type Degrees = Uint8Array | Uint16Array | Uint32Array

/**
 * A maximal independent set: again and again a vertex with the fewest neighbours left joins, and its neighbours are out. Ties go to the vertex that
 * came to this degree last, so that a set grows along its border.
 * @param pause called now and then; what it throws is thrown
 * @returns one byte a vertex
 */
export function minDegreeSet({ vertices, starts, targets }: Adjacency, pause: () => void): Uint8Array {
  const members = new Uint8Array(vertices)
  const degrees = degreesOf(starts, vertices)
  /** The mark of decided vertices, in place of a degree. */
  const decided = 2 ** (8 * degrees.BYTES_PER_ELEMENT) - 1
  /** All undecided vertices of degree `level` or less are on the stacks of their degrees, perhaps with former ones, too. */
  const stacks: WordList[] = []
  let level = -1
  let least = 0
  let scanned = 0
  for (;;) {
    while (least <= level && stacks[least]!.length === 0) least++
    if (least > level) {
      level = leastOf(degrees)
      if (level === decided) return members
      while (stacks.length <= level) stacks.push(new WordList(STACK_WORDS))
      for (let v = vertices - 1; v >= 0; v--) if (degrees[v] === level) stacks[level]!.push(v)
      least = level
      pause()
    }
    const stack = stacks[least]!
    const v = stack.values[--stack.length]!
    if (degrees[v] !== least) continue
    degrees[v] = decided
    members[v] = 1
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      if (degrees[u] === decided) continue
      degrees[u] = decided
      for (let j = starts[u]!; j < starts[u + 1]!; j++) {
        const w = targets[j]!
        if (degrees[w] === decided) continue
        const degree = --degrees[w]!
        if (degree > level) continue
        stacks[degree]!.push(w)
        if (degree < least) least = degree
      }
      scanned += 1 + starts[u + 1]! - starts[u]!
    }
    if (scanned < ARCS_A_PAUSE) continue
    pause()
    scanned = 0
  }
}

/** Degrees in as few bytes as hold the largest: they are what is read at random. */
function degreesOf(starts: Uint32Array, vertices: number): Degrees {
  let largest = 0
  for (let v = 0; v < vertices; v++) largest = Math.max(largest, starts[v + 1]! - starts[v]!)
  const degrees = new (largest < 0xff ? Uint8Array : largest < 0xffff ? Uint16Array : Uint32Array)(vertices)
  for (let v = 0; v < vertices; v++) degrees[v] = starts[v + 1]! - starts[v]!
  return degrees
}

function leastOf(degrees: Degrees): number {
  let least = 2 ** (8 * degrees.BYTES_PER_ELEMENT) - 1
  for (let v = 0; v < degrees.length; v++) if (degrees[v]! < least) least = degrees[v]!
  return least
}

/**
 * A maximal independent set: again and again the vertex of the most weight for each vertex that it decides joins.
 * @param pause called now and then; what it throws is thrown, and where it is true the rest joins in ascending order
 * @returns one byte a vertex
 */
export function weightedGreedySet(
  { vertices, starts, targets }: Adjacency,
  weights: Float64Array,
  pause: () => boolean | void,
): Uint8Array {
  const members = new Uint8Array(vertices)
  const isOpen = new Uint8Array(vertices).fill(1)
  const degrees = new Uint32Array(vertices)
  const queued = new Uint32Array(vertices)
  const queue = new EventQueue()
  const put = (v: number): void => {
    queued[v] = degrees[v]!
    queue.push(-weights[v]! / (1 + degrees[v]!), v, degrees[v]!)
  }
  for (let v = 0; v < vertices; v++) {
    degrees[v] = starts[v + 1]! - starts[v]!
    put(v)
  }
  for (let steps = 0; queue.size > 0; steps++) {
    if ((steps & 0x3fff) === 0 && pause() === true) break
    const [v, degree] = [queue.first, queue.second]
    queue.pop()
    if (isOpen[v] === 0 || queued[v] !== degree) continue
    members[v] = 1
    isOpen[v] = 0
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      if (isOpen[u] === 0) continue
      isOpen[u] = 0
      for (let j = starts[u]!; j < starts[u + 1]!; j++) {
        const x = targets[j]!
        if (isOpen[x] === 1 && 1 + --degrees[x]! <= STALE * (1 + queued[x]!)) put(x)
      }
    }
  }
  for (let v = 0; v < vertices; v++) {
    if (isOpen[v] === 0) continue
    members[v] = 1
    for (let i = starts[v]!; i < starts[v + 1]!; i++) isOpen[targets[i]!] = 0
  }
  return members
}
