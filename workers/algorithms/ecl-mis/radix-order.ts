const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/**
 * Indices in ascending order of their keys, by stable counting passes from the least significant digit on.
 * @param keys words of every key, the least significant first, each array as long as there are keys
 */
export function radixOrder(keys: readonly Uint32Array[]): Uint32Array {
  const count = keys[0]?.length ?? 0
  let order = Uint32Array.from({ length: count }, (_, i) => i)
  let other = new Uint32Array(count)
  for (const words of keys)
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const starts = new Uint32Array(DIGITS + 1)
      for (let i = 0; i < count; i++) starts[((words[i]! >>> shift) & (DIGITS - 1)) + 1]!++
      // One digit in all of them.
      if (starts.includes(count, 1)) continue
      for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!
      for (let i = 0; i < count; i++) {
        const index = order[i]!
        other[starts[(words[index]! >>> shift) & (DIGITS - 1)]!++] = index
      }
      ;[order, other] = [other, order]
    }
  return order
}
