/**
 * The order of the tails in a view of kind `weight-levels`, for matchings that read from disk what they need:
 *
 * - Open lists stand in front, in levels: the first 4 entries of the tail of every vertex, by ascending vertex; then the next 8 of all
 *   whose tails are longer; the next 16, and so on. Who has come to the end of a level is one of few, and the others' rest is left alone.
 * - Closed lists stand behind them, each in one piece: those of vertices whose first entry has them for its own first entry. Such two
 *   are matched in the first round, whoever else is there, and nobody ever reads on in their lists.
 *
 * See docs/decisions/0016-tails-in-levels.md. The lengths of the tails and the matches of the first round tell where everything is.
 */
const FIRST_WIDTH = 4

/** Where level `level` begins in a tail. */
export const levelStart = (level: number): number => FIRST_WIDTH * (2 ** level - 1)

/** The level that holds the entry at this place of a tail. */
export const levelAt = (place: number): number => levelsOf(place + 1) - 1

/** Levels that a tail of this length takes part in. */
export const levelsOf = (tail: number): number => 32 - Math.clz32(Math.ceil(tail / FIRST_WIDTH))

/** Adds the entries of an open tail to the sums of the levels. */
export function addToLevels(sums: Float64Array, tail: number): void {
  for (let level = 0, left = tail, width = FIRST_WIDTH; left > 0; level++, left -= width, width *= 2)
    sums[level]! += Math.min(left, width)
}
