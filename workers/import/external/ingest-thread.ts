import { PIECE_BYTES, pieceBytes, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { BucketBuilder, type BuildTask, type Bucket } from './bucket-builder.ts'
import { EntryStore, type StoreTask, finalIds, IntegerCodes } from './entry-store.ts'
import { ScratchFiles, type ScratchMemory } from './scratch-file.ts'
import { LatticeLists, type LatticeShape } from '../../generate/lattice-lists.ts'
import { PieceWriter } from './piece-writer.ts'
import { GraphPieces, type PiecesTask } from '../lines/graph-pieces.ts'
import { LineBuckets, type LinesTask, type ParsedLines } from '../lines/line-buckets.ts'
import { addLists, type ListCounts, ListMaker, noLists, type ListsTask } from '../lines/list-maker.ts'
import { EntryPartitioner, type PartitionTask, type Partitioned } from './buckets.ts'
import { PieceParser, type ParsedPiece, type ParseTask } from './piece-parser.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import type { ThreadBuckets } from '../lines/buckets.ts'
import type { ArcCounts } from './arc-output.ts'
import type { EntrySegment, Range } from './entry-ids.ts'
import type { SourceSlice } from './entry-source.ts'
import { Failure } from '../../base/failure.ts'

const TURN_WAIT_MS = 50

type Handlers = { readonly [N in ThreadTaskName]: (args: ThreadTasks[N]['args']) => ThreadTasks[N]['result'] }

/** All is done when a call returns. */
export class IngestThread {
  readonly #stop: Int32Array
  #store: EntryStore | null = null
  #parser: PieceParser | null = null
  #partitioner: EntryPartitioner | null = null
  #builder: BucketBuilder | null = null
  #turns: BuildTask | null = null
  #lines: LineBuckets | null = null
  #lists: ListMaker | null = null
  #pieces: PieceWriter | null = null

  readonly #memory: ScratchMemory | null

  /** @param stop not 0 once the import is to stop */
  constructor(stop: Int32Array, memory: ScratchMemory | null) {
    this.#stop = stop
    this.#memory = memory
  }

  handle<N extends ThreadTaskName>(name: N, args: ThreadTasks[N]['args']): ThreadTasks[N]['result'] {
    this.#checkStop()
    return this.#handlers[name](args)
  }

  readonly #handlers: Handlers = {
    openStore: (task) => this.#openStore(task),
    parse: (task) => opened(this.#parser).parse(task),
    closeStore: () => {
      opened(this.#parser).finish()
      const segments = opened(this.#store).finish()
      this.#store = this.#parser = null
      return segments
    },
    openPartition: (task) => this.#openPartition(task),
    partition: (slice) => opened(this.#partitioner).take(slice),
    closePartition: () => {
      const done = opened(this.#partitioner).finish()
      this.#partitioner = null
      return done
    },
    openBuild: (task) => {
      this.#turns = task
      this.#builder = new BucketBuilder(task, this.#memory)
      return null
    },
    build: ({ number, bucket }) => {
      const { turn, position } = opened(this.#turns)
      const { start, counts } = opened(this.#builder).build(bucket, () => this.#waitFor(number))
      position[0] = start + counts.arcs
      Atomics.store(turn, 0, number + 1)
      Atomics.notify(turn, 0)
      return counts
    },
    closeBuild: () => {
      const { pieces } = opened(this.#builder)
      this.#closeBuild()
      return pieces
    },
    sumPieces: (task) => sumPieces(task),
    openLines: (task) => {
      this.#lines = new LineBuckets(task)
      return null
    },
    parseLines: ({ first, last }) => opened(this.#lines).parse(first, last),
    parseText: ({ lines }) => opened(this.#lines).parseText(lines),
    takeEntries: (block) => opened(this.#lines).take(block),
    closeLines: () => {
      const buckets = opened(this.#lines).finish()
      this.#lines = null
      return buckets
    },
    openLists: (task) => {
      this.#lists = new ListMaker(task)
      return null
    },
    makeLists: ({ buckets }) => this.#makeLists(buckets),
    openPieces: (task) => {
      this.#lists = null
      this.#pieces = new GraphPieces(task).writer
      return null
    },
    openLattice: ({ path, shape }) => {
      const lists = new LatticeLists(shape)
      const { vertices, arcs } = lists
      const sections = { ends: lists.ends.bind(lists), targets: lists.targets.bind(lists) }
      this.#pieces = new PieceWriter({ path, vertices, arcs, weighted: false }, sections)
      return null
    },
    writePieces: ({ first, last }) => {
      for (let piece = first; piece < last; piece++) opened(this.#pieces).write(piece)
      return null
    },
    closePieces: () => {
      const { pieces } = opened(this.#pieces)
      this.#closePieces()
      return pieces
    },
  }

  close(): void {
    this.#store?.close()
    this.#partitioner?.close()
    this.#store = this.#parser = this.#partitioner = null
    this.#closeBuild()
    this.#lines?.close()
    this.#lines = null
    this.#closePieces()
  }

  #openStore(task: StoreTask): null {
    const { labels, recordWords } = task
    const codes = labels === null ? finalIds : new IntegerCodes(labels.bitmap, labels.dictionaryBytes)
    this.#store = new EntryStore(task, codes, this.#memory)
    this.#parser = new PieceParser(this.#store, recordWords === 3)
    return null
  }

  #openPartition({ path, ...plan }: PartitionTask): null {
    this.#partitioner = new EntryPartitioner(path, plan, this.#memory)
    return null
  }

  #makeLists(buckets: readonly number[]): ListCounts | null {
    const sum = noLists()
    for (const bucket of buckets) {
      const counts = opened(this.#lists).make(bucket)
      if (counts === null) return null
      addLists(sum, counts)
    }
    return sum
  }

  #closePieces(): void {
    this.#pieces?.close()
    this.#lists = this.#pieces = null
  }

  #closeBuild(): void {
    this.#builder?.close()
    this.#builder = this.#turns = null
  }

  /** Returns the arcs before. */
  #waitFor(bucket: number): number {
    const { turn, position } = opened(this.#turns)
    for (let now = Atomics.load(turn, 0); now !== bucket; now = Atomics.load(turn, 0)) {
      this.#checkStop()
      Atomics.wait(turn, 0, now, TURN_WAIT_MS)
    }
    return position[0]!
  }

  #checkStop(): void {
    throwIfCancelled({ aborted: Atomics.load(this.#stop, 0) !== 0 })
  }
}

function sumPieces({ path, fileBytes, pieces }: SumTask): SummedPieces {
  const sums = new SumsBuilder()
  const files = new ScratchFiles(null)
  try {
    for (const piece of pieces) {
      const bytes = new Uint8Array(pieceBytes(fileBytes, piece))
      files.read(path, bytes, piece * PIECE_BYTES)
      sums.addPiece(piece, bytes)
    }
    return sums.pieces
  } finally {
    files.close()
  }
}

export type IngestRequest =
  | {
      /** The same in every request. */
      readonly stop: Int32Array
      readonly name: ThreadTaskName
      readonly args: ThreadTasks[ThreadTaskName]['args']
    }
  | 'close'

let own: IngestThread | undefined

export async function ingestTask(request: IngestRequest): Promise<unknown> {
  if (request === 'close') return own?.close()
  own ??= new IngestThread(request.stop, null)
  return own.handle(request.name, request.args)
}

export interface SumTask {
  readonly path: string
  readonly fileBytes: number
  readonly pieces: readonly number[]
}

/** One of each kind is open at a time. */
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
  openLattice: { args: { readonly path: string; readonly shape: LatticeShape }; result: null }
  writePieces: { args: Range; result: null }
  closePieces: { args: null; result: SummedPieces }
}

export type ThreadTaskName = keyof ThreadTasks

/** @throws Failure (engine) */
export function opened<T>(part: T | null): T {
  if (part === null)
    throw new Failure({ code: 'engine', what: 'a task came out of order', remedy: 'Report this fault.' })
  return part
}
