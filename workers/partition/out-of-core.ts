import { slabsOfWorkers } from '../algorithms/plan-run.ts'
import type { Batch } from '../graph/batches.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import type { ViewHeader } from '../graph/view-file.ts'
import { headsStay, walkSizes } from '../walk/walk-plan.ts'
import { Walk } from '../walk/walk.ts'
import type { WalkOptions } from '../walk/walk.ts'

/** Of the bytes of heads and tails, so much must stay unread: else the device takes whole batches faster than the host looks vertices up. */
const LEAST_SPARED = 3 / 5

/**
 * Whether three fifths of the entries or more are tails of lists that begin with a vertex of the front: such a vertex is out unless the user's
 * lists say otherwise, and needs no more than its heads (docs/decisions/0010-heads-first.md).
 */
export function tailsAreSpared({
  heads,
  tails,
  openTails,
}: Pick<ViewHeader, 'heads' | 'tails' | 'openTails'>): boolean {
  const spared = tails.bytes - 4 * openTails
  return spared > 0 && spared >= LEAST_SPARED * (heads.bytes + tails.bytes)
}

/** A walk beside the devices of all workers, where some worker's batches do not fit its device. */
export function walkFor(
  { view, tailOffsets }: PreparedView,
  batches: readonly Batch[],
  slabBytes: number,
  { workers, ...options }: Pick<WalkOptions, 'trace' | 'signal' | 'barrier'> & { readonly workers: number },
): Walk | undefined {
  if (!slabsOfWorkers(batches, workers).some((bytes) => bytes > slabBytes)) return undefined
  if (!tailsAreSpared(view.header)) return undefined
  const sizes = walkSizes(view.header, slabBytes, workers)
  // A worker alone is done sooner where heads pass through.
  const stays = workers > 1 && headsStay(view.header, sizes, slabBytes, workers)
  return new Walk(view, tailOffsets, { ...options, sizes, workers, stays })
}
