import { COUNTERS, keptWords } from '../../../kernels/matching/match-state.ts'
import { type Buffers, allocateBuffers } from '../../device/buffers.ts'
import type { Device } from '../../device/device.ts'

/** The state of a matching on a device. Active vertices are listed in turns. */
export type MatchSpace = Buffers<
  'ends' | 'kept' | 'pointers' | 'matched' | 'open' | 'otherOpen' | 'again' | 'longs' | 'counters'
>

/**
 * No vertex has a mate.
 * @param longs long lists of a scan, at most
 * @param collects whether the places of collected lists follow the ends, and bits of waiting vertices those of matched ones
 * @throws Failure (device) where the device has not the memory
 */
export async function allocateSpace(
  device: Device,
  vertices: number,
  candidates: number,
  { longs, collects }: { readonly longs: number; readonly collects: boolean },
): Promise<MatchSpace> {
  const each = collects ? 2 : 1
  const bits = Math.ceil(vertices / 32)
  const state = { ends: each * vertices, kept: keptWords(candidates) * vertices, matched: each * bits }
  const lists = { pointers: vertices, open: vertices, otherOpen: vertices, again: vertices }
  const space = await allocateBuffers(device, { ...state, ...lists, longs, counters: COUNTERS })
  device.clear(space.matched, 0, bits)
  device.clear(space.counters, 0, COUNTERS)
  return space
}
