import type { Chart } from './chart.ts'
import { printTheme } from './chart-theme.ts'
import { pngOf } from './save-file.ts'

/** Size of saved charts in CSS pixels: two to a line of a paper. */
const SAVED = { width: 960, height: 480 } as const

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
  const drawing = init(null, null, { renderer: 'svg', ssr: true, ...SAVED })
  try {
    drawing.setOption(optionToSave(chart))
    return drawing.renderToSVGString()
  } finally {
    drawing.dispose()
  }
}

export const chartAsPng = async (chart: Chart): Promise<Blob> => pngOf(await chartAsSvg(chart), SAVED)
