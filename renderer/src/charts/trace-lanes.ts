import type { TimelineLane as TracedLane } from '../../../electron/contract/run-history.ts'
import type { LaneKind, TimelineLane } from './timeline-lanes.ts'

const kinds: Readonly<Record<string, LaneKind>> = {
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
      const kind = kinds[category]
      return kind === undefined ? [] : [{ kind, name: what, startMs, endMs: startMs + durationMs }]
    }),
  }))
}
