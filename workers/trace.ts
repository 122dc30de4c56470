/** What a device does at a time; each is a lane of its own in the timeline of a device. */
export const traceLanes = ['disk read', 'copy in', 'kernel', 'copy out', 'exchange', 'wait'] as const
export type TraceLane = (typeof traceLanes)[number]

/** One stretch of work. Times are milliseconds since the Unix epoch. */
export interface TraceSpan {
  readonly lane: TraceLane
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

const nowMs = (): number => performance.timeOrigin + performance.now()

/** Collects what one worker does; costs nothing to speak of when nobody asked for a trace. */
export class Trace {
  readonly spans: TraceSpan[] = []
  readonly isOn: boolean

  constructor(isOn: boolean) {
    this.isOn = isOn
  }

  /** Takes spans that another thread noted. */
  add(spans: readonly TraceSpan[]): void {
    for (const span of spans) this.spans.push(span)
  }

  /** Runs work and notes how long it took. */
  span<T>(lane: TraceLane, name: string, work: () => T): T {
    if (!this.isOn) return work()
    const startMs = nowMs()
    const note = (): void => void this.spans.push({ lane, name, startMs, endMs: nowMs() })
    const result = work()
    if (result instanceof Promise) return result.finally(note) as T
    note()
    return result
  }
}

/** The spans of a run's workers as Chrome trace events, which Perfetto opens: a process a device, a thread a lane. */
export function traceEvents(
  workers: readonly { readonly name: string; readonly spans: readonly TraceSpan[] }[],
): object {
  const firstMs = Math.min(...workers.flatMap(({ spans }) => spans.map(({ startMs }) => startMs)))
  const events = workers.flatMap(({ name, spans }, pid) => [
    { ph: 'M', name: 'process_name', pid, tid: 0, args: { name } },
    ...traceLanes.map((lane, tid) => ({ ph: 'M', name: 'thread_name', pid, tid, args: { name: lane } })),
    ...spans.map((span) => ({
      ph: 'X',
      name: span.name,
      cat: span.lane,
      pid,
      tid: traceLanes.indexOf(span.lane),
      ts: 1000 * (span.startMs - firstMs),
      dur: 1000 * (span.endMs - span.startMs),
    })),
  ])
  return { traceEvents: events, displayTimeUnit: 'ms' }
}
