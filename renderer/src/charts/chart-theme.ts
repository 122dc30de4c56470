import { computed, type ComputedRef } from 'vue'
import { useColours } from '../theme/colours.ts'
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

/** Of everything that is saved: charts go to papers and printers, whatever the page looks like. */
export const printTheme: ChartTheme = {
  dark: false,
  text: '#1a1e23',
  quiet: '#59616b',
  line: '#dcdfe3',
  ground: '#ffffff',
  inSet: '#0072b2',
  undecided: '#e69f00',
  read: '#56b4e9',
  copy: '#e69f00',
  kernel: '#0072b2',
  exchange: '#cc79a7',
  wait: '#c3c8ce',
  series: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#6b6e73', '#b8a800'],
}

const darkSeries = ['#4ba3dd', '#e69f00', '#1fb58a', '#dd94bd', '#8acdf2', '#f07a2b', '#9aa0a8', '#d8cc3a']

export function useChartTheme(): ComputedRef<ChartTheme> {
  const colours = useColours(tokens)
  return computed(() => {
    const dark = theme.shown.value === 'dark'
    return { ...colours.value, dark, series: dark ? darkSeries : printTheme.series }
  })
}
