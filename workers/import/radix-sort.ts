import type { Pace } from '../threads/pace.ts'

/** 64-bit numbers as their low and high halves. */
export interface Halves {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

const DIGIT_BITS = 16
const STEP = 1 << 20

/** Sorts ascending, 16 bits at a time from the lowest; digits that are the same everywhere cost one look. Uses both arrays up. */
export async function sortHalves(numbers: Halves, pace: Pace): Promise<Halves> {
  let source = numbers
  let target: Halves | null = null
  const total = source.low.length
  const progress = { phase: 'build', done: 0, unit: 'arcs' as const }
  for (let digit = 0; digit < 4; digit++) {
    const counts = new Uint32Array(1 << DIGIT_BITS)
    const keys = digit < 2 ? 'low' : 'high'
    const shift = (digit % 2) * DIGIT_BITS
    await pace.over(total, STEP, progress, (first, last) => countDigits(source[keys], shift, counts, first, last))
    if (counts.includes(total)) continue
    startsOf(counts)
    const into: Halves = (target ??= { low: new Uint32Array(total), high: new Uint32Array(total) })
    const from: Halves = source
    await pace.over(total, STEP, progress, (first, last) => scatter(from, from[keys], shift, counts, into, first, last))
    target = from
    source = into
  }
  return source
}

function countDigits(keys: Uint32Array, shift: number, counts: Uint32Array, first: number, last: number): void {
  for (let i = first; i < last; i++) counts[(keys[i]! >>> shift) & 0xffff]!++
}

function startsOf(counts: Uint32Array): void {
  let sum = 0
  for (let d = 0; d < counts.length; d++) {
    const count = counts[d]!
    counts[d] = sum
    sum += count
  }
}

function scatter(
  from: Halves,
  keys: Uint32Array,
  shift: number,
  starts: Uint32Array,
  into: Halves,
  first: number,
  last: number,
) {
  for (let i = first; i < last; i++) {
    const at = starts[(keys[i]! >>> shift) & 0xffff]!++
    into.low[at] = from.low[i]!
    into.high[at] = from.high[i]!
  }
}
