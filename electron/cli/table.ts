export interface Column {
  readonly title: string
  /** Figures stand at the right, words at the left. */
  readonly align: 'left' | 'right'
}

/** Lines of an aligned table with its titles on top; columns two spaces apart, nothing at the ends of lines. */
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

/** Lines "name   value", the values aligned; rows without a value are left out. */
export function facts(rows: readonly (readonly [string, string | null])[]): string {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null)
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}
