import { COUNTERS, keptWords } from '../../../kernels/matching/match-state.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'

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

export interface SpaceSize {
  readonly vertices: number
  readonly candidates: number
  /** Long lists of a scan, at most. */
  readonly longs: number
  /** Whether the places of collected lists follow the ends, and bits of waiting vertices those of matched ones. */
  readonly collects: boolean
}

/** No vertex has a mate. @throws Failure (device) where the device has not the memory */
export async function allocateSpace(
  device: Device,
  { vertices, candidates, longs: most, collects }: SpaceSize,
): Promise<MatchSpace> {
  const words = (label: string, size: number): Promise<DeviceBuffer> => device.allocate(label, Math.max(4, size))
  const each = collects ? 2 : 1
  const bits = Math.ceil(vertices / 32)
  const [ends, kept, pointers, matched, even, odd, again, longs, counters] = await Promise.all([
    words('ends', each * vertices),
    words('kept', keptWords(candidates) * vertices),
    words('pointers', vertices),
    words('matched', each * bits),
    words('open a', vertices),
    words('open b', vertices),
    words('again', vertices),
    words('long lists', most),
    words('counters', COUNTERS),
  ])
  device.clear(matched, 0, bits)
  device.clear(counters, 0, COUNTERS)
  return { ends, kept, pointers, matched, open: [even, odd], again, longs, counters }
}

export function releaseSpace(device: Device, { open, ...others }: MatchSpace): void {
  for (const buffer of [...Object.values(others), ...open]) device.release(buffer)
}
