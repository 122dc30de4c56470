import type { EChartsCoreOption } from 'echarts/core'
import { printTheme, type ChartTheme } from './chart-theme.ts'
import type { ChartWalk } from './timeline-walk.ts'
import { pngOf } from './save-file.ts'

export interface Chart {
  readonly title: string
  readonly summary: string
  readonly numbers: NumberTable
  /** What its labels need, in pixels, where that is more than others have. */
  readonly height?: number | undefined
  /** A walk, if there is more in it than the summary tells. */
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

/** Size of saved charts in CSS pixels: two to a line of a paper. */
const SAVED = { width: 960, height: 480 } as const
/** Room for the title of a saved chart. */
const TITLE = 40

const savedSize = ({ height = 0 }: Chart) => ({ ...SAVED, height: Math.max(SAVED.height, height + TITLE) })

/** What is saved has a title, a white ground, nothing that moves and no slider. */
function optionToSave(chart: Chart): Record<string, unknown> {
  const { dataZoom: _, grid, legend, ...option } = chart.option(printTheme()) as Record<string, unknown>
  const title = { text: chart.title, left: 12, top: 8, textStyle: { fontSize: 15, fontWeight: 600 } }
  return {
    ...option,
    title,
    backgroundColor: '#ffffff',
    animation: false,
    tooltip: { show: false },
    legend: legend === undefined ? undefined : { ...(legend as object), top: 36 },
    grid: { ...(grid as object), top: 76, left: 12, right: 24, bottom: 12 },
  }
}

export async function chartAsSvg(chart: Chart): Promise<string> {
  const { init } = await import('./echarts.ts')
  const drawing = init(null, null, { renderer: 'svg', ssr: true, ...savedSize(chart) })
  try {
    drawing.setOption(optionToSave(chart))
    return drawing.renderToSVGString()
  } finally {
    drawing.dispose()
  }
}

export const chartAsPng = async (chart: Chart): Promise<Blob> => pngOf(await chartAsSvg(chart), savedSize(chart))
