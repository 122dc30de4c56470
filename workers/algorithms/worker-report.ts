import { hostname } from 'node:os'
import type { JobContext } from '../base/job.ts'
import type { DeviceFacts, RunArgs, Series } from '../contract/jobs.ts'
import { type TraceSpan, TIMELINE_SPANS, coarsest, traceEvents } from '../base/trace.ts'
import { writeOutput, writeSealed } from '../base/output-file.ts'
import { type Exchange, gatherValues } from '../exchange/exchange.ts'

/** What a worker took, in the order and with the names of their series. */
const figures = {
  kernelMs: 'kernels',
  waitMs: 'waiting',
  readMs: 'reading and copying',
  bytesRead: 'read from disk',
  toDevice: 'copied to the device',
  fromDevice: 'copied from the device',
  exchanged: 'taken from other workers',
} as const
type Figures = Record<keyof typeof figures, number>
const figureNames = Object.keys(figures) as (keyof Figures)[]
const isTime = (figure: keyof Figures): boolean => figure.endsWith('Ms')
const zeros = Object.fromEntries(figureNames.map((figure) => [figure, 0])) as Figures

/** The figures of a GPU, or of some processors. */
export interface WorkerReport extends Readonly<Figures> {
  readonly device: DeviceFacts
  /** Sweeps of a GPU that makes a set. */
  readonly sweeps?: number
  readonly spans: readonly TraceSpan[]
}

export const idleReport = (device: DeviceFacts): WorkerReport => ({ device, ...zeros, spans: [] })

/** The figures of parts of a worker, one after another or side by side: then their times pass together. */
export function together(parts: readonly Partial<WorkerReport>[], order: 'in turn' | 'beside') {
  const all = { ...zeros }
  for (const figure of figureNames)
    for (const { [figure]: own = 0 } of parts)
      all[figure] = order === 'beside' && isTime(figure) ? Math.max(all[figure], own) : all[figure] + own
  return { ...all, spans: parts.flatMap(({ spans = [] }) => spans) }
}

/** What a record says of workers: sums of bytes, the longest times, and series of all figures, none for one worker. */
export function workerRecord(workers: readonly WorkerReport[]) {
  const { kernelMs, waitMs, readMs, bytesRead, toDevice, fromDevice, exchanged } = together(workers, 'beside')
  const series = figureNames.map((figure): Series => {
    const unit = isTime(figure) ? 'ms' : 'bytes'
    return { name: figures[figure], of: 'worker', unit, values: workers.map((report) => report[figure]) }
  })
  return {
    devices: workers.map(({ device }) => device),
    time: { kernelMs, exchangeMs: waitMs, readMs },
    bytes: { read: bytesRead, toDevice, fromDevice, exchanged },
    series: workers.length === 1 ? [] : series,
  }
}

/** Progress after a round. */
export function reportRound(job: JobContext, phase: string, vertices: number, undecided: number, round: number): void {
  const decided = vertices - undecided
  job.progress({ phase, done: decided, total: vertices, unit: 'vertices', round, decided })
}

export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)

type Files = Pick<RunArgs, 'traceFile' | 'timelineFile'>

export const isTraced = ({ traceFile, timelineFile }: Files): boolean =>
  traceFile !== undefined || timelineFile !== undefined

/** All spans where they were asked for, and the longest for the window. */
export function writeTraces(
  { traceFile, timelineFile }: Files,
  reports: readonly Pick<WorkerReport, 'device' | 'spans'>[],
): void {
  const workers = reports.map(({ device: { id, rank, host }, spans }, worker) => {
    const place = rank === undefined ? '' : ` of rank ${rank} (${host})`
    return { name: `worker ${worker} on ${id}${place}`, spans }
  })
  if (traceFile !== undefined) writeOutput(traceFile, Buffer.from(JSON.stringify(traceEvents(workers))))
  if (timelineFile !== undefined) writeSealed(timelineFile, traceEvents(coarsest(workers, TIMELINE_SPANS)), false)
}

/** The workers of all ranks, on rank 0; elsewhere its own. */
export async function reportsOfRanks<R extends WorkerReport>(
  exchange: Exchange | undefined,
  own: readonly R[],
): Promise<readonly R[]> {
  if (exchange === undefined) return own
  const { waitMs, bytesReceived } = exchange.figures
  const placed = own.map((report, i) => ({
    ...report,
    device: { ...report.device, rank: exchange.rank, host: hostname() },
    waitMs: report.waitMs + (i === 0 ? waitMs : 0),
    exchanged: report.exchanged + (i === 0 ? bytesReceived : 0),
  }))
  const all = await gatherValues<R[]>(exchange, placed)
  return exchange.rank === 0 ? all.flat() : placed
}
