/** Whole numbers from `first` to `end` - 1. */
export interface Range {
  readonly first: number
  readonly end: number
}

/** [0, total) in ranges of so many, the last one shorter. */
export const rangesOf = (total: number, each: number): Range[] =>
  Array.from({ length: Math.ceil(total / each) }, (_, i) => {
    return { first: i * each, end: Math.min(total, (i + 1) * each) }
  })

/** The ranges in order; those that touch become one. */
export function united(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const { first, end } of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = all.at(-1)
    if (last?.end === first) all[all.length - 1] = { first: last.first, end }
    else all.push({ first, end })
  }
  return all
}

export const within = ({ first, end }: Range, limits: Range): Range => {
  const from = Math.min(Math.max(first, limits.first), limits.end)
  return { first: from, end: Math.max(from, Math.min(end, limits.end)) }
}

/** The first of [low, high) that is not before it; else high. */
export function lowerBound(low: number, high: number, isBefore: (at: number) => boolean): number {
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of a word among ascending ones [from, end); -1: it is not there. */
export function placeOf(words: Uint32Array, from: number, end: number, word: number): number {
  const at = lowerBound(from, end, (place) => words[place]! < word)
  return at < end && words[at] === word ? at : -1
}
