// What the cases print and sum up with.

/** The middle one of numbers, the upper one of two; undefined of none. */
export const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1]

/** Median, least and most of times in milliseconds or seconds. */
export function spread(values) {
  const text = (value) => (value < 10 ? value.toFixed(3) : value.toFixed(value < 1000 ? 1 : 0))
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`
}

/** Rows as a table in Markdown; the columns are all keys, in the order in which they first occur. */
export function tableOf(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const text = (value) => {
    if (value === undefined || value === null) return ''
    if (Array.isArray(value)) return spread(value)
    return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value)
  }
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---:')),
    ...rows.map((row) => line(columns.map((name) => text(row[name])))),
  ].join('\n')
}
