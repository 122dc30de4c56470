import { GaloisGr } from '../../graph/galois-gr.ts'

const STEP = 1 << 16

/** Which vertices have a row in the table of vertices; a bit each. */
export class JoinedRows {
  readonly #vertices: number
  readonly #has: Uint32Array
  #distinct = 0
  #repeated = 0

  constructor(vertices: number) {
    this.#vertices = vertices
    this.#has = new Uint32Array(Math.ceil(vertices / 32))
  }

  add(vertex: number): void {
    const bit = 1 << (vertex & 31)
    if ((this.#has[vertex >>> 5]! & bit) !== 0) this.#repeated++
    else this.#distinct++
    this.#has[vertex >>> 5]! |= bit
  }

  /** Counts rows of vertices with edges, and others, in one pass over the offsets. @throws Failure (cancelled) */
  async withEdges(folder: string, pause: () => Promise<void>) {
    const graph = GaloisGr.inFolder(folder)
    let matched = 0
    try {
      for (let first = 0; first < this.#vertices; first += STEP) {
        const last = Math.min(this.#vertices, first + STEP)
        const offsets = graph.readOffsets(first, last)
        for (let v = first; v < last; v++)
          if (this.#hasRow(v) && offsets[v - first + 1]! > offsets[v - first]!) matched++
        await pause()
      }
    } finally {
      graph.close()
    }
    const added = this.#distinct - matched
    return { matched, added, repeated: this.#repeated, withoutRow: this.#vertices - this.#distinct }
  }

  #hasRow(vertex: number): boolean {
    return ((this.#has[vertex >>> 5]! >>> (vertex & 31)) & 1) === 1
  }
}
