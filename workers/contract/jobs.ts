import type { FailureValue } from '../base/failure.ts'
import type { Progress } from '../base/job.ts'
import type {
  DatasetFacts,
  FilePreview,
  GenerateArgs,
  ImportArgs,
  PreviewArgs,
  SampleArgs,
  StoreArgs,
  StoreOutcome,
} from './dataset.ts'
import type { DeviceMemory, DeviceMemoryArgs, DevicesArgs, DevicesOutcome } from './devices.ts'
import type {
  DegreeDistribution,
  DegreesArgs,
  GraphFacts,
  GraphFactsArgs,
  Neighbourhood,
  NeighbourhoodArgs,
  Layout,
  LayoutArgs,
  Overview,
  OverviewArgs,
  ResultRows,
  ResultRowsArgs,
  VertexSearch,
  VertexSearchArgs,
} from './explore.ts'
import type { ExportArgs, ExportOutcome, GraphExportArgs, GraphExportOutcome } from './export.ts'
import type { PlanArgs, ResourcePlan } from './plan.ts'
import type { JoinArgs } from './ranks.ts'
import type { RunArgs, RunOutcome } from './run.ts'
import type { Verdict, VerifyArgs } from './verify.ts'
// One entry for all callers.
export { edgeTies, edgeWeights, heuristics, priorities } from './catalogue.ts'
export type { Counting, EdgeTies, EdgeWeights, Heuristic, Priority } from './catalogue.ts'
export * from './dataset.ts'
export * from './devices.ts'
export * from './explore.ts'
export * from './export.ts'
export * from './graph-formats.ts'
export * from './plan.ts'
export * from './ranks.ts'
export * from './result.ts'
export * from './run.ts'
export * from './verify.ts'

/** Jobs of the engine. Only paths, options and counts cross the process boundary, never edges. */

export interface Jobs {
  devices: { args: DevicesArgs; result: DevicesOutcome }
  import: { args: ImportArgs; result: DatasetFacts }
  link: { args: ImportArgs; result: DatasetFacts | null }
  store: { args: StoreArgs; result: StoreOutcome }
  generate: { args: GenerateArgs; result: DatasetFacts }
  sample: { args: SampleArgs; result: DatasetFacts }
  run: { args: RunArgs; result: RunOutcome }
  /** Whether there is an MPI that launched this process. */
  mpi: { args: object; result: { readonly library: string } }
  'join-run': { args: JoinArgs; result: FailureValue | null }
  verify: { args: VerifyArgs; result: Verdict }
  export: { args: ExportArgs; result: ExportOutcome }
  'export-graph': { args: GraphExportArgs; result: GraphExportOutcome }
  plan: { args: PlanArgs; result: ResourcePlan }
  degrees: { args: DegreesArgs; result: DegreeDistribution }
  'graph-facts': { args: GraphFactsArgs; result: GraphFacts | null }
  preview: { args: PreviewArgs; result: FilePreview }
  'vertex-search': { args: VertexSearchArgs; result: VertexSearch }
  neighbourhood: { args: NeighbourhoodArgs; result: Neighbourhood }
  'result-rows': { args: ResultRowsArgs; result: ResultRows }
  overview: { args: OverviewArgs; result: Overview }
  layout: { args: LayoutArgs; result: Layout }
  'device-memory': { args: DeviceMemoryArgs; result: DeviceMemory }
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
