import type { ProgressSample, TimelineLane } from '../../../electron/contract/work.ts'
import { capitalised } from '../../../electron/contract/words.ts'
import { isFinal, type Run } from '../../../electron/contract/run.ts'
import { rate, tick, tickOfTime } from '../charts/axes.ts'
import type { Chart } from '../charts/chart.ts'
import { groupedBars, linesChart, type Spread } from '../charts/spread-charts.ts'
import { timelineChart } from '../charts/timeline-chart.ts'
import { lanesOfTrace } from '../charts/timeline-walk.ts'
import { undecidedChart } from '../charts/undecided-chart.ts'
import { byteSize, duration, exactly } from '../quantity.ts'
import { words } from '../words/words.ts'
import { gainMeasure, questionOf } from './run-title.ts'
import { estimateByOthers, isCooled, ownEstimate } from './search-estimate.ts'
import { ratesOf, undecidedRounds } from './run-course.ts'

/** Fewer figures say nothing in a chart. */
const LEAST_POINTS = 3
const once = (value: number): Spread => ({ median: value, min: value, max: value, repeats: 1 })

/** Undecided vertices per round: of the record, else as far as the run has come. null before the second round. */
function roundChart(run: Run, samples: readonly ProgressSample[], vertices: number): Chart | null {
  const counted = run.record?.outcome.roundCounts ?? []
  const rounds = counted.length > 0 ? counted : undecidedRounds(samples, vertices)
  // Two ends and nothing between them tell no course.
  if (rounds.length < 2) return null
  return undecidedChart({ vertices, rounds, finished: run.record !== null, sets: counted.length > 0 ? setsOf(run) : 1 })
}

/** TC-MIS counts every vertex once for each seed; what a run tells while it goes on is counted by vertices. */
function setsOf({ record }: Run): number {
  const seeds = record?.outcome.options.seeds
  return record?.outcome.algorithm === 'tc-mis' && typeof seeds === 'number' ? seeds : 1
}

/** Whether vertices were opened again on the way, as by TC-MIS with priorities that many neighbours share. */
function reopens({ record }: Run): boolean {
  const counts = record?.outcome.roundCounts ?? []
  return counts.some(({ undecided }, at) => at > 0 && undecided > counts[at - 1]!.undecided)
}

function runTimeline(lanes: readonly TimelineLane[]): Chart | null {
  return lanes.some(({ spans }) => spans.length > 0) ? timelineChart(lanesOfTrace(lanes)) : null
}

function speedCharts(samples: readonly ProgressSample[]): readonly Chart[] {
  const { arcsPerSecond, bytesPerSecond } = words.run
  const kinds = [
    ['arcs', arcsPerSecond, (value: number) => rate(value, '')],
    ['bytes', bytesPerSecond, (value: number) => `${byteSize(value)}/s`],
  ] as const
  return kinds.flatMap(([of, title, say]) => {
    const points = ratesOf(samples, of).map(({ ms, perSecond }) => ({ x: ms / 1000, y: once(perSecond) }))
    if (points.length < LEAST_POINTS) return []
    const name = capitalised(title)
    const lines = [{ name, points }]
    return [linesChart({ title: name, across: 'seconds', measure: title, lines, dense: true, tick: say, words: say })]
  })
}

function searchChart(run: Run, samples: readonly ProgressSample[]): Chart | null {
  const line = (of: 'best' | 'bound') => ({
    name: words.run.search[of],
    points: samples.flatMap(({ ms, [of]: value }) => (value === undefined ? [] : [{ x: ms / 1000, y: once(value) }])),
  })
  const [best, bound] = [line('best'), line('bound')]
  const isFlat = new Set(best.points.map(({ y }) => y.median)).size === 1
  if (best.points.length < LEAST_POINTS || (isFlat && bound.points.length === 0)) return null
  const { title } = words.run.search
  const steps = { dense: true, near: true, steps: true } as const
  const more = { title, measure: gainMeasure(run), across: 'seconds', ...steps, tick: exactly, words: exactly } as const
  // On one axis with the bound no gain could be seen.
  return { ...linesChart({ ...more, lines: [best] }), numbers: linesChart({ ...more, lines: [best, bound] }).numbers }
}

/** What another minute might give: by a run of another length, else by the curve of a search that does not cool; empty where nothing tells. */
function minuteWords(run: Run, samples: readonly ProgressSample[], others: readonly Run[], most: number): string {
  const { search } = words.run
  const say = (gain: number): string => exactly(Math.round(Math.max(0, Math.min(gain, most))))
  const isSame = (a: Run, b: Run): boolean =>
    a.dataset === b.dataset && b.state === 'done' && questionOf(a) === questionOf(b)
  const known = estimateByOthers(run, others, isSame)
  if (known !== null) return search.minuteByRuns(say(known.gain), known.seconds.map(exactly))
  if (isCooled(run)) return search.minuteUnknown
  const own = ownEstimate(samples)
  return own === null ? '' : search.minute(say(own))
}

/** What no result exceeds, what the latest part of a search gained, and what another minute might. */
function searchNote(run: Run, samples: readonly ProgressSample[], others: readonly Run[]): string {
  const found = samples.flatMap(({ ms, best, bound }) => (best === undefined ? [] : [{ ms, best, bound }]))
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return ''
  const { search } = words.run
  const sinceMs = first.ms + (2 / 3) * (last.ms - first.ms)
  const late = found.findLast(({ ms }) => ms <= sinceMs) ?? first
  const gains = search.gained(exactly(last.best - first.best), exactly(last.best - late.best))
  const bound = last.bound === undefined ? '' : search.noneExceeds(exactly(last.bound))
  const most = (last.bound ?? Infinity) - last.best
  return [gains, bound, most <= 0 ? '' : minuteWords(run, samples, others, most)].filter(Boolean).join(' ')
}

/** More points than marks that one can tell apart. */
const MOST_MARKS = 64

function seriesCharts(run: Run): readonly Chart[] {
  return (run.record?.outcome.series ?? []).flatMap(({ name, of = 'round', unit, values, at, errors }) => {
    // A figure that stays 0 has no course.
    if (of === 'worker' || values.length < 2 || values.every((value) => value === 0)) return []
    const points = values.map((value, i) => {
      const error = errors?.[i] ?? 0
      return { x: at?.values[i] ?? i + 1, y: { ...once(value), min: value - error, max: value + error } }
    })
    const say = (value: number): string =>
      unit === 'bytes' ? byteSize(value) : unit === 'ms' ? tickOfTime(value) : `${tick(value)} ${unit}`.trim()
    const measure = unit === '' ? spaced(name) : `${spaced(name)} (${unit})`
    const title = spaced(name)
    return [
      linesChart({
        title: at === undefined ? words.run.seriesTitle(title, of) : words.run.seriesBy(title, at.name),
        across: at?.name ?? words.run.across[of],
        measure,
        lines: [{ name: title, points }],
        whole: at === undefined,
        dense: values.length > MOST_MARKS,
        tick: say,
        words: say,
      }),
    ]
  })
}

function spaced(name: string): string {
  const parts = name.replaceAll(/([a-z])([A-Z0-9])/g, '$1 $2').replaceAll(/(\d)([A-Za-z])/g, '$1 $2')
  return capitalised(parts.toLowerCase())
}

const text = words.run.workers
const units = [
  { unit: 'ms', title: text.ms, measure: text.msMeasure, tick: tickOfTime, words: duration },
  { unit: 'bytes', title: text.bytes, measure: text.bytesMeasure, tick: byteSize, words: byteSize },
] as const

function workerCharts({ record }: Run): readonly Chart[] {
  if (record === null) return []
  const { series, devices } = record.outcome
  const figures = series.filter(({ of, values }) => of === 'worker' && values.length > 1)
  return units.flatMap(({ unit, ...more }) => {
    const shown = figures.filter((one) => one.unit === unit && one.values.some((value) => value > 0))
    if (shown.length === 0) return []
    const workers = shown[0]!.values.map((_, at) => `${at}: ${devices[at]?.id ?? ''}`)
    const bars = shown.map(({ name, values }) => ({ name: capitalised(name), values: values.map(once) }))
    return [groupedBars({ category: text.worker, categories: workers, series: bars, ...more })]
  })
}

const LANE_PX = 84
const LEAST_PX = 200

/** A chart, with what it takes to read it; words alone in place of one that cannot be drawn. */
interface Drawn {
  readonly key: string
  readonly chart?: Chart
  readonly height?: number
  readonly note?: string
}

export function runCharts(
  run: Run,
  samples: readonly ProgressSample[],
  lanes: readonly TimelineLane[],
  vertices: number | null,
  all: readonly Run[] = [],
): readonly Drawn[] {
  const [search, timeline] = [searchChart(run, samples), runTimeline(lanes)]
  const rounds = vertices === null ? null : roundChart(run, samples, vertices)
  const { reopened, timelineNone, timelineLater } = words.run
  const others = [...workerCharts(run), ...speedCharts(samples), ...seriesCharts(run)]
  return [
    ...(search === null ? [] : [{ key: 'search', chart: search, note: searchNote(run, samples, all) }]),
    ...(rounds === null ? [] : [{ key: 'rounds', chart: rounds, ...(reopens(run) ? { note: reopened } : {}) }]),
    timeline === null
      ? { key: 'timeline', note: isFinal(run.state) ? timelineNone : timelineLater }
      : { key: 'timeline', chart: timeline, height: Math.max(LEAST_PX, 88 + LANE_PX * Math.min(lanes.length, 6)) },
    ...others.map((chart) => ({ key: chart.title, chart })),
  ]
}
