import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly, percent } from '../quantity.ts'
import { words } from '../words/words.ts'
import type { Chart } from './chart.ts'
import { countBars } from './count-bars.ts'

export type ValueCounts = CallResult<'explore.values'>
type Bar = ValueCounts['bars'][number]

const text = words.run.spread
/** What a bar stands for, as the table's conditions say it: `core number = 3`, `component size >= 64 and component size <= 127`. */
export function conditionOf({ by }: ValueCounts, { from, to, text: value }: Bar, label: string): string {
  const column = by === 'sizes' ? `${label.toLowerCase()} size` : label.toLowerCase()
  if (from !== to) return `${column} >= ${from} and ${column} <= ${to}`
  const isNumber = by === 'sizes' || /^\d+$/.test(value)
  return `${column} = ${isNumber ? value : `'${value.replaceAll("'", "''")}'`}`
}

/** How many vertices have each value, or how many classes are of each size. `label`: of the value, "Core number". */
export function valueChart(counts: ValueCounts, label: string): Chart {
  const { by, bars, distinct, without } = counts
  const ofSizes = by === 'sizes'
  const name = label.toLowerCase()
  const measured = (bar: Bar): number => (ofSizes ? bar.values : bar.vertices)
  const all = bars.reduce((sum, { vertices }) => sum + vertices, without)
  const measure = ofSizes ? text.classes : words.library.vertices
  const most = bars.toSorted((a, b) => measured(b) - measured(a))[0]
  const said = (bar: Bar): string => (ofSizes ? bar.text.replaceAll(/\d+/g, (size) => exactly(Number(size))) : bar.text)
  const barWords = (bar: Bar): string =>
    ofSizes
      ? text.ofSize(name, said(bar), exactly(bar.values), exactly(bar.vertices), percent(bar.vertices / all))
      : text.ofValue(name, bar.text, exactly(bar.vertices), percent(bar.vertices / all))
  return {
    title: ofSizes ? text.sizes(label) : text.values(label),
    summary: `${text.distinct(exactly(distinct), name, distinct === 1)} ${most === undefined ? '' : text.most(barWords(most))}`,
    numbers: {
      columns: ofSizes ? [text.size(name), measure, words.library.vertices] : [name, words.library.vertices],
      rows: bars.map((bar) => (ofSizes ? [bar.text, bar.values, bar.vertices] : [bar.text, bar.vertices])),
    },
    option: (theme) =>
      countBars(
        {
          ...{ name: ofSizes ? text.size(name) : name, measure, clickable: true },
          bars: bars.map((bar) => ({ ...bar, text: said(bar), count: measured(bar) })),
          words: (bar) => `${barWords(bar)}\n${text.click}`,
        },
        theme,
      ),
  }
}
