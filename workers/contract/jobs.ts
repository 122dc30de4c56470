import type { FailureValue, SettledFailure } from '../base/failure.ts'
import type { JobContext, Progress } from '../base/job.ts'
import type { BatchJobs } from './batch.ts'
import { algorithmEntry, type AnyOptions } from './catalogue.ts'
import type { DatasetJobs } from './dataset.ts'
import type { DeviceFacts, DeviceJobs, Spread } from './devices.ts'
import type { ExploreJobs } from './explore.ts'
import type { PlanArgs, ResourcePlan, RunArgs, RunOutcome } from './run.ts'
import type { AcrossArgs } from './ranks.ts'
import type {
  ArchiveArgs,
  ArchiveOutcome,
  ExportArgs,
  ExportOutcome,
  UnpackArgs,
  UnpackedGraph,
  Verdict,
  VerifyArgs,
} from './result.ts'
// One entry for all callers. Of modules with schemas only the types: the engine checks nothing and loads no zod.
export { edgeTies, edgeWeights, heuristics, priorities } from './catalogue.ts'
export type { Counting, EdgeTies, EdgeWeights, Heuristic, Priority } from './catalogue.ts'
export * from './drawings.ts'
export * from './graph-formats.ts'
export * from './ranks.ts'
export type * from './balance.ts'
export type * from './batch.ts'
export type * from './dataset.ts'
export type * from './devices.ts'
export type * from './explore.ts'
export type * from './result.ts'
export type * from './run.ts'
export type { GraphPlace } from './schema.ts'

/** Places of vertices in a dataset's folder: f32 pairs x, y by internal id. */
export const COORDINATES_FILE = 'coordinates'
/** Names of vertices in no order, in the form of text labels. */
export const NAMES_FILE = 'names'
export const TILES_FOLDER = 'tiles'
/** The packed graph, in place of graph.gr in the folder of a dataset. */
export const PACKED_FILE = 'graph.packed'
/** JSON behind a checksum: the path of a person's file, among others. */
export const LINK_FILE = 'graph.link'
/** The end of the scratch folder beside the dataset's folder; its manifest.json is the journal. */
export const IMPORT_SCRATCH = '.import'

/** A processor is done with so many arcs before a GPU is open. */
const SMALL_ARCS = 1 << 20

/**
 * Whether `auto` is the processor whatever GPUs there are, so that none is looked for: for sets and matchings of a small graph that are made in
 * one pass, and not searched.
 */
export function isForProcessor({ quality, exchange, method }: AnyOptions, algorithm: string, arcs: number): boolean {
  const options = algorithmEntry(algorithm)?.options.map(({ name }) => name) ?? []
  const isOnePass = options.includes('quality') && options.includes('batches')
  return arcs <= SMALL_ARCS && isOnePass && quality === undefined && exchange !== 'paper' && method !== 'rescan'
}

/** The first hardware GPU, else the processor: software adapters are slower. */
export function autoDevice(devices: readonly Pick<DeviceFacts, 'id' | 'kind' | 'software'>[]): string {
  return devices.find(({ kind, software }) => kind === 'gpu' && !software)?.id ?? 'cpu:0'
}

/** All 0 for none. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? 0)
  return { median: (lower + upper) / 2, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 }
}

/** A 32-bit float in the fewest digits that tell it from all others: 0.1, not 0.10000000149011612. */
export function float32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === Math.fround(value)) return String(short)
  }
  return String(value)
}

/** Jobs of the engine. Paths, options and counts cross the process boundary, and edges of the small graphs of a batch alone. */
export interface Jobs extends BatchJobs, DatasetJobs, DeviceJobs, ExploreJobs {
  run: { args: RunArgs; result: RunOutcome }
  /** Whether there is an MPI that launched this process. */
  mpi: { args: object; result: { readonly library: string } }
  /** What a rank other than the first is asked: all else it receives from the first. */
  'join-run': { args: AcrossArgs; result: FailureValue | null }
  verify: { args: VerifyArgs; result: Verdict }
  export: { args: ExportArgs; result: ExportOutcome }
  archive: { args: ArchiveArgs; result: ArchiveOutcome }
  unpack: { args: UnpackArgs; result: { names: string[] } }
  'unpack-graphs': { args: UnpackArgs; result: { graphs: UnpackedGraph[] } }
  plan: { args: PlanArgs; result: ResourcePlan }
}

export type JobName = keyof Jobs

export type EngineRequest =
  | { readonly type: 'start'; readonly job: number; readonly name: JobName; readonly args: Jobs[JobName]['args'] }
  | { readonly type: 'cancel' | 'finish'; readonly job: number }
  /** Masks of the library's files, and of people's where they differ (workers/base/output-file.ts). */
  | { readonly type: 'masks'; readonly library: number; readonly own: string | undefined }
  | { readonly type: 'quit' }

export type SettledJob =
  { readonly type: 'done'; readonly result: Jobs[JobName]['result'] } | ({ readonly type: 'failed' } & SettledFailure)

/** What workers/engine/near-job.ts exports. Never rejects. */
export type NearJob = (name: JobName, args: Jobs[JobName]['args'], context: JobContext) => Promise<SettledJob>

export type EngineReply =
  | { readonly type: 'ready'; readonly node: string }
  | { readonly type: 'progress'; readonly job: number; readonly progress: Progress }
  | { readonly type: 'log'; readonly job: number; readonly message: string }
  | (SettledJob & { readonly job: number })
