import { PIECE_BYTES, pieceBytes, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { SliceCopier } from '../canonical/copy-slices.ts'
import { BucketBuilder, type BuildTask } from './bucket-builder.ts'
import { EntryStore, type StoreTask } from './entry-store.ts'
import { FileHash, type HashTask, ScratchFiles, type ScratchMemory } from './scratch-file.ts'
import { finalIds, IntegerCodes } from './label-codes.ts'
import { GraphPieces } from '../lines/graph-pieces.ts'
import { LineBuckets } from '../lines/line-buckets.ts'
import { addLists, type ListCounts, ListMaker, noLists } from '../lines/list-maker.ts'
import { EntryPartitioner, type PartitionTask } from './buckets.ts'
import { opened, type SumTask, type ThreadTaskName, type ThreadTasks } from './thread-tasks.ts'
import { PieceParser } from './piece-parser.ts'

const TURN_WAIT_MS = 50

type Handlers = { readonly [N in ThreadTaskName]: (args: ThreadTasks[N]['args']) => ThreadTasks[N]['result'] }

/** One thread's part of an import; all is done when a call returns. */
export class IngestThread {
  readonly #stop: Int32Array
  #store: EntryStore | null = null
  #parser: PieceParser | null = null
  #partitioner: EntryPartitioner | null = null
  #builder: BucketBuilder | null = null
  #turns: BuildTask | null = null
  #copier: SliceCopier | null = null
  #hash: FileHash | null = null
  #lines: LineBuckets | null = null
  #lists: ListMaker | null = null
  #pieces: GraphPieces | null = null

  readonly #memory: ScratchMemory | null

  /** @param stop not 0 once the import is to stop @param memory of scratch files that are not on disk */
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
    openCopy: (plan) => {
      this.#copier = new SliceCopier(plan)
      return null
    },
    copyEnds: ({ first, last }) => opened(this.#copier).ends(first, last),
    copyArcs: ({ first, last }) => opened(this.#copier).arcs(first, last),
    closeCopy: () => {
      const { report } = opened(this.#copier)
      this.#closeCopy()
      return report
    },
    sumPieces: (task) => sumPieces(task),
    hash: (task) => this.#hashPiece(task),
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
      this.#pieces = new GraphPieces(task)
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
    this.#closeCopy()
    this.#hash?.close()
    this.#hash = null
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

  #closeCopy(): void {
    this.#copier?.close()
    this.#copier = null
  }

  #hashPiece({ path, end, last }: HashTask): string | null {
    this.#hash ??= new FileHash(path)
    const digest = this.#hash.upTo(end, last)
    if (!last) return null
    this.#hash.close()
    this.#hash = null
    return digest
  }

  /** Waits for the buckets before this one; returns their arcs. */
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
      /** The same word of shared memory in every request; not 0 to stop. */
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
