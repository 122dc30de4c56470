import { throwIfCancelled } from '../../base/job.ts'
import { Failure } from '../../base/failure.ts'
import { GraphPieces, type PiecesTask } from '../lines/graph-pieces.ts'
import { LineBuckets, type LinesTask } from '../lines/line-buckets.ts'
import { ListMaker, type ListsTask } from '../lines/list-maker.ts'
import { BucketBuilder, type BuildTask } from './bucket-builder.ts'
import { EntryPartitioner, type PartitionTask } from './buckets.ts'
import type { StoreTask } from './entry-store.ts'
import { PieceParser } from './piece-parser.ts'
import { latticePieces, type LatticeTask } from './piece-writer.ts'
import type { ThreadHost } from './scratch-file.ts'

/** What a thread keeps open from task to task; all is done when a call returns. */
const parts = {
  store: (task: StoreTask) => new PieceParser(task),
  partition: (task: PartitionTask) => new EntryPartitioner(task),
  build: (task: BuildTask, host: ThreadHost) => new BucketBuilder(task, host),
  lines: (task: LinesTask) => new LineBuckets(task),
  lists: (task: ListsTask) => new ListMaker(task),
  pieces: (task: PiecesTask | LatticeTask) => ('shape' in task ? latticePieces(task) : new GraphPieces(task).writer),
}

export type PartName = keyof typeof parts
export type OpenTask<N extends PartName> = Parameters<(typeof parts)[N]>[0]
type Part<N extends PartName> = ReturnType<(typeof parts)[N]>
type Call = (task: never) => unknown
export type Method<N extends PartName> = { [M in keyof Part<N>]: Part<N>[M] extends Call ? M : never }[keyof Part<N>]
type CallOf<N extends PartName, M extends Method<N>> = Extract<Part<N>[M], Call>
export type Task<N extends PartName, M extends Method<N>> = Parameters<CallOf<N, M>>[0]
export type Result<N extends PartName, M extends Method<N>> = ReturnType<CallOf<N, M>>

export interface Order {
  readonly part: PartName
  /** Of the part, or `open`. The last one is `finish`. */
  readonly method: string
  readonly task: unknown
}

/** Has one part open at a time. */
export class IngestThread implements ThreadHost {
  readonly #stop: Int32Array
  #part: Part<PartName> | null = null

  /** @param stop not 0 once the import is to stop */
  constructor(stop: Int32Array) {
    this.#stop = stop
  }

  /** @throws Failure (cancelled); (engine) for a task of a part that is not open */
  handle({ part, method, task }: Order): unknown {
    this.checkStop()
    if (method === 'open') {
      this.close()
      this.#part = parts[part](task as never, this)
      return null
    }
    const open = this.#part as unknown as Readonly<Record<string, (task: unknown) => unknown>> | null
    if (open === null)
      throw new Failure({ code: 'engine', what: 'a task came out of order', remedy: 'Report this fault.' })
    const result = open[method]!(task)
    if (method === 'finish') this.close()
    return result
  }

  close(): void {
    if (this.#part !== null && 'close' in this.#part) this.#part.close()
    this.#part = null
  }

  checkStop(): void {
    throwIfCancelled({ aborted: Atomics.load(this.#stop, 0) !== 0 })
  }
}

/** @param stop the same in every request */
export type IngestRequest = (Order & { readonly stop: Int32Array }) | 'close'

let own: IngestThread | undefined

export async function ingestTask(request: IngestRequest): Promise<unknown> {
  if (request === 'close') return own?.close()
  own ??= new IngestThread(request.stop)
  return own.handle(request)
}
