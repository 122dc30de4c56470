import { kernel } from '../kernel.ts'
import wgsl from './piece-sums.wgsl?raw'

const PIECE_WORDS = 1 << 18
const SEGMENT_WORDS = 1 << 15
const SEGMENTS = PIECE_WORDS / SEGMENT_WORDS
const WORKGROUP = 256
const POLYNOMIAL = 0xedb88320

export const pieceSums = kernel(
  'piece-sums',
  wgsl,
  ['first', 'count', 'last', 'begin'],
  { words: 'read', tables: 'read', sums: 'atomic' },
  ({ first, count, last, begin }, { words, sums }) => {
    for (let piece = 0; piece < count; piece++) {
      const length = piece + 1 === count ? last : PIECE_WORDS
      let sum = 0xffffffff
      for (let i = 0; i < length; i++) {
        sum ^= words[begin + PIECE_WORDS * piece + i]!
        for (let bit = 0; bit < 32; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1
      }
      sums[first + piece]! ^= sum
    }
  },
)

export const sumThreads = (pieces: number): number => SEGMENTS * WORKGROUP * pieces

/** x^0 is the highest bit. */
function product(a: number, b: number): number {
  let [left, right, sum] = [a, b, 0]
  for (; left !== 0; left <<= 1) {
    if (left < 0 || left >= 2 ** 31) sum ^= right
    right = (right & 1) === 1 ? (right >>> 1) ^ POLYNOMIAL : right >>> 1
  }
  return sum >>> 0
}

function power(base: number, exponent: number): number {
  let [square, result] = [base, 2 ** 31]
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, square)
    square = product(square, square)
  }
  return result
}

/** Products of bytes, powers of lanes and of segments. */
export const SUM_TABLE_WORDS = 1024 + WORKGROUP + 1 + SEGMENTS

export function sumTables(): Uint32Array {
  const x32 = power(2 ** 30, 32)
  const ahead = power(x32, WORKGROUP)
  const bytes = Array.from({ length: 1024 }, (_, i) => product(((i & 0xff) << (8 * (i >>> 8))) >>> 0, ahead))
  const powers = Array.from({ length: WORKGROUP + 1 }, (_, e) => power(x32, e))
  const segments = Array.from({ length: SEGMENTS }, (_, s) => power(x32, SEGMENT_WORDS * s))
  return Uint32Array.from([...bytes, ...powers, ...segments])
}
