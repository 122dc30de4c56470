import { COUNTERS, keptWords } from '../../../kernels/matching/match-state.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { longLists } from './plan-match.ts'

/** The state of a matching on a device. */
export interface MatchSpace {
  readonly ends: DeviceBuffer
  readonly kept: DeviceBuffer
  readonly pointers: DeviceBuffer
  readonly matched: DeviceBuffer
  readonly open: readonly [DeviceBuffer, DeviceBuffer]
  readonly again: DeviceBuffer
  readonly longs: DeviceBuffer
  readonly counters: DeviceBuffer
}

/** No vertex has a mate. @throws Failure (device) where the device has not the memory */
export async function allocateSpace(
  device: Device,
  vertices: number,
  arcs: number,
  candidates: number,
): Promise<MatchSpace> {
  const words = (label: string, size: number): Promise<DeviceBuffer> => device.allocate(label, Math.max(4, size))
  const [ends, kept, pointers, matched, even, odd, again, longs, counters] = await Promise.all([
    words('ends', vertices),
    words('kept', keptWords(candidates) * vertices),
    words('pointers', vertices),
    words('matched', Math.ceil(vertices / 32)),
    words('open a', vertices),
    words('open b', vertices),
    words('again', vertices),
    words('long lists', longLists(vertices, arcs)),
    words('counters', COUNTERS),
  ])
  device.clear(matched, 0, Math.ceil(vertices / 32))
  device.clear(counters, 0, COUNTERS)
  return { ends, kept, pointers, matched, open: [even, odd], again, longs, counters }
}
