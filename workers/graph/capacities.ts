import { inputFailure } from '../base/failure.ts'
import { hashOfValues } from './result-file.ts'
import type { Labels } from './labels.ts'

export const DEFAULT_CAPACITY = 2

/** How many partners each vertex may have. */
export interface Capacities {
  /** What all vertices may have; undefined: each has its own number in `column`. */
  readonly all: number | undefined
  readonly column: Float64Array
}

export const capacitiesFrom = (column: Float64Array | undefined, capacity = DEFAULT_CAPACITY): Capacities => ({
  all: column === undefined ? capacity : undefined,
  column: column ?? new Float64Array(0),
})

export const roomOf = ({ all, column }: Capacities, v: number): number => all ?? column[v]!

/** @throws Failure (input) for a number of the column that is no count */
export function requireCounts({ all, column }: Capacities, labels: () => Labels): void {
  if (all !== undefined) return
  const v = column.findIndex((count) => !Number.isSafeInteger(count) || count < 0)
  if (v < 0) return
  const what = `vertex ${labels().of(v)} may have ${column[v]!} partners, which is no count`
  throw inputFailure(undefined, what, 'Give whole numbers of 0 or more.')
}

/** Text by which checkpoints know them. */
export function capacitiesName({ all, column }: Capacities): string {
  return all === undefined ? hashOfValues(new Uint32Array(column.slice().buffer)) : String(all)
}
