import type { SummedPieces } from '../../base/sums.ts'
import type { CopiedArcs, CopiedEnds, CopyPlan } from '../canonical/copy-slices.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import type { ThreadBuckets } from '../lines/buckets.ts'
import type { PiecesTask } from '../lines/graph-pieces.ts'
import type { LinesTask, ParsedLines } from '../lines/line-buckets.ts'
import type { ListCounts, ListsTask } from '../lines/list-maker.ts'
import type { PlainShape } from '../plain-lines.ts'
import type { ArcCounts } from './arc-output.ts'
import type { Bucket, BuildPlan } from './bucket-builder.ts'
import type { BucketBounds } from './bucket-bounds.ts'
import type { Partitioned } from './partition-entries.ts'
import type { EntrySource, SourceSlice } from './entry-source.ts'
import type { EntrySegment } from './label-run.ts'

/** Where a thread puts the entries that it parses. */
export interface StoreTask {
  readonly folder: string
  readonly name: string
  readonly recordWords: 2 | 3
  /** null where ids are final. */
  readonly labels: { readonly bitmap: Int32Array; readonly dictionaryBytes: number } | null
}

export interface ParseTask {
  /** Shared memory with whole lines; good until the answer. */
  readonly bytes: Uint8Array
  readonly length: number
  readonly shape: PlainShape
}

/** What a thread did with a piece of text. Lines that are not ordinary come back, to be read by the reader itself. */
export interface ParsedPiece {
  readonly lines: number
  readonly negatives: number
  /** Pairs: ordinary lines since the odd line before, and negative weights among them; one pair more than there are odd lines. */
  readonly between: readonly number[]
  /** The odd lines, newlines included, one after another. */
  readonly odd: Uint8Array | null
  /** Ends of the odd lines in `odd`. */
  readonly oddEnds: readonly number[]
  readonly entries: number
}

export interface PartitionTask {
  readonly path: string
  readonly source: EntrySource
  readonly bounds: BucketBounds
  readonly recordWords: 2 | 3
  readonly budgetBytes: number
}

/** Buckets follow one another in the file: `bucket` waits until it is its turn, and reads where it starts. */
export interface BuildTask extends BuildPlan {
  /** One word: the bucket whose turn it is. */
  readonly turn: Int32Array
  /** One number: arcs of the buckets before. */
  readonly position: Float64Array
}

/** Pieces of one file follow one another, in one thread. */
export interface HashTask {
  readonly path: string
  /** Where the piece ends that begins where the one before ended. */
  readonly end: number
  readonly last: boolean
}

/** Pieces of a file, by number, that are to be summed. */
export interface SumTask {
  readonly path: string
  readonly fileBytes: number
  readonly pieces: readonly number[]
}

/** A range of vertices or arcs. */
export interface Range {
  readonly first: number
  readonly last: number
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
  copyEnds: { args: Range; result: CopiedEnds }
  copyArcs: { args: Range; result: CopiedArcs }
  closeCopy: { args: null; result: null }
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
