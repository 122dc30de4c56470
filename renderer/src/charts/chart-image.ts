import type { Chart } from './chart.ts'
import { printTheme } from './chart-theme.ts'

/** Size of saved charts in CSS pixels: two to a line of a paper, at 2 dots a pixel for PNG. */
const SAVED = { width: 960, height: 480 } as const
const DOTS_A_PIXEL = 2

/** What is saved has a title, a white ground, nothing that moves and no slider. */
function optionToSave(chart: Chart): Record<string, unknown> {
  const { dataZoom: _, grid, legend, ...option } = chart.option(printTheme) as Record<string, unknown>
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
  const drawn = init(null, null, { renderer: 'svg', ssr: true, ...SAVED })
  try {
    drawn.setOption(optionToSave(chart))
    return drawn.renderToSVGString()
  } finally {
    drawn.dispose()
  }
}

export async function chartAsPng(chart: Chart): Promise<Uint8Array<ArrayBuffer>> {
  const { init } = await import('./echarts.ts')
  const drawn = init(document.createElement('div'), null, { renderer: 'canvas', ...SAVED })
  try {
    drawn.setOption(optionToSave(chart))
    const url = drawn.getDataURL({ type: 'png', pixelRatio: DOTS_A_PIXEL, backgroundColor: '#ffffff' })
    return Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (byte) => byte.charCodeAt(0))
  } finally {
    drawn.dispose()
  }
}
