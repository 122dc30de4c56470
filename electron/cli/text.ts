/** @param titles with " | " between them; ">" after one aligns its column to the right */
export function table(titles: string, rows: readonly (readonly string[])[]): string {
  const columns = titles.split(' | ')
  const lines = [columns.map((title) => title.replace(/>$/, '')), ...rows]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const cell = (text: string, column: number): string =>
    columns[column]!.endsWith('>') ? text.padStart(widths[column]!) : text.padEnd(widths[column]!)
  return lines
    .map((line) =>
      columns
        .map((_, i) => cell(line[i] ?? '', i))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function facts(rows: readonly (readonly [string, string | null])[]): string {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null)
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}

export { byteSize as bytes, duration } from '../contract/words.ts'

/** `Intl` takes 15 ms for the first one. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const counted = (n: number, one: string, many: string): string => `${count(n)} ${n === 1 ? one : many}`

/** "5 vertices, 1 edge" */
export const sizeText = ({ vertices, arcs }: { readonly vertices: number; readonly arcs: number }): string =>
  `${counted(vertices, 'vertex', 'vertices')}, ${counted(arcs / 2, 'edge', 'edges')}`

export function figure(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return count(Math.round(value))
  return String(Number(value.toPrecision(3)))
}

export const share = (value: number): string => `${Number((100 * value).toPrecision(3))} %`

/** A share of what is possible, rounded down: 0.99996 -> "99.9 %"; only 1 is "100.0 %". */
export function shareAtLeast(value: number): string {
  const tenths = Math.floor(1000 * value + 1e-9)
  return `${((value < 1 ? Math.min(999, tenths) : tenths) / 10).toFixed(1)} %`
}
