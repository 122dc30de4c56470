/** What breaks a law: vertices, and how, by their labels. */
export interface Witness {
  readonly vertices: readonly number[]
  readonly sentence: (labels: readonly string[]) => string
}

export const witnessAt = (vertices: readonly number[], words: (...labels: string[]) => string): Witness => ({
  vertices,
  sentence: (labels) => words(...labels),
})

/** What was found, by the names of the figures; without a witness the claim holds. */
export interface Checked {
  readonly witness: Witness | undefined
  readonly figures: Readonly<Record<string, number>>
}

interface ClassSizes {
  /** The largest value, and one. */
  readonly classes: number
  /** The least value below it that no vertex has. */
  readonly unused: number | undefined
  readonly sizes: Uint32Array
  readonly smallest: number
  readonly largest: number
}

/** How many vertices have each value below their number: a larger one means that one of these is not used. */
export function classSizes(values: Uint32Array): ClassSizes {
  let classes = 0
  for (const value of values) classes = Math.max(classes, value + 1)
  const sizes = new Uint32Array(Math.min(classes, values.length))
  for (const value of values) if (value < sizes.length) sizes[value]!++
  const unused = sizes.indexOf(0)
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0)
  const smallest = sizes.reduce((a, b) => Math.min(a, b), largest)
  return { classes, unused: unused < 0 ? undefined : unused, sizes, smallest, largest }
}
