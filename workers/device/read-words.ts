import type { Device, DeviceBuffer } from './device.ts'

/** Words that are read at a time. */
const PIECE_WORDS = 1 << 20

/**
 * Copies words of a buffer, from its word `first` on, to host memory in pieces: the device sends one while the host copies another, in little
 * memory of the device's driver. Nothing that changes them may be launched meanwhile.
 */
export async function readWords(device: Device, buffer: DeviceBuffer, first: number, into: Uint32Array): Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  for (let at = 0; at < into.length; at += PIECE_WORDS) {
    const piece = into.subarray(at, at + PIECE_WORDS)
    const reading = device.read(buffer, first + at, piece.length, piece)
    // It may fail while the one before is waited for.
    reading.catch(() => {})
    await before
    before = reading
  }
  await before
}
