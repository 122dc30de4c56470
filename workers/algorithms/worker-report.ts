import { hostname } from 'node:os'
import type { JobContext } from '../base/job.ts'
import type { DeviceFacts, RunArgs, Series } from '../contract/jobs.ts'
import { type TraceSpan, TIMELINE_SPANS, coarsest, traceEvents } from '../base/trace.ts'
import { writeOutput, writeSealed } from '../base/output-file.ts'
import { type Exchange, gatherValues } from '../exchange/exchange.ts'

/** Of a GPU, or of some processors. */
export interface WorkerReport {
  readonly device: DeviceFacts
  readonly bytesRead: number
  readonly readMs: number
  readonly kernelMs: number
  readonly waitMs: number
  readonly toDevice: number
  readonly fromDevice: number
  readonly exchanged: number
  /** Of a GPU that makes a set. */
  readonly sweeps?: number
  readonly spans: readonly TraceSpan[]
}

export const idleReport = (device: DeviceFacts): WorkerReport => ({
  device,
  bytesRead: 0,
  readMs: 0,
  kernelMs: 0,
  waitMs: 0,
  toDevice: 0,
  fromDevice: 0,
  exchanged: 0,
  spans: [],
})

const SUMMED = ['bytesRead', 'readMs', 'kernelMs', 'waitMs', 'toDevice', 'fromDevice', 'exchanged'] as const

/** Of one that scanned the graph again. */
export function bothPasses(first: WorkerReport, again: WorkerReport): WorkerReport {
  const sum = { ...again, spans: [...first.spans, ...again.spans], sweeps: (first.sweeps ?? 0) + (again.sweeps ?? 0) }
  for (const figure of SUMMED) sum[figure] += first[figure]
  return sum
}

type WorkerFigures = Omit<WorkerReport, 'spans'>

/** Empty for one worker. */
export function workerSeries(workers: readonly WorkerFigures[]): Series[] {
  if (workers.length === 1) return []
  const of = (name: string, unit: string, figure: (report: WorkerFigures) => number): Series => ({
    name,
    of: 'worker',
    unit,
    values: workers.map(figure),
  })
  return [
    of('kernels', 'ms', ({ kernelMs }) => kernelMs),
    of('waiting', 'ms', ({ waitMs }) => waitMs),
    of('reading and copying', 'ms', ({ readMs }) => readMs),
    of('read from disk', 'bytes', ({ bytesRead }) => bytesRead),
    of('copied to the device', 'bytes', ({ toDevice }) => toDevice),
    of('copied from the device', 'bytes', ({ fromDevice }) => fromDevice),
    of('taken from other workers', 'bytes', ({ exchanged }) => exchanged),
  ]
}

/** Sums of bytes, and the longest times. */
export function workerFigures(workers: readonly WorkerFigures[]) {
  const sum = (figure: (report: WorkerFigures) => number): number =>
    workers.reduce((all, each) => all + figure(each), 0)
  const most = (figure: (report: WorkerFigures) => number): number => Math.max(...workers.map(figure))
  return {
    devices: workers.map(({ device }) => device),
    time: {
      kernelMs: most(({ kernelMs }) => kernelMs),
      exchangeMs: most(({ waitMs }) => waitMs),
      readMs: most(({ readMs }) => readMs),
    },
    bytes: {
      read: sum(({ bytesRead }) => bytesRead),
      toDevice: sum(({ toDevice }) => toDevice),
      fromDevice: sum(({ fromDevice }) => fromDevice),
      exchanged: sum(({ exchanged }) => exchanged),
    },
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
  if (timelineFile !== undefined) writeSealed(timelineFile, traceEvents(coarsest(workers, TIMELINE_SPANS)))
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
