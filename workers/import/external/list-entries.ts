import type { CsrLayout } from '../formats/csr-layout.ts'
import { exactTargets } from '../formats/csr-lists.ts'
import { numbers } from '../formats/csr-numbers.ts'
import { ListWalk } from '../formats/list-walk.ts'
import { StoredFile } from '../formats/stored-file.ts'
import type { EntryBatches, EntryTaker } from './entry-source.ts'
import type { Range } from './thread-tasks.ts'

const STEP = 1 << 16

/** Lists of a binary adjacency file, whose arcs are the entries. */
export interface ListsInFile {
  readonly kind: 'lists'
  readonly path: string
  /** The file as the user named it, for messages. */
  readonly name: string
  readonly layout: CsrLayout
  readonly weighted: boolean
}

/** Reads ranges of arcs straight from the file as entries of ids. */
export class ListEntries implements EntryBatches<Range> {
  readonly #lists: ListsInFile
  readonly #file: StoredFile

  constructor(lists: ListsInFile) {
    this.#lists = lists
    this.#file = StoredFile.open(lists.path, lists.name)
  }

  each({ first, last }: Range, take: EntryTaker): boolean {
    const { layout, weighted } = this.#lists
    const walk = new ListWalk(this.#file, layout, first)
    const records = new Uint32Array((weighted ? 3 : 2) * STEP)
    for (let from = first; from < last; from += STEP) {
      const count = Math.min(STEP, last - from)
      const targets = exactTargets(this.#file, layout, from, count)
      const weights = weighted ? new Float32Array(numbers(this.#file, layout.weights!, from, count)) : null
      if (targets === null || !this.#fill(records, from, targets, weights, walk)) return false
      take(records.subarray(0, (weighted ? 3 : 2) * count))
    }
    return true
  }

  close(): void {
    this.#file.close()
  }

  /** Puts entries together; false where one of them is for the reader of the format to decide on. */
  #fill(
    records: Uint32Array,
    first: number,
    targets: Uint32Array,
    weights: Float32Array | null,
    walk: ListWalk,
  ): boolean {
    const { vertices } = this.#lists.layout
    const bits = weights === null ? null : new Uint32Array(weights.buffer)
    for (let i = 0, at = 0; i < targets.length;) {
      const list = walk.at(first + i)
      if (list === null) return false
      const end = Math.min(targets.length, list.end - first)
      for (; i < end; i++) {
        const target = targets[i]!
        if (target >= vertices) return false
        records[at++] = list.vertex
        records[at++] = target
        if (bits === null) continue
        if (!(weights![i]! > 0 && weights![i]! < Infinity)) return false
        records[at++] = bits[i]!
      }
    }
    return true
  }
}
