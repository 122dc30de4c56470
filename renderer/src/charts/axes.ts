import type { ChartTheme } from './chart-theme.ts'

const compact = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

/** Figures on an axis: "250", "1.5 k", "67 M", "10 G". */
export function tick(value: number): string {
  const size = Math.abs(value)
  if (size < 1e4) return compact.format(value)
  const [unit, power] = size < 1e6 ? ['k', 1e3] : size < 1e9 ? ['M', 1e6] : size < 1e12 ? ['G', 1e9] : ['T', 1e12]
  return `${compact.format(value / power)} ${unit}`
}

const LEAST_LABEL = 5

/** A name whose ends stay where it is cut: those tell names apart. */
export function shortened(name: string, most: number): string {
  const room = Math.max(LEAST_LABEL, most)
  if (name.length <= room) return name
  const end = Math.floor((room - 1) / 2)
  return `${name.slice(0, room - 1 - end)}…${name.slice(name.length - end)}`
}

/** Marks of counts: a logarithmic axis of them may begin below 1. */
export const wholeTick = (value: number): string => (value > 0 && value < 1 ? '' : tick(value))

export function tickOfTime(elapsedMs: number): string {
  if (elapsedMs < 1000) return `${compact.format(elapsedMs)} ms`
  if (elapsedMs < 120_000) return `${compact.format(elapsedMs / 1000)} s`
  if (elapsedMs < 7_200_000) return `${compact.format(elapsedMs / 60_000)} min`
  return `${compact.format(elapsedMs / 3_600_000)} h`
}

export function rate(perSecond: number, unit: string): string {
  const words = tick(perSecond)
  return /[a-zA-Z]$/.test(words) ? `${words}${unit}/s` : `${words} ${unit}/s`
}

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

/** A tooltip in words of the mark that is pointed at. */
export function tooltipOf<T>(marks: readonly T[], words: (mark: NonNullable<T>, at: number) => string): object {
  return { formatter: ({ dataIndex: at }: { dataIndex: number }) => (marks[at] == null ? '' : words(marks[at], at)) }
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

export function axis(
  theme: ChartTheme,
  name: string,
  { axisLabel, ...more }: Record<string, unknown> & { readonly axisLabel?: object } = {},
): Record<string, unknown> {
  return {
    name,
    nameLocation: 'middle',
    nameGap: 8,
    nameTextStyle: { color: theme.quiet, fontSize: 12 },
    axisLine: { show: true, lineStyle: { color: theme.line } },
    axisTick: { show: false },
    axisLabel: { color: theme.quiet, fontSize: 11.5, hideOverlap: true, ...axisLabel },
    splitLine: { show: true, lineStyle: { color: theme.line, opacity: 0.6 } },
    ...more,
  }
}
