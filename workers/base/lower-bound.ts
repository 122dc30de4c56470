/** The first number of [low, high) that is not before what is looked for; high where all are. */
export function lowerBound(low: number, high: number, isBefore: (at: number) => boolean): number {
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
