import type { Device, DeviceBuffer, Fill } from './device.ts'

/** Copies words from `from` on to wherever a device asks for their bytes. */
export function copyOf(words: Uint32Array, from = 0): Fill {
  return (bytes, at) => bytes.set(new Uint8Array(words.buffer, words.byteOffset + 4 * from + at, bytes.length))
}

/** Copies words to a buffer, to its word `first` and those behind it. */
export async function fillWords(device: Device, buffer: DeviceBuffer, words: Uint32Array, first = 0): Promise<void> {
  if (words.length > 0) await device.fill(buffer, words.length, copyOf(words), first)
}
