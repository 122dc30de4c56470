import { computed } from 'vue'
import { coloursOf, theme } from '../theme/theme.ts'

const tokens = {
  text: '--text',
  quiet: '--quiet',
  line: '--line',
  ground: '--surface',
  inSet: '--fill-in',
  undecided: '--fill-undecided',
  read: '--lane-read',
  copy: '--lane-copy',
  kernel: '--lane-kernel',
  exchange: '--lane-exchange',
  wait: '--lane-wait',
} as const

export type ChartTheme = Readonly<Record<keyof typeof tokens, string>> & {
  readonly dark: boolean
  readonly series: readonly string[]
}

const series = {
  light: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#6b6e73', '#b8a800'],
  dark: ['#4ba3dd', '#e69f00', '#1fb58a', '#dd94bd', '#8acdf2', '#f07a2b', '#9aa0a8', '#d8cc3a'],
} as const

const themeOf = (scheme: 'light' | 'dark'): ChartTheme => ({
  ...coloursOf(tokens, scheme),
  ...{ dark: scheme === 'dark', series: series[scheme] },
})

/** The theme of everything that is saved: charts go to papers and printers, whatever the page looks like. */
export const printTheme = (): ChartTheme => themeOf('light')

export const useChartTheme = () => computed(() => themeOf(theme.shown.value))

/** Patterns over the colours, so that no chart depends on telling hues apart; the fields are those of ECharts' decals. */
export type Pattern = object

const ink = 'rgba(0, 0, 0, 0.38)'
const light = 'rgba(255, 255, 255, 0.62)'
const stripe = { symbol: 'rect', symbolSize: 1, dashArrayX: [1, 0] } as const

export const slanted: Pattern = { ...stripe, color: ink, dashArrayY: [2, 5], rotation: -Math.PI / 4 }
export const backslanted: Pattern = { ...stripe, color: light, dashArrayY: [2, 4], rotation: Math.PI / 4 }
const upright: Pattern = { ...stripe, color: ink, dashArrayY: [2, 4], rotation: Math.PI / 2 }
export const level: Pattern = { ...stripe, color: light, dashArrayY: [1, 4], rotation: 0 }
export const dotted: Pattern = {
  symbol: 'circle',
  symbolSize: 0.85,
  color: ink,
  dashArrayX: [
    [6, 6],
    [0, 6, 6, 0],
  ],
  dashArrayY: [6, 0],
  rotation: 0,
}
const chequered: Pattern = {
  ...dotted,
  symbol: 'rect',
  symbolSize: 1,
  color: light,
  dashArrayX: [
    [4, 4],
    [0, 4, 4, 0],
  ],
  dashArrayY: [4, 0],
}

const inOrder: readonly (Pattern | null)[] = [null, slanted, backslanted, dotted, upright, level, chequered]

export function patternOf(series: number): Pattern | null {
  return inOrder[series % inOrder.length] ?? null
}
