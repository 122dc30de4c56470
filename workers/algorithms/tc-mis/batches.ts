import { Failure } from '../../base/failure.ts'
import { CHUNK_RECORD_WORDS, TILE_COLUMNS, chunkWords } from '../../graph/tiles/tile-format.ts'

/** A range of vertices whose lists are on a device together. */
export interface ListBatch {
  readonly index: number
  /** A multiple of 32: batches share no word of candidates. */
  readonly first: number
  readonly count: number
  readonly firstArc: number
  readonly arcs: number
}

/** A range of chunks whose tiles are on a device together. */
export interface TileBatch {
  readonly index: number
  readonly firstChunk: number
  readonly chunks: number
  /** Words before it in the section of chunks, and its own. */
  readonly firstWord: number
  readonly words: number
  /** Row blocks of its tiles, both ends included. */
  readonly firstRow: number
  readonly lastRow: number
}

export interface PieceLimits {
  /** The largest buffer that the device's kernels can see. */
  readonly maxBufferBytes: number
  /** Bytes that a batch may take on the device. */
  readonly maxBatchBytes: number
  /** The wanted number of batches; absent: as few as fit. */
  readonly batches?: number | undefined
}

export const listBatchBytes = ({ count, arcs }: Pick<ListBatch, 'count' | 'arcs'>): number =>
  4 * (count + 1 + Math.max(1, arcs))

export const tileBatchBytes = ({ chunks, words }: Pick<TileBatch, 'chunks' | 'words'>): number =>
  4 * (CHUNK_RECORD_WORDS * chunks + words)

/** @param offsets n + 1 places of the lists. @throws Failure (device) when the lists of 32 vertices exceed the limits */
export function cutLists(offsets: Uint32Array, limits: PieceLimits): ListBatch[] {
  const vertices = offsets.length - 1
  const batches: ListBatch[] = []
  const target = targetBytes(listBatchBytes({ count: vertices, arcs: offsets[vertices] ?? 0 }), limits)
  for (let first = 0; first < vertices;) {
    let last = Math.min(vertices, first + TILE_COLUMNS)
    for (;;) {
      const next = Math.min(vertices, last + TILE_COLUMNS)
      const arcs = offsets[next]! - offsets[first]!
      if (next === last || listBatchBytes({ count: next - first, arcs }) > target) break
      last = next
    }
    const arcs = offsets[last]! - offsets[first]!
    const batch = { index: batches.length, first, count: last - first, firstArc: offsets[first]!, arcs }
    requireFit(4 * Math.max(batch.count + 1, arcs), listBatchBytes(batch), limits)
    batches.push(batch)
    first = last
  }
  return batches
}

/** @param records those of all chunks. @throws Failure (device) when one chunk alone exceeds the limits */
export function cutTiles(records: Uint32Array, limits: PieceLimits): TileBatch[] {
  const chunks = records.length / CHUNK_RECORD_WORDS
  const wordsOf = (chunk: number): number => chunkWords(records[CHUNK_RECORD_WORDS * chunk + 1]!)
  let total = 0
  for (let chunk = 0; chunk < chunks; chunk++) total += 4 * (wordsOf(chunk) + CHUNK_RECORD_WORDS)
  const target = targetBytes(total, limits)
  const batches: TileBatch[] = []
  let firstWord = 0
  for (let first = 0; first < chunks;) {
    let words = wordsOf(first)
    let last = first + 1
    for (; last < chunks; last++) {
      const grown = words + wordsOf(last)
      if (tileBatchBytes({ chunks: last + 1 - first, words: grown }) > target) break
      words = grown
    }
    const firstRow = records[CHUNK_RECORD_WORDS * first + 2]!
    const lastRow = records[CHUNK_RECORD_WORDS * (last - 1) + 3]!
    const batch = {
      index: batches.length,
      firstChunk: first,
      chunks: last - first,
      firstWord,
      words,
      firstRow,
      lastRow,
    }
    requireFit(4 * words, tileBatchBytes(batch), limits)
    batches.push(batch)
    firstWord += words
    first = last
  }
  return batches
}

function targetBytes(totalBytes: number, { maxBufferBytes, maxBatchBytes, batches = 1 }: PieceLimits): number {
  return Math.min(maxBufferBytes, maxBatchBytes, Math.ceil(totalBytes / batches))
}

function requireFit(largestBytes: number, bytes: number, { maxBufferBytes, maxBatchBytes }: PieceLimits): void {
  if (largestBytes <= maxBufferBytes && bytes <= maxBatchBytes) return
  throw new Failure({
    code: 'device',
    what: `a part of the graph that cannot be divided takes ${bytes} bytes of the device's memory, and a batch may have ${Math.min(maxBufferBytes, maxBatchBytes)}`,
    remedy: 'Give the device more --memory.',
  })
}
