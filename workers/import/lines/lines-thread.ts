import type { SummedPieces } from '../../base/sums.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { opened } from '../external/thread-tasks.ts'
import type { ThreadBuckets } from './buckets.ts'
import { GraphPieces, type PiecesTask } from './graph-pieces.ts'
import { LineBuckets, type LinesTask, type ParsedLines } from './line-buckets.ts'
import { addLists, type ListCounts, ListMaker, type ListsTask, noLists } from './list-maker.ts'

/** What one thread does for an import of plain lines (import-lines.ts): parse, make lists, write. */
export class LinesThread {
  #lines: LineBuckets | null = null
  #lists: ListMaker | null = null
  #pieces: GraphPieces | null = null

  openLines(task: LinesTask): null {
    this.#lines = new LineBuckets(task)
    return null
  }

  parse(first: number, last: number): readonly ParsedLines[] | null {
    return opened(this.#lines).parse(first, last)
  }

  parseText(lines: Uint8Array): ParsedLines | null {
    return opened(this.#lines).parseText(lines)
  }

  take(block: EntryBlock): boolean {
    return opened(this.#lines).take(block)
  }

  closeLines(): ThreadBuckets {
    const buckets = opened(this.#lines).finish()
    this.#lines = null
    return buckets
  }

  openLists(task: ListsTask): null {
    this.#lists = new ListMaker(task)
    return null
  }

  make(buckets: readonly number[]): ListCounts | null {
    const sum = noLists()
    for (const bucket of buckets) {
      const counts = opened(this.#lists).make(bucket)
      if (counts === null) return null
      addLists(sum, counts)
    }
    return sum
  }

  openPieces(task: PiecesTask): null {
    // What it sorted with is not needed any more.
    this.#lists = null
    this.#pieces = new GraphPieces(task)
    return null
  }

  write(first: number, last: number): null {
    for (let piece = first; piece < last; piece++) opened(this.#pieces).write(piece)
    return null
  }

  closePieces(): SummedPieces {
    const { pieces } = opened(this.#pieces)
    this.close()
    return pieces
  }

  /** Closes all files, whatever is open. */
  close(): void {
    this.#lines?.close()
    this.#pieces?.close()
    this.#lines = this.#lists = this.#pieces = null
  }
}
