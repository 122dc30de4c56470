import type { ImportBalance } from '../../contract/jobs.ts'

type Lines = NonNullable<ImportBalance['lines']>

/** What became of the lines of a text, or the rows of a table, by their number (workers/contract/balance.ts). */
export type LineTally = { -readonly [Name in keyof Lines]: Lines[Name] }

export const newTally = (unit: Lines['unit'] = 'lines'): LineTally => ({
  unit,
  ...{ total: 0, header: 0, comments: 0, blank: 0, vertices: 0, entries: 0, filtered: 0, refused: 0, dropped: 0 },
})

/** The tally of two files that are one graph; absent where one of them has none. */
export function sumOfTallies(a: LineTally | undefined, b: LineTally | undefined): LineTally | undefined {
  if (a === undefined || b === undefined) return undefined
  const sum = { ...a }
  for (const name of Object.keys(sum) as (keyof LineTally)[]) if (name !== 'unit') sum[name] += b[name]
  return sum
}

/** @throws Error where lines were lost */
export function checkedTally(tally: LineTally): LineTally {
  const { unit, total, ...parts } = tally
  const sum = Object.values(parts).reduce((all, part) => all + part, 0)
  if (sum === total) return tally
  throw new Error(`${unit} were lost: ${JSON.stringify(parts)} are ${sum} of ${total}`)
}
