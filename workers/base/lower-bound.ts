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
