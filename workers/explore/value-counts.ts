import type { JobContext } from '../base/job.ts'
import { algorithmEntry, type ValuesEntry } from '../contract/catalogue.ts'
import type { ValueCounts, ValueCountsArgs } from '../contract/jobs.ts'
import { readValues, sizesOf } from '../graph/result-file.ts'
import { OpenedDataset, valuesOf } from './opened-dataset.ts'

/** More bars than these are not told apart: values are then counted in ranges. */
const MOST_BARS = 60

/** Sizes of classes are counted in powers of two sooner: they spread further. */
const MOST_SIZES = 24

type Bar = ValueCounts['bars'][number]

/**
 * How many vertices have each value of a result. Values that only name a class, as components and aggregates do, are counted by the
 * sizes of their classes.
 * @throws Failure (input) when the dataset or the result is damaged
 */
export function valueCounts({ result, ...place }: ValueCountsArgs, job: JobContext): ValueCounts {
  const dataset = new OpenedDataset(place, job)
  try {
    const values = readValues(result.file, dataset.vertices, result.hash)
    const counts = sizesOf(values)
    const without = values.length - counts.reduce((sum, count) => sum + count, 0)
    const distinct = counts.reduce((sum, count) => (count > 0 ? sum + 1 : sum), 0)
    const words = valuesOf(result, (v) => dataset.labels.of(v))
    const entry = algorithmEntry(result.algorithm)?.values
    if (entry !== undefined && namesClasses(entry, distinct))
      return { by: 'sizes', distinct, without, bars: sizeBars(counts) }
    return { by: 'values', distinct, without, bars: valueBars(counts, distinct, words) }
  } finally {
    dataset.close()
  }
}

const namesClasses = ({ of, dense }: Pick<ValuesEntry, 'of' | 'dense'>, distinct: number): boolean =>
  of === 'vertex' || (dense === true && distinct > MOST_BARS)

function valueBars(counts: Uint32Array, distinct: number, words: (value: number) => string): Bar[] {
  const first = counts.findIndex((count) => count > 0)
  const width = distinct <= MOST_BARS ? 1 : Math.ceil((counts.length - first) / MOST_BARS)
  const bars: Bar[] = []
  counts.forEach((vertices, value) => {
    if (vertices === 0) return
    const from = first + width * Math.floor((value - first) / width)
    const to = Math.min(from + width, counts.length) - 1
    add(bars, { from, to, text: width === 1 ? words(value) : rangeWords(from, to), vertices, values: 1 })
  })
  return bars
}

/** Sizes of classes; of many different ones those from a power of two to below the next. */
function sizeBars(counts: Uint32Array): Bar[] {
  const classes = new Map<number, number>()
  for (const size of counts) if (size > 0) classes.set(size, (classes.get(size) ?? 0) + 1)
  const isRanged = classes.size > MOST_SIZES
  const bars: Bar[] = []
  for (const [size, values] of [...classes].sort(([a], [b]) => a - b)) {
    const from = isRanged ? 2 ** Math.floor(Math.log2(size)) : size
    const to = isRanged ? 2 * from - 1 : size
    add(bars, { from, to, text: rangeWords(from, to), vertices: size * values, values })
  }
  return bars
}

const rangeWords = (from: number, to: number): string => (from === to ? String(from) : `${from} to ${to}`)

/** Bars of one range are one. */
function add(bars: Bar[], bar: Bar): void {
  const last = bars.at(-1)
  if (last?.from !== bar.from) bars.push(bar)
  else bars[bars.length - 1] = { ...last, vertices: last.vertices + bar.vertices, values: last.values + bar.values }
}
