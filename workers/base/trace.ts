/** What a device does at a time; each is a lane of its own in the timeline of a device. */
const traceLanes = ['disk read', 'copy in', 'kernel', 'copy out', 'exchange', 'wait'] as const
export type TraceLane = (typeof traceLanes)[number]

/** One stretch of work. Times are milliseconds since the Unix epoch. */
export interface TraceSpan {
  readonly lane: TraceLane
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

/** Spans of a worker beyond this many: the shortest ones go. */
const MOST_SPANS = 100_000
/** Spans of all workers that a timeline shows. */
export const TIMELINE_SPANS = 20_000

const nowMs = (): number => performance.timeOrigin + performance.now()

/** Collects what one worker does; costs next to nothing where no trace was asked for. */
export class Trace {
  #spans: TraceSpan[] = []
  readonly isOn: boolean

  constructor(isOn: boolean) {
    this.isOn = isOn
  }

  /** Takes spans that another thread noted. */
  add(spans: readonly TraceSpan[]): void {
    for (const span of spans) this.#note(span)
  }

  /** In the order in which they ended. */
  get spans(): readonly TraceSpan[] {
    return this.#spans
  }

  /** Runs work and notes how long it took. */
  span<T>(lane: TraceLane, name: string, work: () => T): T {
    if (!this.isOn) return work()
    const startMs = nowMs()
    const note = (): void => this.#note({ lane, name, startMs, endMs: nowMs() })
    const result = work()
    if (result instanceof Promise) return result.finally(note) as T
    note()
    return result
  }

  #note(span: TraceSpan): void {
    this.#spans.push(span)
    if (this.#spans.length > MOST_SPANS) this.#spans = longest(this.#spans, MOST_SPANS / 2)
  }
}

/** At most `most` spans, the longest ones, in the order in which they came. */
function longest<T extends TraceSpan>(spans: readonly T[], most: number): T[] {
  if (spans.length <= most) return [...spans]
  const length = ({ startMs, endMs }: TraceSpan): number => endMs - startMs
  const kept = spans.map((_, i) => i).sort((a, b) => length(spans[b]!) - length(spans[a]!) || a - b)
  return kept
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((i) => spans[i]!)
}

export interface WorkerSpans {
  readonly name: string
  readonly spans: readonly TraceSpan[]
}

/** The longest spans of all workers together, `most` at most. */
export function coarsest(workers: readonly WorkerSpans[], most: number): WorkerSpans[] {
  const all = workers.flatMap(({ spans }, worker) => spans.map((span) => ({ ...span, worker })))
  const kept = workers.map(({ name }) => ({ name, spans: [] as TraceSpan[] }))
  for (const { worker, ...span } of longest(all, most)) kept[worker]!.spans.push(span)
  return kept
}

/** The spans of a run's workers as Chrome trace events, which Perfetto opens: a process a device, a thread a lane, or several where it needs them. */
export function traceEvents(workers: readonly WorkerSpans[]): object {
  let firstMs = Infinity
  for (const { spans } of workers) for (const { startMs } of spans) firstMs = Math.min(firstMs, startMs)
  const events = workers.flatMap(({ name, spans }, pid) => [
    { ph: 'M', name: 'process_name', pid, tid: 0, args: { name } },
    ...traceLanes.flatMap((lane, first) =>
      rowsOf(spans.filter((span) => span.lane === lane)).flatMap((row, i) => {
        const tid = first + i * traceLanes.length
        const thread = { ph: 'M', name: 'thread_name', pid, tid, args: { name: i === 0 ? lane : `${lane} ${i + 1}` } }
        return [thread, ...row.map((span) => eventOf(span, pid, tid, firstMs))]
      }),
    ),
  ])
  return { traceEvents: events, displayTimeUnit: 'ms' }
}

function eventOf(span: TraceSpan, pid: number, tid: number, firstMs: number): object {
  const { lane, name, startMs, endMs } = span
  return { ph: 'X', name, cat: lane, pid, tid, ts: 1000 * (startMs - firstMs), dur: 1000 * (endMs - startMs) }
}

/** Spans of a lane in as few rows as they need, so that none overlap in a row: several threads read at a time. One row at least. */
function rowsOf(spans: readonly TraceSpan[]): TraceSpan[][] {
  const rows: TraceSpan[][] = [[]]
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const free = rows.find((row) => (row.at(-1)?.endMs ?? -Infinity) <= span.startMs)
    if (free === undefined) rows.push([span])
    else free.push(span)
  }
  return rows
}
