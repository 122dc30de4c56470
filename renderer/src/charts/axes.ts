import type { ChartTheme } from './chart-theme.ts'

/** What all charts share: thin lines, quiet labels, room for them, and a tooltip that needs no style of its own (the page forbids such). */
export function frame(theme: ChartTheme): Record<string, unknown> {
  return {
    animation: false,
    textStyle: { color: theme.text, fontFamily: 'system-ui, sans-serif', fontSize: 12 },
    color: [...theme.series],
    grid: { left: 8, right: 20, top: 36, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    tooltip: {
      trigger: 'item',
      renderMode: 'richText',
      confine: true,
      transitionDuration: 0,
      backgroundColor: theme.ground,
      borderColor: theme.line,
      textStyle: { color: theme.text, fontSize: 12 },
    },
  }
}

export function legend(theme: ChartTheme, names: readonly string[]): Record<string, unknown> {
  return {
    type: 'scroll',
    data: [...names],
    top: 2,
    left: 4,
    right: 4,
    itemWidth: 22,
    itemHeight: 11,
    itemGap: 18,
    textStyle: { color: theme.text, fontSize: 12 },
    pageTextStyle: { color: theme.quiet },
    pageIconColor: theme.text,
    pageIconInactiveColor: theme.line,
  }
}

export function axis(theme: ChartTheme, name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name,
    nameLocation: 'middle',
    nameGap: 8,
    nameTextStyle: { color: theme.quiet, fontSize: 12 },
    axisLine: { show: true, lineStyle: { color: theme.line } },
    axisTick: { show: false },
    axisLabel: { color: theme.quiet, fontSize: 11.5, hideOverlap: true },
    splitLine: { show: true, lineStyle: { color: theme.line, opacity: 0.6 } },
    minorTick: { show: false },
    ...more,
  }
}
