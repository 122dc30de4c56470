import type { FailureValue } from '../base/failure.ts'
import type { Progress } from '../base/job.ts'
import type { DatasetJobs } from './dataset.ts'
import type { DeviceJobs } from './devices.ts'
import type { ExploreJobs } from './explore.ts'
import type { ExportArgs, ExportOutcome, GraphExportArgs, GraphExportOutcome } from './export.ts'
import type { PlanArgs, ResourcePlan } from './plan.ts'
import type { AcrossArgs } from './ranks.ts'
import type { RunArgs, RunOutcome } from './run.ts'
import type { Verdict, VerifyArgs } from './verify.ts'
// One entry for all callers. Of modules with schemas only the types: the engine checks nothing and loads no zod.
export { autoDevice } from './auto-device.ts'
export { edgeTies, edgeWeights, heuristics, priorities } from './catalogue.ts'
export type { Counting, EdgeTies, EdgeWeights, Heuristic, Priority } from './catalogue.ts'
export * from './dataset-files.ts'
export * from './graph-formats.ts'
export * from './ranks.ts'
export type * from './dataset.ts'
export type * from './devices.ts'
export type * from './explore.ts'
export type * from './export.ts'
export type * from './plan.ts'
export type * from './result.ts'
export type * from './run.ts'
export type { GraphPlace } from './schema.ts'
export type * from './verify.ts'

/** Jobs of the engine. Only paths, options and counts cross the process boundary, never edges. */
export interface Jobs extends DatasetJobs, DeviceJobs, ExploreJobs {
  run: { args: RunArgs; result: RunOutcome }
  /** Whether there is an MPI that launched this process. */
  mpi: { args: object; result: { readonly library: string } }
  /** Of the ranks but the first: all else they receive from it. */
  'join-run': { args: AcrossArgs; result: FailureValue | null }
  verify: { args: VerifyArgs; result: Verdict }
  export: { args: ExportArgs; result: ExportOutcome }
  'export-graph': { args: GraphExportArgs; result: GraphExportOutcome }
  plan: { args: PlanArgs; result: ResourcePlan }
}

export type JobName = keyof Jobs

export type EngineRequest =
  | { readonly type: 'start'; readonly job: number; readonly name: JobName; readonly args: Jobs[JobName]['args'] }
  | { readonly type: 'cancel' | 'finish'; readonly job: number }
  /** Masks of the library's files, and of people's where they differ (workers/base/output-file.ts). */
  | { readonly type: 'masks'; readonly library: number; readonly own: string | undefined }
  | { readonly type: 'quit' }

export type EngineReply =
  | { readonly type: 'ready'; readonly node: string }
  | { readonly type: 'progress'; readonly job: number; readonly progress: Progress }
  | { readonly type: 'log'; readonly job: number; readonly message: string }
  | { readonly type: 'done'; readonly job: number; readonly result: Jobs[JobName]['result'] }
  | {
      readonly type: 'failed'
      readonly job: number
      readonly failure: FailureValue
      readonly stack?: string | undefined
    }
