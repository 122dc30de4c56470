export interface Range {
  readonly first: number
  readonly last: number
}

/** [0, total) in ranges of so many, the last one shorter. */
export const rangesOf = (total: number, each: number): Range[] =>
  Array.from({ length: Math.ceil(total / each) }, (_, i) => {
    return { first: i * each, last: Math.min(total, (i + 1) * each) }
  })
