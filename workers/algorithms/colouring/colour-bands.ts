import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import type { ArcBatch } from '../arc-store.ts'
import type { SharedColouring } from './compute-colouring.ts'

/** Vertices of the first band; each further one has as many as all before it, and those with the last of its keys. */
const FIRST_BAND = 1 << 13

/** All vertices in bands of falling keys. */
export class ColourBands {
  readonly #shared: SharedColouring
  /** By key. */
  readonly #bandOf: Uint8Array
  readonly #bands: number

  constructor(shared: SharedColouring) {
    this.#shared = shared
    const { keys } = shared
    const largest = keys.reduce((most, key) => Math.max(most, key), 0)
    const counts = new Uint32Array(largest + 1)
    for (const key of keys) counts[key]!++
    this.#bandOf = new Uint8Array(largest + 1)
    let [band, before] = [0, 0]
    for (let key = largest; key >= 0; key--) {
      this.#bandOf[key] = band
      before += counts[key]!
      if (before >= FIRST_BAND * 2 ** band) band = Math.max(band + 1, Math.floor(Math.log2(before / FIRST_BAND)) + 1)
    }
    this.#bands = band + 1
  }

  /** Vertices of a batch without a colour, as v - low: band by band, by id in each but the first. @returns where each band ends, after one for none */
  order({ first, count }: ArcBatch, low: number): { readonly order: Uint32Array; readonly ends: number[] } {
    const { keys, colours } = this.#shared
    const bandOf = this.#bandOf
    const places = new Uint32Array(this.#bands + 1)
    for (let v = first; v < first + count; v++) if (colours[v] === UNCOLOURED) places[bandOf[keys[v]!]! + 1]!++
    for (let band = 0; band < this.#bands; band++) places[band + 1]! += places[band]!
    const ends = [...places]
    const order = new Uint32Array(ends.at(-1)!)
    for (let v = first; v < first + count; v++)
      if (colours[v] === UNCOLOURED) order[places[bandOf[keys[v]!]!]!++] = v - low
    const head = order.subarray(0, ends[1])
    if (head.length < 2 * FIRST_BAND) head.sort((a, b) => keys[low + b]! - keys[low + a]!)
    return { order, ends: ends.filter((end, band) => band === 0 || end > ends[band - 1]!) }
  }
}
