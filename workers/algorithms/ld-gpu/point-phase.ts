import { matchPoint } from '../../../kernels/match-point.ts'
import { matchSecond } from '../../../kernels/match-second.ts'
import { matchWalk } from '../../../kernels/match-walk.ts'
import type { DiskEntries } from './entries.ts'
import type { MatchPart } from './part.ts'
import type { BatchPlace, Layout, MatchWorkspace } from './workspace.ts'
import { roundAt, waitingAt } from './workspace.ts'

/** Visit all vertices of a batch. */
const ALL = 0xffffffff
/** A list is strided over; more threads than this only start and stop. */
export const LIST_THREADS = 1 << 18
/** Workgroups for long searches, each of one at a time. */
const WALK_GROUPS = 1 << 10
/** Few vertices have a long search. */
const VERTICES_A_WALK = 128

interface PhaseAt {
  readonly round: number
  /** Whether each batch may have vertices that wait. */
  readonly waits: readonly boolean[]
  /** Whether there is no list of those who wait yet. */
  readonly isListless: boolean
}

/** Puts the pointing phase of all own batches that have somebody waiting on the device; of all of them where it has heads alone. */
export async function pointBatches(part: MatchPart, layout: Layout, space: MatchWorkspace, at: PhaseAt): Promise<void> {
  const { device, entries, trace } = part
  if (!entries.isWhole) return pointInHeads(part, entries, layout, space, at.round)
  for (const [index, place] of layout.places.entries()) {
    if (!at.waits[index]) continue
    const loaded = await entries.of(place.batch)
    const params = paramsOf(layout, place, index, at)
    const buffers = { ...space, ...loaded }
    const threads = at.isListless ? place.batch.count : Math.min(place.batch.count, LIST_THREADS)
    trace.span('kernel', `point batch ${place.batch.index}`, () => {
      device.launch(matchPoint, threads, params, buffers)
      const groups = Math.min(WALK_GROUPS, Math.ceil(place.batch.count / VERTICES_A_WALK))
      device.launch(matchWalk, matchWalk.workgroup * groups, params, buffers)
    })
  }
}

function pointInHeads(
  { device, trace }: MatchPart,
  entries: DiskEntries,
  layout: Layout,
  { cursors: moved, ...space }: MatchWorkspace,
  round: number,
): void {
  const { changed, changedCapacity } = layout
  for (const { batch, own } of layout.places) {
    const { index, first, count } = batch
    const heads = entries.held(batch)
    if (heads === undefined) throw new Error('the device has no lists to go on in')
    const params = { first, count, own, changed, changedCapacity, round: roundAt(layout, round), number: round }
    trace.span('kernel', `point batch ${index}`, () =>
      device.launch(matchSecond, count, params, { ...space, moved, heads }),
    )
  }
}

function paramsOf(
  layout: Layout,
  { batch, own, capacity, lists }: BatchPlace,
  index: number,
  { round, isListless }: PhaseAt,
) {
  const { changed, changedCapacity, walks, walkCapacity } = layout
  return {
    first: batch.first,
    count: batch.count,
    own,
    listIn: lists[(round + 1) & 1]!,
    listOut: lists[round & 1]!,
    capacity,
    waitIn: isListless ? ALL : waitingAt(layout, round - 1, index),
    waitOut: waitingAt(layout, round, index),
    changed,
    changedCapacity,
    walks,
    walkCapacity,
    round: roundAt(layout, round),
  }
}
