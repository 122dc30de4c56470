import type { SummedPieces } from '../../base/sums.ts'
import type { CopyPlan, CopyReport } from '../canonical/copy-slices.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import type { ThreadBuckets } from '../lines/buckets.ts'
import type { PiecesTask } from '../lines/graph-pieces.ts'
import type { LinesTask, ParsedLines } from '../lines/line-buckets.ts'
import type { ListCounts, ListsTask } from '../lines/list-maker.ts'
import type { ArcCounts } from './arc-output.ts'
import type { EntrySegment, Range } from './entry-ids.ts'
import type { Bucket, BuildTask } from './bucket-builder.ts'
import type { Partitioned, PartitionTask } from './buckets.ts'
import type { SourceSlice } from './entry-source.ts'
import type { StoreTask } from './entry-store.ts'
import type { HashTask } from './scratch-file.ts'
import type { ParsedPiece, ParseTask } from './piece-parser.ts'
import { Failure } from '../../base/failure.ts'

export interface SumTask {
  readonly path: string
  readonly fileBytes: number
  readonly pieces: readonly number[]
}

/** Tasks of a thread, with arguments and results. One of each kind is open at a time. */
export interface ThreadTasks {
  openStore: { args: StoreTask; result: null }
  parse: { args: ParseTask; result: ParsedPiece }
  closeStore: { args: null; result: readonly EntrySegment[] }
  openPartition: { args: PartitionTask; result: null }
  /** false for irregular entries. */
  partition: { args: SourceSlice; result: boolean }
  closePartition: { args: null; result: Partitioned }
  openBuild: { args: BuildTask; result: null }
  build: { args: { readonly number: number; readonly bucket: Bucket }; result: ArcCounts }
  closeBuild: { args: null; result: SummedPieces }
  openCopy: { args: CopyPlan; result: null }
  /** false where the graph is not canonical. */
  copyEnds: { args: Range; result: boolean }
  copyArcs: { args: Range; result: boolean }
  closeCopy: { args: null; result: CopyReport }
  sumPieces: { args: SumTask; result: SummedPieces }
  openLines: { args: LinesTask; result: null }
  /** Of each range; null for other lines. */
  parseLines: { args: Range; result: readonly ParsedLines[] | null }
  /** In shared memory, good until the answer. */
  parseText: { args: { readonly lines: Uint8Array }; result: ParsedLines | null }
  /** false without room. */
  takeEntries: { args: EntryBlock; result: boolean }
  closeLines: { args: null; result: ThreadBuckets }
  openLists: { args: ListsTask; result: null }
  /** null without memory. */
  makeLists: { args: { readonly buckets: readonly number[] }; result: ListCounts | null }
  openPieces: { args: PiecesTask; result: null }
  writePieces: { args: Range; result: null }
  closePieces: { args: null; result: SummedPieces }
  hash: { args: HashTask; result: string | null }
}

export type ThreadTaskName = keyof ThreadTasks

/** @throws Failure (engine) where no earlier task opened it */
export function opened<T>(part: T | null): T {
  if (part === null)
    throw new Failure({ code: 'engine', what: 'a task came out of order', remedy: 'Report this fault.' })
  return part
}
