import { kernel } from '../kernel.ts'
import wgsl from './distance-words.wgsl?raw'

export const IN = 0
export const OUT = 0xffffffff

const MULTIPLIER_HIGH = 0x2545f491
const MULTIPLIER_LOW = 0x4f6cdd1d

/** Draws words for undecided vertices; see distance-words.wgsl. */
export const distanceWords = kernel(
  'distance-words',
  wgsl,
  ['low', 'count', 'bits', 'draw'],
  { words: 'write' },
  ({ low, count, bits, draw }, { words }) => {
    for (let v = low; v < low + count; v++) {
      if (words[v] === IN || words[v] === OUT) continue
      const word = ((v + 1) | (bits < 32 ? xorshift(xorshift(v) ^ draw) << bits : 0)) >>> 0
      words[v] = word === OUT ? word - 1 : word
    }
  },
)

/** Bits 16 to 47 of the xorshift* of 64 bits, less one. */
export function xorshift(v: number): number {
  let low = v ^ (v >>> 12)
  let high = low >>> 7
  low ^= low << 25
  low ^= (low >>> 27) | (high << 5)
  high ^= high >>> 27
  const product = Math.imul(low, MULTIPLIER_LOW)
  const others = Math.imul(high, MULTIPLIER_LOW) + Math.imul(low, MULTIPLIER_HIGH)
  const upper = upperProduct(low >>> 0, MULTIPLIER_LOW) + others - (product === 0 ? 1 : 0)
  return (((product - 1) >>> 16) | (upper << 16)) >>> 0
}

function upperProduct(a: number, b: number): number {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16]
  const first = a1 * b0 + ((a0 * b0) >>> 16)
  const second = a0 * b1 + (first & 0xffff)
  return a1 * b1 + (first >>> 16) + (second >>> 16)
}
