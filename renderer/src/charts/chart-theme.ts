import { computed } from 'vue'
import type { ComputedRef } from 'vue'
import { useColours } from '../theme/colours.ts'
import { theme } from '../theme/theme.ts'

/** Colours of a chart: those of the page, and those with a meaning (Okabe and Ito, told apart by every eye). */
export interface ChartTheme {
  readonly dark: boolean
  readonly text: string
  readonly quiet: string
  readonly line: string
  readonly ground: string
  readonly inSet: string
  readonly undecided: string
  readonly read: string
  readonly copy: string
  readonly kernel: string
  readonly exchange: string
  readonly wait: string
  /** For lines and bars that stand for nothing but themselves, in order. */
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

const tokens = [
  '--text',
  '--quiet',
  '--line',
  '--surface',
  '--fill-in',
  '--fill-undecided',
  '--lane-read',
  '--lane-copy',
  '--lane-kernel',
  '--lane-exchange',
  '--lane-wait',
] as const

/** The page's colours; they follow its theme. */
export function useChartTheme(): ComputedRef<ChartTheme> {
  const colours = useColours(tokens)
  return computed(() => {
    const dark = theme.shown.value === 'dark'
    const at = colours.value
    return {
      dark,
      text: at['--text'],
      quiet: at['--quiet'],
      line: at['--line'],
      ground: at['--surface'],
      inSet: at['--fill-in'],
      undecided: at['--fill-undecided'],
      read: at['--lane-read'],
      copy: at['--lane-copy'],
      kernel: at['--lane-kernel'],
      exchange: at['--lane-exchange'],
      wait: at['--lane-wait'],
      series: dark ? darkSeries : printTheme.series,
    }
  })
}
