/** Lanes of a device in the timeline. */
const traceLanes = ['disk read', 'copy in', 'kernel', 'copy out', 'exchange', 'wait'] as const
type TraceLane = (typeof traceLanes)[number]

export interface TraceSpan {
  readonly lane: TraceLane
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

const MOST_SPANS = 100_000
export const TIMELINE_SPANS = 20_000

const nowMs = (): number => performance.timeOrigin + performance.now()

/** The spans of one worker; costs next to nothing where it is off. */
export class Trace {
  #spans: TraceSpan[] = []
  readonly isOn: boolean

  constructor(isOn: boolean) {
    this.isOn = isOn
  }

  add(spans: readonly TraceSpan[]): void {
    for (const span of spans) this.#note(span)
  }

  get spans(): readonly TraceSpan[] {
    return this.#spans
  }

  span<T>(lane: TraceLane, name: string, work: () => T): T {
    if (!this.isOn) return work()
    const startMs = nowMs()
    const note = (): void => this.#note({ lane, name, startMs, endMs: nowMs() })
    const result = work()
    if (result instanceof Promise) return result.finally(note) as T
    note()
    return result
  }

  /** A span of what is under way beside other work. @returns to be called at its end */
  begin(lane: TraceLane, name: string): () => void {
    if (!this.isOn) return () => {}
    const startMs = nowMs()
    return () => this.#note({ lane, name, startMs, endMs: nowMs() })
  }

  #note(span: TraceSpan): void {
    this.#spans.push(span)
    if (this.#spans.length > MOST_SPANS) this.#spans = longest(this.#spans, MOST_SPANS / 2)
  }
}

function longest<T extends TraceSpan>(spans: readonly T[], most: number): T[] {
  if (spans.length <= most) return [...spans]
  const length = ({ startMs, endMs }: TraceSpan): number => endMs - startMs
  const kept = spans.map((_, i) => i).sort((a, b) => length(spans[b]!) - length(spans[a]!) || a - b)
  return kept
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((i) => spans[i]!)
}

interface WorkerSpans {
  readonly name: string
  readonly spans: readonly TraceSpan[]
}

/** The longest spans of all workers together, by worker. */
export function coarsest(workers: readonly WorkerSpans[], most: number): WorkerSpans[] {
  const all = workers.flatMap(({ spans }, worker) => spans.map((span) => ({ ...span, worker })))
  const kept = workers.map(({ name }) => ({ name, spans: [] as TraceSpan[] }))
  for (const { worker, ...span } of longest(all, most)) kept[worker]!.spans.push(span)
  return kept
}

/** Chrome trace events: a process a device, a thread a row. */
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

/** Spans of a row do not overlap; one row at least. */
function rowsOf(spans: readonly TraceSpan[]): TraceSpan[][] {
  const rows: TraceSpan[][] = [[]]
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const free = rows.find((row) => (row.at(-1)?.endMs ?? -Infinity) <= span.startMs)
    if (free === undefined) rows.push([span])
    else free.push(span)
  }
  return rows
}
