/**
 * Where vertices stand in the oriented view. Any order will do in which entries point backwards: where u has the higher priority of
 * two neighbours, it stands before v. Of these orders the view takes one that makes its reader's work local:
 *
 * - At the front stand the vertices without entries, by ascending id. They need neither heads nor tails, and a bit each instead of a
 *   place in a table. In every list they come first, so that many a list is settled by its first entry.
 * - The others follow in chunks of the order of priority. Within a chunk those whose list begins with a vertex of the front
 *   stand apart from the rest: such a vertex hardly ever needs its tail, and the tails that are needed so lie side by side. Where
 *   entries within the chunk forbid that, the two kinds alternate in layers.
 *
 * See docs/decisions/0006-views-in-priority-order.md and 0010-heads-first.md. A rank here is a place in the order of priority,
 * 0 for the highest. One mark a rank: {@link FRONT}, or the layer of its vertex within its chunk.
 */
export const FRONT = 255
/** Deeper ones share a layer, in the order of priority. */
const MOST_LAYER = 254

/** A chunk has at most this many arcs and, counted thrice, vertices; or one vertex. Part of the format. */
const CHUNK_WORDS = 1 << 18

/** Cuts the ranks into chunks: told the degrees by ascending rank, says before which of them a new one begins. */
export class ChunkCut {
  #words = 0

  /** Words that a vertex may take while views are built: its record, and where that is noted. */
  static wordsOf(degree: number): number {
    return degree + 3
  }

  begins(degree: number): boolean {
    const words = ChunkCut.wordsOf(degree)
    const isFull = this.#words > 0 && this.#words + words > CHUNK_WORDS
    this.#words = isFull ? words : this.#words + words
    return isFull
  }
}

/**
 * The layer of a vertex that has entries: even where its list needs a look, odd where it begins with a vertex of the front.
 * @param below the largest layer of its entries within the chunk, 0 without any
 */
export function layerOf(below: number, beginsWithFront: boolean): number {
  const parity = beginsWithFront ? 1 : 0
  return Math.min(MOST_LAYER, (below & 1) === parity ? below : below + 1)
}

/**
 * Numbers the vertices of a chunk that are not at the front: by layer, then by rank.
 * @param places places[rank] becomes the number; the first one is `next`
 * @returns the number after the last one
 */
export function placeChunk(marks: Uint8Array, first: number, end: number, next: number, places: Uint32Array): number {
  const starts = new Uint32Array(FRONT + 1)
  for (let rank = first; rank < end; rank++) if (marks[rank] !== FRONT) starts[marks[rank]! + 1]!++
  starts[0] = next
  for (let layer = 0; layer < FRONT; layer++) starts[layer + 1]! += starts[layer]!
  for (let rank = first; rank < end; rank++) {
    const mark = marks[rank]!
    if (mark !== FRONT) places[rank] = starts[mark]!++
  }
  return starts[FRONT]!
}

/** Places the vertices of the front by ascending id; places[rank] of the others are left. @returns the bits of the front, by vertex */
export function placeFront(ranks: Uint32Array, marks: Uint8Array, places: Uint32Array): Uint32Array {
  const bits = new Uint32Array(Math.ceil(ranks.length / 32))
  let next = 0
  for (let v = 0; v < ranks.length; v++) {
    const rank = ranks[v]!
    if (marks[rank] !== FRONT) continue
    bits[v >>> 5]! |= 1 << (v & 31)
    places[rank] = next++
  }
  return bits
}

/** The vertices behind the front, by position. */
export function verticesBehind(positions: Uint32Array, front: number, into: Uint32Array): Uint32Array {
  const behind = into.subarray(0, positions.length - front)
  for (let v = 0; v < positions.length; v++) if (positions[v]! >= front) behind[positions[v]! - front] = v
  return behind
}

/** The inverse of the two: positions[v] from the bits of the front and the vertices behind it. */
export function positionsFrom(vertices: number, bits: Uint32Array, behind: Uint32Array): Uint32Array {
  const positions = new Uint32Array(vertices)
  const front = vertices - behind.length
  let next = 0
  for (let v = 0; v < vertices; v++) if ((bits[v >>> 5]! >>> (v & 31)) & 1) positions[v] = next++
  for (let i = 0; i < behind.length; i++) positions[behind[i]!] = front + i
  return positions
}
