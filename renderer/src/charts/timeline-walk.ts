import type { EChartsType } from 'echarts/core'
import { ref, shallowRef, watch } from 'vue'
import { duration } from '../quantity.ts'
import { words } from '../words/words.ts'
import type { TimelineLane as TracedLane } from '../../../electron/contract/work.ts'

/** What a device does at a time. Copies in and out are one kind here: both are the bus. */
export const laneKinds = ['read', 'copy', 'kernel', 'exchange', 'wait'] as const
export type LaneKind = (typeof laneKinds)[number]

export const laneWords: Readonly<Record<LaneKind, string>> = {
  read: 'read from disk',
  copy: 'copy to or from the device',
  kernel: 'kernel',
  exchange: 'exchange between workers',
  wait: 'wait',
}

export interface LaneSpan {
  readonly kind: LaneKind
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

export interface TimelineLane {
  readonly name: string
  readonly spans: readonly LaneSpan[]
}

export function busyMs(spans: readonly LaneSpan[], kind: LaneKind): number {
  let [busy, until] = [0, -Infinity]
  for (const { startMs, endMs } of ofKind(spans, kind)) {
    busy += Math.max(0, endMs - Math.max(startMs, until))
    until = Math.max(until, endMs)
  }
  return busy
}

/**
 * Spans of one kind, those that overlap or lie nearer to each other than `gapMs` drawn as one, so that a run of an hour has
 * no more rectangles than a screen has dots.
 */
export function mergedSpans(spans: readonly LaneSpan[], kind: LaneKind, gapMs: number): readonly LaneSpan[] {
  const merged: { span: LaneSpan; parts: number }[] = []
  for (const span of ofKind(spans, kind)) {
    const last = merged.at(-1)
    if (last !== undefined && span.startMs - last.span.endMs <= gapMs) {
      last.span = { ...last.span, endMs: Math.max(last.span.endMs, span.endMs) }
      last.parts++
    } else merged.push({ span, parts: 1 })
  }
  return merged.map(({ span, parts }) => (parts === 1 ? span : { ...span, name: `${parts} x ${span.name}` }))
}

function ofKind(spans: readonly LaneSpan[], kind: LaneKind): readonly LaneSpan[] {
  return spans.filter((span) => span.kind === kind).toSorted((a, b) => a.startMs - b.startMs)
}

export function endOf(lanes: readonly TimelineLane[]): number {
  return lanes.reduce((end, { spans }) => spans.reduce((last, { endMs }) => Math.max(last, endMs), end), 0)
}

const kindOf: Readonly<Record<string, LaneKind>> = {
  'disk read': 'read',
  'copy in': 'copy',
  'copy out': 'copy',
  kernel: 'kernel',
  exchange: 'exchange',
  wait: 'wait',
}

/** The lanes that `runs.trace` tells, as a timeline draws them; spans of a kind that no lane stands for are left out. */
export function lanesOfTrace(lanes: readonly TracedLane[]): readonly TimelineLane[] {
  return lanes.map(({ name, spans }) => ({
    name,
    spans: spans.flatMap(({ category, name: what, startMs, durationMs }) => {
      const kind = kindOf[category]
      return kind === undefined ? [] : [{ kind, name: what, startMs, endMs: startMs + durationMs }]
    }),
  }))
}

const ZOOM = 2
/** The whole is never cut into more pieces than this: as far as the wheel zooms. */
const MOST_PIECES = 10_000

/** From span to span in the order of time, whatever their kind, and from lane to lane at about the same time. */
export function timelineWalk(lanes: readonly TimelineLane[], kinds: readonly LaneKind[], endMs: number): ChartWalk {
  const ordered = lanes.map(({ spans }) => spans.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs))
  const spanAt = ({ lane, at }: WalkPlace): LaneSpan => ordered[lane]![at]!

  function moved(key: string, place: WalkPlace | null, sight: Sight): WalkPlace | null {
    if (place === null) return firstIn(ordered, sight)
    const last = ordered[place.lane]!.length - 1
    const at = { ArrowLeft: place.at - 1, ArrowRight: place.at + 1, Home: 0, End: last }[key]
    if (at !== undefined) return { ...place, at: Math.min(last, Math.max(0, at)) }
    return beside(ordered, place, key === 'ArrowUp' ? -1 : 1)
  }

  return {
    help: words.charts.timelineHelp,
    step(key, { place, sight }) {
      if (isMove(key)) {
        const next = moved(key, place, sight)
        return { place: next, sight: next === null ? sight : following(spanAt(next), sight, endMs) }
      }
      const middle = place === null ? (sight.from + sight.to) / 2 : middleOf(spanAt(place), sight)
      if (key === '+' || key === '=') return { place, sight: zoomed(sight, 1 / ZOOM, middle, endMs) }
      if (key === '-') return { place, sight: zoomed(sight, ZOOM, middle, endMs) }
      if (key === '0') return { place, sight: { from: 0, to: endMs } }
      return key === 'Escape' && place !== null ? { place: null, sight } : undefined
    },
    words(place) {
      const { kind, name, startMs, endMs: spanEndMs } = spanAt(place)
      return words.charts.span({
        lane: lanes[place.lane]!.name,
        kind: laneWords[kind],
        name,
        lasted: duration(spanEndMs - startMs),
        from: duration(startMs),
        number: place.at + 1,
        count: ordered[place.lane]!.length,
      })
    },
    mark(place) {
      const { kind, startMs, endMs: spanEndMs } = spanAt(place)
      return [startMs, spanEndMs, place.lane, kinds.indexOf(kind)]
    },
  }
}

const isMove = (key: string): boolean => key.startsWith('Arrow') || key === 'Home' || key === 'End'

function firstIn(lanes: readonly (readonly LaneSpan[])[], { from, to }: Sight): WalkPlace | null {
  for (const [lane, spans] of lanes.entries()) {
    const at = spans.findIndex(({ startMs, endMs }) => endMs >= from && startMs <= to)
    if (at >= 0) return { lane, at }
  }
  return null
}

/** The next lane that has spans, and of these the one that begins nearest in time. */
function beside(lanes: readonly (readonly LaneSpan[])[], place: WalkPlace, step: 1 | -1): WalkPlace {
  const { startMs } = lanes[place.lane]![place.at]!
  let lane = place.lane + step
  while (lanes[lane]?.length === 0) lane += step
  const spans = lanes[lane]
  if (spans === undefined) return place
  const apart = spans.map((span) => Math.abs(span.startMs - startMs))
  return { lane, at: apart.indexOf(apart.reduce((least, each) => Math.min(least, each), Infinity)) }
}

function middleOf({ startMs, endMs }: LaneSpan, { from, to }: Sight): number {
  return (Math.max(from, startMs) + Math.max(Math.max(from, startMs), Math.min(to, endMs))) / 2
}

/** The sight, moved as far as a span needs to be seen: its middle comes to the middle, or its start where it is longer. */
function following({ startMs, endMs }: LaneSpan, sight: Sight, wholeMs: number): Sight {
  const width = sight.to - sight.from
  if (startMs >= sight.from && (endMs <= sight.to || startMs < sight.to - width / 2)) return sight
  return within(Math.min((startMs + endMs - width) / 2, startMs), width, wholeMs)
}

function zoomed({ from, to }: Sight, factor: number, middle: number, wholeMs: number): Sight {
  const width = Math.min(wholeMs, Math.max(wholeMs / MOST_PIECES, (to - from) * factor))
  return within(middle - width / 2, width, wholeMs)
}

function within(from: number, width: number, wholeMs: number): Sight {
  const start = Math.max(0, Math.min(wholeMs - width, from))
  return { from: start, to: start + width }
}

interface WalkPlace {
  readonly lane: number
  readonly at: number
}

interface Sight {
  readonly from: number
  readonly to: number
}

export interface WalkStep {
  readonly place: WalkPlace | null
  readonly sight: Sight
}

/** The series of a chart that marks where the keyboard is; without anything in it until then. */
export const WALK_MARK = 'walk'

export interface ChartWalk {
  readonly help: string
  /** The place to which a key (`KeyboardEvent.key`) leads; undefined: it leads nowhere here. */
  step(key: string, from: WalkStep): WalkStep | undefined
  words(place: WalkPlace): string
  mark(place: WalkPlace): readonly number[]
}

export function useChartWalk(drawn: () => EChartsType | null, chart: () => { readonly walk?: ChartWalk | undefined }) {
  const place = shallowRef<WalkPlace | null>(null)
  const said = ref('')

  function remark(): void {
    const { walk } = chart()
    if (walk === undefined) return
    const data = place.value === null ? [] : [walk.mark(place.value)]
    drawn()?.setOption({ series: [{ id: WALK_MARK, data }] })
  }

  function onKeydown(event: KeyboardEvent): void {
    const { walk } = chart()
    const shown = drawn()
    if (walk === undefined || shown === null || event.ctrlKey || event.metaKey || event.altKey) return
    const sight = sightOf(shown)
    const next = walk.step(event.key, { place: place.value, sight })
    if (next === undefined) return
    event.preventDefault()
    place.value = next.place
    said.value = next.place === null ? '' : walk.words(next.place)
    remark()
    const { from, to } = next.sight
    if (from !== sight.from || to !== sight.to)
      shown.dispatchAction({ type: 'dataZoom', startValue: from, endValue: to })
  }

  // Of another chart, or of the same with more in it, the place may be no place.
  watch(chart, () => {
    place.value = null
    said.value = ''
  })
  return { said, onKeydown, remark }
}

function sightOf(drawn: EChartsType): Sight {
  const { dataZoom } = drawn.getOption() as { dataZoom: readonly { startValue: number; endValue: number }[] }
  const { startValue: from = 0, endValue: to = 0 } = dataZoom[0] ?? {}
  return { from, to }
}
