export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly repeats: number
}

/** null where there is nothing to measure. The median of an even number is the mean of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (min === undefined || max === undefined) return null
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? min
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)] ?? max
  return { median: (lower + upper) / 2, min, max, repeats: sorted.length }
}

/** "230 ms", or "230 ms (221 ms to 250 ms, 5 runs)" where it was measured more than once. */
export function spreadWords({ median, min, max, repeats }: Spread, words: (value: number) => string): string {
  if (repeats === 1) return words(median)
  return `${words(median)} (${words(min)} to ${words(max)}, ${repeats} runs)`
}
