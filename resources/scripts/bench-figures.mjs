// What the benchmarks print with: medians, and tables in Markdown.

/** The middle one of numbers, the upper one of two; undefined of none. */
export const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1]

/** Prints rows as a table; `columns` are keys of the rows, all of the first one's by default. */
export function printTable(rows, columns = Object.keys(rows[0])) {
  const text = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value))
  console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => ' ---: ').join('|')}|`)
  for (const row of rows) console.log(`| ${columns.map((column) => text(row[column])).join(' | ')} |`)
}
