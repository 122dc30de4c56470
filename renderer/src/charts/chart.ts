import type { EChartsCoreOption } from 'echarts/core'
import type { ChartTheme } from './chart-theme.ts'
import type { ChartWalk } from './chart-walk.ts'

export interface Chart {
  readonly title: string
  readonly summary: string
  readonly numbers: NumberTable
  /** Where there is more in it than the summary tells. */
  readonly walk?: ChartWalk | undefined
  option(theme: ChartTheme): EChartsCoreOption
}

export interface NumberTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/**
 * RFC 4180, with a line feed after every row; numbers as JavaScript writes them, so that nothing is rounded. An apostrophe goes before a
 * name that a spreadsheet would take for a formula: anybody may have named a run.
 */
export function toCsv({ columns, rows }: NumberTable): string {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\n`).join('')
}

function field(value: string | number | null): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
