import { COUNTERS, keptWords } from '../../../kernels/matching/match-state.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'

type Buffers<Name extends string> = Readonly<Record<Name, DeviceBuffer>>

/** Buffers of so many words. @throws Failure (device) where the device has not the memory */
export async function allocateAll<Name extends string>(
  device: Device,
  words: Readonly<Record<Name, number>>,
): Promise<Buffers<Name>> {
  const made = Object.entries<number>(words).map(
    async ([label, size]) => [label, await device.allocate(label, Math.max(4, size))] as const,
  )
  return Object.fromEntries(await Promise.all(made)) as Buffers<Name>
}

export function releaseAll(device: Device, buffers: Buffers<string>): void {
  for (const buffer of Object.values(buffers)) device.release(buffer)
}

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
  const space = await allocateAll(device, { ...state, ...lists, longs, counters: COUNTERS })
  device.clear(space.matched, 0, bits)
  device.clear(space.counters, 0, COUNTERS)
  return space
}
