import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import { sharedWords } from '../../base/words.ts'
import type { RangeWorker } from '../range-task.ts'
import type { Range } from '../../base/ranges.ts'

/** What the workers share: every word is in shared memory. */
export interface SharedColouring {
  /** The vertex of the larger key is coloured first, of equal ones that of the larger hash. */
  readonly keys: Uint32Array
  /** To begin with, and the result. */
  readonly colours: Uint32Array
  /** Added to an id before it is hashed. */
  readonly shift: number
  /** Where all workers are processors that hold every list. */
  readonly lists?: SharedLists | undefined
}

/** Vertices without a colour after each round. */
export type Lefts = readonly number[]
export type ColouringWorker = RangeWorker<SharedColouring, Lefts>

/** The predecessors of each vertex, from starts [v] to ends [v], and the order of the vertices. */
export interface SharedLists {
  readonly predecessors: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly order: Uint32Array
  readonly bands: ColourBands
  /** Of each worker, its vertices in each band. */
  readonly bandCounts: Uint32Array
  /** How many of the order were claimed. */
  readonly claimed: Uint32Array
}

export const shareColouring = (vertices: number, shift: number): SharedColouring => ({
  keys: sharedWords(vertices),
  colours: sharedWords(vertices).fill(UNCOLOURED),
  shift,
})

export function shareLists({ keys }: SharedColouring, arcs: number, workers: number): SharedLists {
  const bands = bandsOf(keys)
  const vertices = keys.length
  return {
    predecessors: sharedWords(arcs),
    starts: sharedWords(vertices),
    ends: sharedWords(vertices),
    order: sharedWords(vertices),
    bands,
    bandCounts: sharedWords(workers * bands.bands),
    claimed: sharedWords(1),
  }
}

/** So many vertices are ordered by their keys. The others are in the order of the file, in which lists are read faster: few wait for each other. */
const EXACT = 1 << 16

/** All vertices in bands of falling keys: one for each key to begin with, then each band has as many vertices as all before it. */
export interface ColourBands {
  readonly bands: number
  readonly ofKey: Uint32Array
}

export function bandsOf(keys: Uint32Array): ColourBands {
  let largest = 0
  for (const key of keys) if (key > largest) largest = key
  const counts = new Uint32Array(largest + 1)
  for (const key of keys) counts[key]!++
  const ofKey = sharedWords(counts.length)
  let [band, before, goal] = [0, 0, 0]
  for (let key = largest; key >= 0; key--) {
    ofKey[key] = band
    before += counts[key]!
    if (counts[key] === 0 || before < goal) continue
    if (before > EXACT) goal = 2 * before
    band++
  }
  return { bands: band + 1, ofKey }
}

/** Adds the vertices [first, end) without a colour to those of each band. */
export function countBands({ ofKey }: ColourBands, shared: Vertices, { first, end }: Range, counts: Uint32Array): void {
  const { keys, colours } = shared
  for (let v = first; v < end; v++) if (colours[v] === UNCOLOURED) counts[ofKey[keys[v]!]!]!++
}

/** Writes them, as v - low, to the next places of their bands. */
export function orderBands(
  { ofKey }: ColourBands,
  { keys, colours }: Vertices,
  { first, end }: Range,
  { places, order, low }: { readonly places: Uint32Array; readonly order: Uint32Array; readonly low: number },
): void {
  for (let v = first; v < end; v++) if (colours[v] === UNCOLOURED) order[places[ofKey[keys[v]!]!]!++] = v - low
}

type Vertices = Readonly<Record<'keys' | 'colours', Uint32Array>>
