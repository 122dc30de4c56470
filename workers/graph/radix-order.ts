const DIGIT_BITS = 16
const DIGITS = 1 << DIGIT_BITS

/** Indices by ascending key: stable counting passes from the least significant digit on. @param keys words, the least significant first */
export function radixOrder(keys: readonly Uint32Array[]): Uint32Array {
  const count = keys[0]?.length ?? 0
  let order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  let other = new Uint32Array(count)
  for (const words of keys)
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const starts = new Uint32Array(DIGITS + 1)
      for (let i = 0; i < count; i++) starts[((words[i]! >>> shift) & (DIGITS - 1)) + 1]!++
      // All have the same digit.
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
