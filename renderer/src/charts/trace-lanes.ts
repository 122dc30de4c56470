import { z } from 'zod'
import type { LaneKind, LaneSpan, TimelineLane } from './timeline-lanes.ts'

/** Chrome trace events as runs write them: a process a worker, a thread a kind of work, times in microseconds. */
const eventSchema = z.union([
  z.object({ ph: z.literal('M'), name: z.string(), pid: z.number(), args: z.object({ name: z.string() }) }),
  z.object({ ph: z.literal('X'), name: z.string(), cat: z.string(), pid: z.number(), ts: z.number(), dur: z.number() }),
])

const kinds: Readonly<Record<string, LaneKind>> = {
  'disk read': 'read',
  read: 'read',
  'copy in': 'copy',
  'copy out': 'copy',
  copy: 'copy',
  kernel: 'kernel',
  exchange: 'exchange',
  wait: 'wait',
}

export function lanesOfTrace(events: readonly unknown[]): readonly TimelineLane[] {
  const names = new Map<number, string>()
  const spans = new Map<number, LaneSpan[]>()
  for (const event of events) {
    const read = eventSchema.safeParse(event)
    if (!read.success) continue
    if (read.data.ph === 'M') {
      if (read.data.name === 'process_name') names.set(read.data.pid, read.data.args.name)
      continue
    }
    const { pid, cat, name, ts, dur } = read.data
    const kind = kinds[cat]
    if (kind === undefined) continue
    const lane = spans.get(pid) ?? []
    lane.push({ kind, name, startMs: ts / 1000, endMs: (ts + dur) / 1000 })
    spans.set(pid, lane)
  }
  return [...spans]
    .sort(([a], [b]) => a - b)
    .map(([pid, of]) => ({ name: names.get(pid) ?? `worker ${pid}`, spans: of }))
}
