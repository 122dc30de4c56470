import type { Batch } from '../graph/batches.ts'
import { batchBytes } from '../graph/batches.ts'
import { arenaBytesOf } from './read-arena.ts'

/** Batches that pass through a device that works where they were read: one in use, two being read, the others ready. */
const REGIONS = 8
/** Batches that pass through a device of its own memory: one in use, one being copied. */
const COPIES = 2
/** What is copied on is read in pieces, so many at a time in the arena, one for each thread and more; a staging buffer takes a whole number of them. */
const PIECE_BYTES = 2 << 20
const PIECES = 8
const LEAST_ARENA_BYTES = 1 << 16
/** Batches of fewer bytes than this are read before other threads would have begun. */
const LEAST_TEAM_BYTES = 32 << 20

/** How batches come to a device by way of threads that read ahead. */
export interface StreamPlan {
  /** Bytes for what is read ahead. */
  readonly arenaBytes: number
  /** Bytes of a read that is copied on. */
  readonly pieceBytes: number
  /** Indices of the batches that stay on the device; all of them where they fit. */
  readonly resident: ReadonlySet<number>
}

/**
 * @param batches a worker's own, in order
 * @param budgetBytes bytes for slabs on the device; at least the largest batch
 * @param sharesMemory whether the device works where batches were read, so that the arena is part of its budget
 * @returns undefined where all batches fit and are better read by the caller: they are small, or used where they are read
 */
export function planStream(
  batches: readonly Batch[],
  budgetBytes: number,
  sharesMemory: boolean,
): StreamPlan | undefined {
  const sizes = batches.map((batch) => arenaBytesOf(batchBytes(batch)))
  const total = batches.reduce((sum, batch) => sum + batchBytes(batch), 0)
  if (total <= budgetBytes && (sharesMemory || total < LEAST_TEAM_BYTES)) return undefined
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  const passing = Math.min(Math.max(largest, budgetBytes), (sharesMemory ? REGIONS : COPIES) * largest)
  const arenaBytes = sharesMemory ? Math.max(passing, LEAST_ARENA_BYTES) : PIECES * PIECE_BYTES
  const resident = new Set<number>()
  let left = total <= budgetBytes ? sizes.reduce((sum, size) => sum + size, 0) : budgetBytes - passing
  for (const [i, { index }] of batches.entries()) {
    left -= sizes[i]!
    if (left < 0) break
    resident.add(index)
  }
  const pieceBytes = Math.min(PIECE_BYTES, 64 * Math.floor(arenaBytes / 128))
  return { arenaBytes, pieceBytes, resident }
}
