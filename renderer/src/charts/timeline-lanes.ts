import type { TimelineLane as TracedLane } from '../../../electron/contract/run-history.ts'

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
  /** Since the start of the run. */
  readonly startMs: number
  readonly endMs: number
}

/** One device or worker. */
export interface TimelineLane {
  readonly name: string
  readonly spans: readonly LaneSpan[]
}

/** Milliseconds in which at least one span of a kind went on. */
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
