import { writeSealed } from '../base/sealed-json.ts'
import type { RunArgs } from '../contract/jobs.ts'
import { writeOutput } from '../base/output-file.ts'
import type { WorkerReport } from './worker-report.ts'
import { TIMELINE_SPANS, coarsest, traceEvents } from '../base/trace.ts'

type Files = Pick<RunArgs, 'traceFile' | 'timelineFile'>

/** Whether the workers of a run note what they do when. */
export const isTraced = ({ traceFile, timelineFile }: Files): boolean =>
  traceFile !== undefined || timelineFile !== undefined

/** Writes what the workers of a run did when: all of it where that was asked for, and the longest spans for the window. */
export function writeTraces(
  { traceFile, timelineFile }: Files,
  reports: readonly Pick<WorkerReport, 'device' | 'spans'>[],
): void {
  const workers = reports.map(({ device, spans }, worker) => ({ name: `worker ${worker} on ${device.id}`, spans }))
  if (traceFile !== undefined) writeOutput(traceFile, Buffer.from(JSON.stringify(traceEvents(workers))))
  if (timelineFile !== undefined) writeSealed(timelineFile, traceEvents(coarsest(workers, TIMELINE_SPANS)))
}
