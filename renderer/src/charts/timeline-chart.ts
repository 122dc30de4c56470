import { duration, percent } from '../quantity.ts'
import { axis, frame, legend, tickOfTime, tooltipOf } from './axes.ts'
import type { Chart } from './chart.ts'
import { backslanted, dotted, level, slanted, type ChartTheme, type Pattern } from './chart-theme.ts'
import {
  WALK_MARK,
  busyMs,
  endOf,
  laneKinds,
  laneWords,
  mergedSpans,
  timelineWalk,
  type LaneKind,
  type LaneSpan,
  type TimelineLane,
} from './timeline-walk.ts'

const patterns: Readonly<Record<LaneKind, Pattern | null>> = {
  read: dotted,
  copy: slanted,
  kernel: null,
  exchange: backslanted,
  wait: level,
}

const MOST_SPANS = 6000
/** Spans nearer than this part of the whole are drawn as one where there are more. */
const FINEST = 4000

export function timelineChart(lanes: readonly TimelineLane[]): Chart {
  const endMs = Math.max(endOf(lanes), 0.001)
  const spans = lanes.reduce((sum, lane) => sum + lane.spans.length, 0)
  const gapMs = spans > MOST_SPANS ? endMs / FINEST : -1
  const kinds = laneKinds.filter((kind) => lanes.some((lane) => lane.spans.some((span) => span.kind === kind)))
  const merged = lanes.map(({ name, spans }) => ({
    name,
    spans: kinds.flatMap((kind) => mergedSpans(spans, kind, gapMs)),
  }))
  return {
    title: 'Device timeline',
    summary: `Device timeline over ${duration(endMs)}. ${lanes.map((lane) => laneSummary(lane, kinds, endMs)).join('; ')}.`,
    numbers: {
      columns: ['worker', 'work', 'busy ms', 'share of the run', 'spans'],
      rows: lanes.flatMap((lane) =>
        kinds.map((kind) => {
          const busy = busyMs(lane.spans, kind)
          return [lane.name, kind, busy, busy / endMs, lane.spans.filter((span) => span.kind === kind).length]
        }),
      ),
    },
    walk: timelineWalk(merged, kinds, endMs),
    option: (theme) => ({
      ...frame(theme),
      grid: { left: 8, right: 20, top: 36, bottom: 44, outerBoundsMode: 'same', outerBoundsContain: 'all' },
      legend: legend(theme, kinds),
      xAxis: axis(theme, '', {
        type: 'value',
        min: 0,
        max: endMs,
        axisLabel: { formatter: tickOfTime, showMaxLabel: false },
      }),
      yAxis: axis(theme, '', {
        type: 'category',
        inverse: true,
        data: lanes.map(({ name }) => name),
        axisLabel: { color: theme.text, fontSize: 12, width: 120, overflow: 'truncate' },
      }),
      dataZoom: zoomOf(theme),
      series: [...kinds.map((kind) => rowsOf(kind, kinds, merged, theme)), markOf(kinds, theme)],
    }),
  }
}

function laneSummary({ name, spans }: TimelineLane, kinds: readonly LaneKind[], endMs: number): string {
  return `${name}: ${kinds.map((kind) => `${laneWords[kind]} ${percent(busyMs(spans, kind) / endMs)}`).join(', ')}`
}

function zoomOf(theme: ChartTheme): readonly object[] {
  return [
    { type: 'inside', filterMode: 'weakFilter', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false, minSpan: 0.01 },
    {
      type: 'slider',
      filterMode: 'weakFilter',
      bottom: 6,
      height: 18,
      left: 40,
      right: 40,
      showDataShadow: false,
      brushSelect: false,
      borderColor: theme.line,
      fillerColor: theme.dark ? 'rgba(86, 180, 233, 0.18)' : 'rgba(0, 114, 178, 0.12)',
      handleStyle: { color: theme.ground, borderColor: theme.quiet },
      moveHandleSize: 0,
      textStyle: { color: theme.quiet, fontSize: 11 },
      labelFormatter: tickOfTime,
    },
  ]
}

interface RowApi {
  value(dimension: number): number
  coord(point: readonly number[]): [number, number]
  size(size: readonly number[]): [number, number]
}

interface Drawing {
  readonly coordSys: { readonly x: number; readonly width: number }
}

/** The box of a span: values 0 and 1 are its ends in time, value 2 is its lane. */
function boxOf({ coordSys }: Drawing, api: RowApi, row: number, rows: number) {
  const [left, middle] = api.coord([api.value(0), api.value(2)])
  const [right] = api.coord([api.value(1), api.value(2)])
  const height = api.size([0, 1])[1] * 0.84
  const x = Math.max(left, coordSys.x)
  const width = Math.max(1, Math.min(right, coordSys.x + coordSys.width) - x)
  const step = height / rows
  return { x, y: middle - height / 2 + row * step, width, height: Math.max(2, step - 1) }
}

function markOf(kinds: readonly LaneKind[], theme: ChartTheme): object {
  return {
    id: WALK_MARK,
    type: 'custom',
    silent: true,
    z: 5,
    data: [],
    encode: { x: [0, 1], y: 2 },
    renderItem: (drawing: Drawing, api: RowApi) => {
      const { x, y, width, height } = boxOf(drawing, api, api.value(3), kinds.length)
      const around = { x: x - 3, y: y - 3, width: width + 6, height: height + 6 }
      const line = (stroke: string, lineWidth: number): object => ({
        type: 'rect',
        shape: around,
        style: { fill: 'none', stroke, lineWidth },
      })
      return { type: 'group', children: [line(theme.ground, 5), line(theme.text, 2)] }
    },
  }
}

function rowsOf(kind: LaneKind, kinds: readonly LaneKind[], lanes: readonly TimelineLane[], theme: ChartTheme): object {
  const drawn: { readonly lane: string; readonly at: number; readonly span: LaneSpan }[] = lanes.flatMap(
    ({ name, spans }, at) => spans.filter((span) => span.kind === kind).map((span) => ({ lane: name, at, span })),
  )
  const pattern = patterns[kind]
  const itemStyle = { color: theme[kind], ...(pattern === null ? {} : { decal: pattern }) }
  const row = kinds.indexOf(kind)
  return {
    type: 'custom',
    name: kind,
    itemStyle,
    data: drawn.map(({ at, span }) => [span.startMs, span.endMs, at]),
    encode: { x: [0, 1], y: 2 },
    renderItem: (drawing: Drawing, api: RowApi) => ({
      type: 'rect',
      shape: boxOf(drawing, api, row, kinds.length),
      style: { fill: theme[kind], ...(pattern === null ? {} : { decal: pattern }) },
    }),
    tooltip: tooltipOf(
      drawn,
      ({ lane, span: { startMs, endMs, name } }) =>
        `${lane}: ${laneWords[kind]}\n${name}\n${duration(endMs - startMs)} from ${duration(startMs)}`,
    ),
  }
}
