import type { Device, DeviceBuffer } from './device.ts'

export type Buffers<Name extends string> = Readonly<Record<Name, DeviceBuffer>>

/** A kernel binds at least one vector of four words. */
const LEAST_WORDS = 4

/** Buffers of so many words each. @throws Failure (device) where the device has not the memory */
export async function allocateBuffers<Name extends string>(
  device: Device,
  words: Readonly<Record<Name, number>>,
): Promise<Buffers<Name>> {
  const allocated = Object.entries<number>(words).map(
    async ([label, count]) => [label, await device.allocate(label, Math.max(LEAST_WORDS, count))] as const,
  )
  return Object.fromEntries(await Promise.all(allocated)) as Buffers<Name>
}

/** Of buffers of so many words each. */
export const bytesOfBuffers = (words: Readonly<Record<string, number>>): number =>
  4 * Object.values(words).reduce((sum, count) => sum + count, 0)

export function releaseBuffers(device: Device, buffers: Buffers<string>): void {
  for (const buffer of Object.values(buffers)) device.release(buffer)
}
