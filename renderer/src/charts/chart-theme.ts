import { computed } from 'vue'
import { coloursOf } from '../theme/colours.ts'
import { theme } from '../theme/theme.ts'

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

/** Of everything that is saved: charts go to papers and printers, whatever the page looks like. */
export const printTheme = (): ChartTheme => themeOf('light')

export const useChartTheme = () => computed(() => themeOf(theme.shown.value))
