import { ENDED, isMatched, keptWords } from '../../../kernels/matching/match-state.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { within } from '../../graph/graph-slice.ts'
import { type MatchMemory, CHUNK, chunksOf } from './match-setup.ts'

/** Vertices that may yet find a mate, in shared memory: processors mark those of their chunks. */
export interface WaitingVertices {
  /** A bit for each vertex. */
  readonly bits: Uint32Array
  /** Waiting vertices before each word, in its chunk. */
  readonly before: Uint32Array
  /** Of each chunk; after {@link countWaiting}, before it. */
  readonly chunks: Uint32Array
}

export function shareWaiting(vertices: number): WaitingVertices {
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  const words = Math.ceil(vertices / 32)
  return { bits: shared(words), before: shared(words), chunks: shared(chunksOf(vertices)) }
}

export function markWaiting(
  waiting: WaitingVertices,
  chunk: number,
  { matched, kept }: MatchMemory,
  each: number,
  own: Range,
): void {
  const { bits, before, chunks } = waiting
  let count = 0
  const words = within({ first: CHUNK * chunk, end: CHUNK * (chunk + 1) }, own)
  for (let word = words.first >>> 5; word < Math.ceil(words.end / 32); word++) {
    before[word] = count
    let marks = 0
    if (matched[word] !== 0xffffffff)
      for (let v = 32 * word; v < Math.min(own.end, 32 * word + 32); v++) {
        if (isMatched(matched, v) || (kept[keptWords(each) * v]! & ENDED) !== 0) continue
        marks |= 1 << (v & 31)
        count++
      }
    bits[word] = marks
  }
  chunks[chunk] = count
}

/** Once all chunks are marked. */
export function countWaiting({ chunks }: WaitingVertices): number {
  let count = 0
  for (let chunk = 0; chunk < chunks.length; chunk++) {
    const here = chunks[chunk]!
    chunks[chunk] = count
    count += here
  }
  return count
}

/** The index among the waiting; -1: it does not wait. */
export function placeAmongWaiting({ bits, before, chunks }: WaitingVertices, v: number): number {
  const word = bits[v >>> 5]!
  if (((word >>> (v & 31)) & 1) === 0) return -1
  return chunks[Math.floor(v / CHUNK)]! + before[v >>> 5]! + ones(word & ((1 << (v & 31)) - 1))
}

/** Ascending. */
export function eachWaiting({ bits }: WaitingVertices, visit: (v: number) => void): void {
  for (const [word, marks] of bits.entries())
    for (let left = marks; left !== 0; left &= left - 1) visit(32 * word + 31 - Math.clz32(left & -left))
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
