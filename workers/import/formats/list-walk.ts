import type { CsrLayout } from './csr-layout.ts'
import { endOf, endsOf, firstListPast } from './csr-lists.ts'
import type { StoredFile } from './stored-file.ts'

const END_STEP = 1 << 16

export interface ListOfArc {
  readonly vertex: number
  /** First arc of the list, and the first after it. */
  readonly start: number
  readonly end: number
}

/** Finds the lists of ascending arcs in an adjacency file, whose ends may be in any disorder. */
export class ListWalk {
  readonly #file: StoredFile
  readonly #layout: CsrLayout
  #ends: Float64Array | Float32Array = new Float64Array(0)
  /** The vertex of `#ends[0]`. */
  #first = 0
  #vertex: number
  #start: number

  /** @param arc the first that will be asked for */
  constructor(file: StoredFile, layout: CsrLayout, arc: number) {
    this.#file = file
    this.#layout = layout
    this.#vertex = firstListPast(file, layout, arc)
    this.#start = this.#vertex === 0 ? 0 : endOf(file, layout, this.#vertex - 1)
  }

  /** The list of an arc, not before that of the call before; null where the ends of the lists are in disorder. */
  at(arc: number): ListOfArc | null {
    const { vertices } = this.#layout
    for (; this.#vertex < vertices; this.#vertex++) {
      if (this.#vertex >= this.#first + this.#ends.length) this.#read()
      const end = this.#ends[this.#vertex - this.#first]!
      if (!(end >= this.#start)) return null
      if (end > arc) return this.#start <= arc ? { vertex: this.#vertex, start: this.#start, end } : null
      this.#start = end
    }
    return null
  }

  #read(): void {
    this.#first = this.#vertex
    const count = Math.min(END_STEP, this.#layout.vertices - this.#first)
    this.#ends = endsOf(this.#file, this.#layout, this.#first, count)
  }
}
