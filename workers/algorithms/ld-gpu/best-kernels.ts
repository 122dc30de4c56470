import { matchBest } from '../../../kernels/matching/match-best.ts'
import { matchBestShared } from '../../../kernels/matching/match-best-shared.ts'
import type { EdgeOrderParams, EdgeRule } from '../../../kernels/parts/edge-order.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { Range } from '../../base/ranges.ts'
import { LONGER, LONGEST_OF_A_GROUP } from './plan-match.ts'

/** The kernels that scan lists: a thread, a thread group, or a workgroup a list. @param collected lists that were collected */
export const bestKernels = (candidates: number, rule: EdgeRule, collected = false) => ({
  best: matchBest(candidates, rule, collected),
  bestOfLong: matchBestShared(candidates, rule, 'long', collected),
  bestOfLongest: matchBestShared(candidates, rule, 'longest', collected),
})

/** The lists to scan: of vertices [first, end), or of a list among these. */
export interface LooksAt extends Range {
  readonly listed: { readonly buffer: DeviceBuffer; readonly most: number } | undefined
  /** No vertex has a mate yet. */
  readonly allFree: boolean
  /** The first vertex of `kept`. */
  readonly keptFirst: number
  /** Arcs of the first words of targets and weights. */
  readonly origin: number
  readonly weightsAt: number
  /** Words of `counters` for this scan; those of long lists are 0. */
  readonly counts: number
  /** Arcs of the longest list. */
  readonly longest: number
}

export type LookBuffers = Readonly<
  Record<'ends' | 'targets' | 'weightBits' | 'matched' | 'kept' | 'longs' | 'counters', DeviceBuffer>
>

/** Threads of a launch over lists that only the device has counted. */
const LISTED_THREADS = 1 << 18
const LONG_THREADS = 1 << 19
const LONG_THREADS_A_ROUND = 1 << 18

/** Queues a scan of lists. */
export function lookAtLists(
  device: Device,
  { best, bestOfLong, bestOfLongest }: ReturnType<typeof bestKernels>,
  { first, end, listed, allFree, longest, ...places }: LooksAt,
  order: EdgeOrderParams,
  buffers: LookBuffers,
): void {
  const count = end - first
  if (count === 0) return
  const params = { ...places, allFree: allFree ? 1 : 0, ...order }
  const lengths = { longer: LONGER, longest: LONGEST_OF_A_GROUP }
  const threads = listed === undefined ? count : Math.min(listed.most, LISTED_THREADS)
  // Unused where nothing is listed.
  const list = listed?.buffer ?? buffers.ends
  const which = { first, count, isListed: listed === undefined ? 0 : 1 }
  device.launch(best, threads, { ...params, ...which, ...lengths }, { ...buffers, list })
  const most = Math.min(listed === undefined ? LONG_THREADS : LONG_THREADS_A_ROUND, Math.ceil(buffers.longs.words / 2))
  if (longest > LONGER) device.launch(bestOfLong, most, params, buffers)
  if (longest > LONGEST_OF_A_GROUP) device.launch(bestOfLongest, most, params, buffers)
}
