import type { Run } from '../../../electron/contract/run.ts'
import { tickOfTime } from '../charts/axis-words.ts'
import type { Chart } from '../charts/chart.ts'
import { groupedBars } from '../charts/grouped-bars.ts'
import { byteSize, duration } from '../quantity.ts'
import { words } from '../words/words.ts'

const text = words.run.workers
const units = [
  { unit: 'ms', title: text.ms, measure: text.msMeasure, tick: tickOfTime, words: duration },
  { unit: 'bytes', title: text.bytes, measure: text.bytesMeasure, tick: byteSize, words: byteSize },
] as const

/** Where the time goes and what is moved, worker beside worker; nothing for a worker alone. */
export function workerCharts({ record }: Run): readonly Chart[] {
  if (record === null) return []
  const { series, devices } = record.outcome
  const figures = series.filter(({ of, values }) => of === 'worker' && values.length > 1)
  return units.flatMap(({ unit, ...more }) => {
    const shown = figures.filter((one) => one.unit === unit && one.values.some((value) => value > 0))
    if (shown.length === 0) return []
    const workers = shown[0]!.values.map((_, at) => `${at}: ${devices[at]?.id ?? ''}`)
    const bars = shown.map(({ name, values }) => ({
      name: name.charAt(0).toUpperCase() + name.slice(1),
      values: values.map((value) => ({ median: value, min: value, max: value, repeats: 1 })),
    }))
    return [groupedBars({ category: text.worker, categories: workers, series: bars, ...more })]
  })
}
