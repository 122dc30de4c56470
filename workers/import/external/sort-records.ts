const DIGIT_BITS = 11

/** One pass of a radix sort: by `bits` bits of a word of the record, from bit `shift`. */
interface Digit {
  readonly word: 0 | 1
  readonly shift: number
  readonly bits: number
}

/**
 * Sorts records by source (word 0 without its lowest bit), then by target (word 1), keeping the order of equals. Uses both arrays up.
 * @param sources, targets one more than the largest that occurs
 * @returns the array that the sorted records stand in
 */
export function sortRecords(
  records: Uint32Array,
  room: Uint32Array,
  recordWords: 2 | 3,
  sources: number,
  targets: number,
): Uint32Array {
  let from = records
  let into = room
  for (const digit of [...digits(1, 0, targets), ...digits(0, 1, sources)]) {
    const starts = digitStarts(from, recordWords, digit)
    if (starts === null) continue
    if (recordWords === 2) scatterPairs(from, into, starts, digit)
    else scatterTriples(from, into, starts, digit)
    ;[from, into] = [into, from]
  }
  return from
}

function digits(word: 0 | 1, skipped: number, values: number): Digit[] {
  const bits = Math.ceil(Math.log2(Math.max(2, values)))
  const passes = Math.ceil(bits / DIGIT_BITS)
  const width = Math.ceil(bits / passes)
  return Array.from({ length: passes }, (_, i) => ({ word, shift: skipped + i * width, bits: width }))
}

/** Where the records of each value of the digit go; null where all have the same. */
function digitStarts(records: Uint32Array, recordWords: number, { word, shift, bits }: Digit): Uint32Array | null {
  const counts = new Uint32Array(1 << bits)
  const mask = (1 << bits) - 1
  for (let i = word; i < records.length; i += recordWords) counts[(records[i]! >>> shift) & mask]!++
  let sum = 0
  for (let d = 0; d < counts.length; d++) {
    const count = counts[d]!
    if (count * recordWords === records.length) return null
    counts[d] = sum
    sum += count * recordWords
  }
  return counts
}

function scatterPairs(from: Uint32Array, into: Uint32Array, starts: Uint32Array, { word, shift, bits }: Digit): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < from.length; i += 2) {
    const d = (from[i + word]! >>> shift) & mask
    const at = starts[d]!
    into[at] = from[i]!
    into[at + 1] = from[i + 1]!
    starts[d] = at + 2
  }
}

function scatterTriples(from: Uint32Array, into: Uint32Array, starts: Uint32Array, { word, shift, bits }: Digit): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < from.length; i += 3) {
    const d = (from[i + word]! >>> shift) & mask
    const at = starts[d]!
    into[at] = from[i]!
    into[at + 1] = from[i + 1]!
    into[at + 2] = from[i + 2]!
    starts[d] = at + 3
  }
}
