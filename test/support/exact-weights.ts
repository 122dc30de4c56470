/** Weights that 32-bit floats do not hold, or do not tell apart. */
const NASTY = [
  2 ** 53 - 1,
  2 ** 53 - 2,
  2 ** 53 - 4,
  0.1,
  0.2,
  0.1 + 0.2,
  0.3,
  1e-300,
  1e300,
  3e-300,
  16777217,
  16777216,
]

/** One of a few weights, most of which are near another. @param draw in [0, 1) */
export function nastyWeight(draw: () => number): number {
  const kind = Math.floor(draw() * 4)
  if (kind === 0) return NASTY[Math.floor(draw() * NASTY.length)]!
  if (kind === 1) return 1 + Math.floor(draw() * 8) * 2 ** -52
  if (kind === 2) return draw() + 2 ** -60
  return (Math.floor(draw() * 40) + 1) / 10
}

/** A number as mantissa times a power of two. */
function partsOf(value: number): readonly [mantissa: bigint, exponent: number] {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & ((1n << 52n) - 1n)
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075]
}

/** The sum of positive numbers in whole ones of any length, rounded to the nearest number, to the even one of two. */
export function exactSum(values: readonly number[]): number {
  const least = -1074
  let sum = 0n
  for (const value of values) {
    const [mantissa, exponent] = partsOf(value)
    sum += mantissa << BigInt(exponent - least)
  }
  const extra = sum.toString(2).length - 53
  if (extra <= 0) return Number(sum) * 2 ** least
  const unit = 1n << BigInt(extra)
  const rest = sum % unit
  let whole = sum / unit
  if (2n * rest > unit || (2n * rest === unit && whole % 2n === 1n)) whole++
  // Two steps, none of which leaves the range.
  const half = Math.floor((extra + least) / 2)
  return Number(whole) * 2 ** half * 2 ** (extra + least - half)
}
