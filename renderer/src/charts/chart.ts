import type { EChartsCoreOption } from 'echarts/core'
import type { ChartTheme } from './chart-theme.ts'
import type { ChartWalk } from './chart-walk.ts'
import type { NumberTable } from './number-table.ts'

/** A chart before it is drawn: what it says in a sentence, its figures, and how it looks in a theme. */
export interface Chart {
  readonly title: string
  /** What a person who cannot see it is told. */
  readonly summary: string
  readonly numbers: NumberTable
  /** Where there is more in it than the summary tells. */
  readonly walk?: ChartWalk | undefined
  option(theme: ChartTheme): EChartsCoreOption
}
