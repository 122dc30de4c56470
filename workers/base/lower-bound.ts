/** The first of [low, high) that is not before it; else high. */
export function lowerBound(low: number, high: number, isBefore: (at: number) => boolean): number {
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
