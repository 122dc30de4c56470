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
  /** A lower value that no vertex has. */
  readonly unused: number | undefined
  readonly sizes: Uint32Array
  readonly smallest: number
  readonly largest: number
}

/** How many vertices have each value. There are no more values than vertices: a larger one means that another is not used. */
export function classSizes(values: Uint32Array): ClassSizes {
  let classes = 0
  for (const value of values) classes = Math.max(classes, value + 1)
  const sizes = new Uint32Array(classes > values.length ? 0 : classes)
  if (sizes.length < classes) return { classes, unused: 0, sizes, smallest: 0, largest: 0 }
  for (const value of values) sizes[value]!++
  const unused = sizes.indexOf(0)
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0)
  const smallest = sizes.reduce((a, b) => Math.min(a, b), largest)
  return { classes, unused: unused < 0 ? undefined : unused, sizes, smallest, largest }
}
