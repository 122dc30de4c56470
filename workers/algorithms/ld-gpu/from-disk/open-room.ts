import { EntryPool } from './entry-pool.ts'
import { OpenPlaces } from './open-places.ts'
import { PointingVertices } from './pointing-vertices.ts'

/** Of a thread's vertices so many at least are taken to be open after the rounds of the devices: memory for these is touched before. */
const TOUCHED_SHARE = 3 / 8
/** Bytes of the smallest page that a machine has. */
const PAGE_BYTES = 4096

/**
 * Memory for what a thread will know of its open vertices, for as many as it has vertices. The system makes memory when it is touched first,
 * for one thread of a process after another: where sixty do that at a time, it takes longer than what they write there. So it is made while
 * the devices have their rounds.
 */
export class OpenRoom {
  readonly places: OpenPlaces
  readonly cursors: Uint32Array
  readonly pointing: PointingVertices
  readonly pool: EntryPool

  constructor(vertices: number) {
    this.places = new OpenPlaces(vertices)
    this.cursors = new Uint32Array(vertices)
    this.pointing = new PointingVertices(vertices)
    this.pool = new EntryPool(vertices)
    for (const array of [...this.places.arrays, this.cursors, ...this.pointing.arrays, ...this.pool.arrays])
      touch(array)
  }
}

function touch(array: Uint32Array | Uint8Array): void {
  const end = TOUCHED_SHARE * array.length
  for (let at = 0; at < end; at += PAGE_BYTES / array.BYTES_PER_ELEMENT) array[at] = 0
}
