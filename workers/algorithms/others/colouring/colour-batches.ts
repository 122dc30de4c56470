/**
 * What the workers of a colouring share, and the way of a device through the batches of its vertices: those of the largest keys are visited in
 * rounds, then as many as these beside what is left of them, and so on, so that few rounds look at vertices whose turn is far away. A device has
 * keys and colours of all vertices and four words for each of its own. colouring.ts has the rounds over all workers; colour-on-processors.ts is
 * the way of processors that hold all lists.
 */

import { colourPredecessors } from '../../../../kernels/colouring/colour-predecessors.ts'
import { colourVisit, COUNTED } from '../../../../kernels/colouring/colour-visit.ts'
import { type RangeWorker } from '../../range-task.ts'
import { allocateBuffers, type Buffers, type DeviceBuffer, fillWords, releaseBuffers } from '../../../device/device.ts'
import type { ArcBatch, LoadedArcs } from '../../arc-store.ts'
import { UNCOLOURED } from '../../../../kernels/parts/colour-order.ts'
import { sharedWords } from '../../../base/words.ts'
import type { Range } from '../../../base/ranges.ts'

/** What the workers share: every word is in shared memory. */
export interface SharedColouring {
  /** The vertex of the larger key is coloured first, of equal ones that of the larger hash. */
  readonly keys: Uint32Array
  /** The colours to begin with, and the result. */
  readonly colours: Uint32Array
  /** Added to an id before it is hashed. */
  readonly shift: number
  /** All lists, if all workers are processors that hold every list. */
  readonly lists?: ColouringLists | undefined
}

/** Vertices without a colour after each round. */
export type Lefts = readonly number[]
export type ColouringWorker = RangeWorker<SharedColouring, Lefts>

/** The predecessors of each vertex, from starts [v] to ends [v], and the order of the vertices. */
export interface ColouringLists {
  readonly predecessors: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly order: Uint32Array
  readonly bands: ColourBands
  /** Vertices of each worker in each band. */
  readonly bandCounts: Uint32Array
  /** How many of the order were claimed. */
  readonly claimed: Uint32Array
}

export const shareColouring = (vertices: number, shift: number): SharedColouring => ({
  keys: sharedWords(vertices),
  colours: sharedWords(vertices).fill(UNCOLOURED),
  shift,
})

export function shareLists({ keys }: SharedColouring, arcs: number, workers: number): ColouringLists {
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

/** The vertices that are ordered by their keys. The others are in the order of the file, in which lists are read faster: few wait for each other. */
const EXACT = 1 << 16

/** All vertices in bands of falling keys: one for each key to begin with, then each band has as many vertices as all before it. */
interface ColourBands {
  readonly bands: number
  readonly ofKey: Uint32Array
}

function bandsOf(keys: Uint32Array): ColourBands {
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

/** Rounds of a submission, even numbers: the list ends where it began. Twice as many while vertices wait, half as many when none does. */
const LEAST_ROUNDS = 8
const MOST_ROUNDS = 128
/** Twins colour in the order of the list. */
const CPU_ROUNDS = 2
/** Vertices that are visited first; then as many as all before them. */
const FIRST = 1 << 13
/** Threads that a round has at least. */
const LEAST_THREADS = 1 << 14
/** Vertices are admitted when fewer than this share of their number is left of those before them. */
const FEW = 1 / 4

/** Bytes on a device, beside keys and colours of all vertices: states and lists of its own. */
export const batchSpaceBytes = (own: number): number => 4 * (4 * own + MOST_ROUNDS + 1 + 16)

/** Vertices of a batch without a colour: the first `kept` of its section of the list wait, those from ends [admitted] on were not visited yet. */
interface Pending {
  readonly batch: ArcBatch
  /** Ends of the vertices that are admitted together, after one for none. */
  readonly ends: readonly number[]
  admitted: number
  kept: number
  rounds: number
}

const isWhole = ({ admitted, ends }: Pending): boolean => admitted === ends.length - 1
const leftOf = ({ kept, admitted, ends }: Pending): number => kept + ends.at(-1)! - ends[admitted]!

type Space = Buffers<'states' | 'list' | 'spare' | 'counters'>

/** The vertices of one worker, batch by batch. */
export class ColourBatches {
  readonly #worker: ColouringWorker
  readonly #keys: DeviceBuffer
  readonly #colours: DeviceBuffer
  readonly #space: Space
  readonly #pending: readonly Pending[]
  /** The vertices whose lists begin with the predecessors. */
  readonly #prepared = new WeakSet<LoadedArcs>()

  private constructor(
    worker: ColouringWorker,
    { keys, colours }: Readonly<Record<'keys' | 'colours', DeviceBuffer>>,
    space: Space,
    pending: readonly Pending[],
  ) {
    this.#worker = worker
    this.#keys = keys
    this.#colours = colours
    this.#space = space
    this.#pending = pending
  }

  /** Those that have no colour yet. */
  static async open(
    worker: ColouringWorker,
    buffers: Readonly<Record<'keys' | 'colours', DeviceBuffer>>,
  ): Promise<ColourBatches> {
    const { device, plan, task, low, high } = worker
    const own = high - low
    const spare = plan.batches.reduce((most, { count }) => Math.max(most, count), 0)
    const words = { states: 2 * own, list: own, spare, counters: MOST_ROUNDS + 1 }
    const space = await allocateBuffers(device, words)
    device.clear(space.states, 0, 2 * own)
    const pending: Pending[] = []
    const bands = bandsOf(task.shared.keys)
    for (const batch of plan.batches) {
      const { order, ends } = inOrder(bands, task.shared, batch, low)
      await fillWords(device, space.list, order, batch.first - low)
      pending.push({ batch, ends, admitted: 0, kept: 0, rounds: LEAST_ROUNDS })
    }
    return new ColourBatches(worker, buffers, space, pending)
  }

  /** Vertices without a colour. */
  get left(): number {
    return this.#pending.reduce((sum, each) => sum + leftOf(each), 0)
  }

  /** Visits every batch until all of its vertices have their colours or wait for others. @param pause called between submissions */
  async round(pause: () => Promise<void>): Promise<void> {
    for (const pending of this.#pending) {
      await pause()
      if (leftOf(pending) === 0) continue
      const loaded = await this.#worker.store.load(pending.batch)
      this.#prepare(loaded)
      let isStuck = false
      while (leftOf(pending) > 0 && !(isStuck && isWhole(pending))) {
        isStuck = (await this.#visit(pending, loaded, isStuck)) === 0
        await pause()
      }
    }
  }

  release(): void {
    releaseBuffers(this.#worker.device, this.#space)
  }

  #prepare(loaded: LoadedArcs): void {
    if (this.#prepared.has(loaded)) return
    this.#prepared.add(loaded)
    const { device, task, trace, low } = this.#worker
    const { batch, offsets, targets } = loaded
    const { states } = this.#space
    const params = { first: batch.first, rows: batch.count, low, shift: task.shared.shift }
    const buffers = { offsets, targets, keys: this.#keys, colours: this.#colours, states }
    trace.span('kernel', 'predecessors', () => device.launch(colourPredecessors, batch.count, params, buffers))
  }

  /** Some rounds. @param isStuck whether the last ones coloured none @returns how many were coloured */
  async #visit(pending: Pending, { offsets, targets }: LoadedArcs, isStuck: boolean): Promise<number> {
    const { device, task, trace, low } = this.#worker
    const { counters, states, list, spare } = this.#space
    const { batch, ends, kept } = pending
    const base = batch.first - low
    const at = ends[pending.admitted]!
    const next = isWhole(pending) ? 0 : ends[pending.admitted + 1]! - at
    const admitted = isStuck || kept <= FEW * next ? next : 0
    const common = { offsets, targets, keys: this.#keys, colours: this.#colours, states, counters }
    const rounds = device.sharesMemory ? CPU_ROUNDS : pending.rounds
    const visited = kept + admitted
    device.clear(counters, 0, rounds + 1)
    for (let slot = 0; slot < rounds; slot++) {
      const [from, to] = slot % 2 === 0 ? [base, 0] : [0, base]
      const buffers = slot % 2 === 0 ? { list, rest: spare } : { list: spare, rest: list }
      const first = slot === 0 ? { kept, at, admitted } : { kept: COUNTED, at: 0, admitted: 0 }
      const params = { first: batch.first, low, shift: task.shared.shift, base: from, to, slot, ...first }
      const threads = Math.max(Math.min(visited, LEAST_THREADS), Math.ceil(visited / 2 ** slot))
      trace.span('kernel', 'colour', () => device.launch(colourVisit, threads, params, { ...common, ...buffers }))
    }
    const [waiting = 0] = await device.read(counters, rounds, 1)
    if (admitted > 0) pending.admitted++
    pending.kept = waiting
    pending.rounds = waiting > 0 ? Math.min(MOST_ROUNDS, 2 * rounds) : Math.max(LEAST_ROUNDS, rounds / 2)
    return visited - waiting
  }
}

/** Vertices of a batch without a colour in the order of their bands, as v - low. */
function inOrder(
  bands: ColourBands,
  shared: SharedColouring,
  { first, count }: ArcBatch,
  low: number,
): { readonly order: Uint32Array; readonly ends: readonly number[] } {
  const counts = new Uint32Array(bands.bands)
  const own = { first, end: first + count }
  countBands(bands, shared, own, counts)
  const places = new Uint32Array(bands.bands)
  const ends = [0]
  let total = 0
  for (let band = 0; band < bands.bands; band++) {
    places[band] = total
    total += counts[band]!
    if (total >= Math.max(FIRST, 2 * ends.at(-1)!)) ends.push(total)
  }
  if (total > ends.at(-1)!) ends.push(total)
  const order = new Uint32Array(total)
  orderBands(bands, shared, own, { places, order, low })
  return { order, ends }
}
