export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      columns
        .map(({ align }, column) => {
          const cell = line[column] ?? ''
          return align === 'left' ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Rows without a value are left out. */
export function facts(rows: readonly (readonly [string, string | null])[]): string {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null)
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}
