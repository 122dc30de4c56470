import { LANES } from '../../../kernels/tc-candidates-lanes.ts'

const LARGEST_LANE = 127

/**
 * What phase 1 compares where there are several seeds: a byte for each position and seed, 1 to 127, 16 bytes a position. Of two
 * neighbours the one with the greater byte has the greater key.
 * @param byteOf the byte of a position under the seed that is so many after the first
 */
export function lanesOf(
  positions: number,
  seeds: number,
  byteOf: (seed: number) => (p: number) => number,
): Uint32Array {
  const lanes = new Uint8Array(LANES * Math.max(1, positions))
  for (let s = 0; s < seeds; s++) {
    const byte = byteOf(s)
    for (let p = 0; p < positions; p++) lanes[LANES * p + s] = Math.min(LARGEST_LANE, Math.max(1, byte(p)))
  }
  return new Uint32Array(lanes.buffer)
}
