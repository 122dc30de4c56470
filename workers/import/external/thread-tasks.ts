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

/** Pieces of a file, by number, that are to be summed. */
export interface SumTask {
  readonly path: string
  readonly fileBytes: number
  readonly pieces: readonly number[]
}

/** Everything that a thread of an import does, with arguments and results. Only one of each kind is open at a time. */
export interface ThreadTasks {
  openStore: { args: StoreTask; result: null }
  parse: { args: ParseTask; result: ParsedPiece }
  closeStore: { args: null; result: readonly EntrySegment[] }
  openPartition: { args: PartitionTask; result: null }
  /** Whether the entries were as they must be. */
  partition: { args: SourceSlice; result: boolean }
  closePartition: { args: null; result: Partitioned }
  openBuild: { args: BuildTask; result: null }
  build: { args: { readonly number: number; readonly bucket: Bucket }; result: ArcCounts }
  closeBuild: { args: null; result: SummedPieces }
  openCopy: { args: CopyPlan; result: null }
  /** Whether they fit a canonical graph. */
  copyEnds: { args: Range; result: boolean }
  copyArcs: { args: Range; result: boolean }
  closeCopy: { args: null; result: CopyReport }
  sumPieces: { args: SumTask; result: SummedPieces }
  openLines: { args: LinesTask; result: null }
  /** Of each range; null where the lines are not for this way. */
  parseLines: { args: Range; result: readonly ParsedLines[] | null }
  /** Whole lines in shared memory, good until the answer. */
  parseText: { args: { readonly lines: Uint8Array }; result: ParsedLines | null }
  /** Whether there was room for them. */
  takeEntries: { args: EntryBlock; result: boolean }
  closeLines: { args: null; result: ThreadBuckets }
  openLists: { args: ListsTask; result: null }
  /** null where there is not enough memory. */
  makeLists: { args: { readonly buckets: readonly number[] }; result: ListCounts | null }
  openPieces: { args: PiecesTask; result: null }
  writePieces: { args: Range; result: null }
  closePieces: { args: null; result: SummedPieces }
  /** SHA-256, hexadecimal, with the last piece. */
  hash: { args: HashTask; result: string | null }
}

export type ThreadTaskName = keyof ThreadTasks

/** What a task of a thread works with, which an earlier one opened. @throws Failure (engine) where none did */
export function opened<T>(part: T | null): T {
  if (part === null)
    throw new Failure({ code: 'engine', what: 'a task came out of order', remedy: 'Report this fault.' })
  return part
}
