/**
 * Colours on threads that share all lists and colours: each claims the next vertices in the order of their bands, and reads every list of
 * predecessors about once. Everything is one round. Only predecessors are kept of each list, so it takes half of the arcs; threads wait for one
 * another only along edges of one band. colouring.ts chooses it where the lists fit the memory, colour-batches.ts elsewhere.
 */

import { breaksTie, UNCOLOURED } from '../../../../kernels/parts/colour-order.ts'
import { processorsHere } from '../../../base/host-resources.ts'
import { throwIfCancelled } from '../../../base/job.ts'
import { shouldStop } from '../../../threads/barrier.ts'
import { PAUSE_MS, type RangeWork } from '../../range-task.ts'
import { reportRound } from '../../worker-report.ts'
import {
  countBands,
  orderBands,
  type ColouringWorker,
  type Lefts,
  type SharedColouring,
  type ColouringLists,
} from './colour-batches.ts'

/** Arcs that are read at a time. */
const ARCS_A_READ = 1 << 20

/** Colours the vertices that this thread claims. */
export async function colourOnProcessors(worker: ColouringWorker, lists: ColouringLists): Promise<RangeWork<Lefts>> {
  const { task, graph, trace, job, low, high } = worker
  const { shared, control, worker: index, before = [] } = task
  const { bands, bandCounts, order } = lists
  const own = { first: low, end: high }
  countBands(bands, shared, own, bandCounts.subarray(index * bands.bands, (index + 1) * bands.bands))
  await worker.arrive('for bands')
  const { places, total } = placesOf(bandCounts, bands.bands, index)
  orderBands(bands, shared, own, { places, order, low: 0 })
  await worker.ready()
  const readings = await readPredecessors(worker, lists)
  await worker.arrive('for lists')
  const colourStartMs = performance.now()
  const claimed = new ClaimedVertices(shared, lists, total, control)
  // More threads than processors would wait for those that are not running.
  const claims = index < processorsHere()
  while (claims && trace.span('kernel', 'colour', () => claimed.colourSome(performance.now() + PAUSE_MS))) {
    await worker.pause()
    if (index !== 0) continue
    reportRound(job, 'round', graph.vertices, claimed.left, 1)
    // Others colour meanwhile: what is written is right at any time.
    if (worker.isDue() > 0) worker.keep(before)
  }
  const kernelMs = performance.now() - colourStartMs + readings.kernelMs
  await worker.arrive('for colours')
  if (index === 0 && graph.vertices > 0) reportRound(job, 'round', graph.vertices, 0, 1)
  return {
    outcome: (before.at(-1) ?? graph.vertices) === 0 ? before : [...before, 0],
    exchanged: 0,
    kernelMs,
  }
}

/** The place of a worker's vertices in each band, behind those of workers before it. */
function placesOf(
  counts: Uint32Array,
  bands: number,
  index: number,
): { readonly places: Uint32Array; readonly total: number } {
  const places = new Uint32Array(bands)
  let total = 0
  for (let band = 0; band < bands; band++)
    for (let at = band; at < counts.length; at += bands) {
      if (at === index * bands + band) places[band] = total
      total += counts[at]!
    }
  return { places, total }
}

/** Reads the own lists, and keeps the predecessors alone. */
async function readPredecessors(
  { task, graph, store, trace, low, high, pause }: ColouringWorker,
  lists: ColouringLists,
): Promise<{ readonly kernelMs: number }> {
  const startMs = performance.now()
  let kernelMs = 0
  let buffer = new Uint32Array(0)
  const offsets = trace.span('disk read', 'offsets', () => graph.readOffsets(low, high))
  store.bytesRead += 8 * offsets.length
  for (let first = low; first < high;) {
    await pause()
    const begin = offsets[first - low]!
    let end = first + 1
    while (end < high && offsets[end + 1 - low]! - begin <= ARCS_A_READ) end++
    const arcs = offsets[end - low]! - begin
    if (arcs > buffer.length) buffer = new Uint32Array(arcs)
    const targets = buffer.subarray(0, arcs)
    trace.span('disk read', 'targets', () => graph.readTargets(begin, begin + arcs, targets))
    store.bytesRead += 4 * arcs
    const keepMs = performance.now()
    trace.span('kernel', 'predecessors', () =>
      keepPredecessors(task.shared, lists, {
        first,
        end,
        offsets: offsets.subarray(first - low, end + 1 - low),
        targets,
      }),
    )
    kernelMs += performance.now() - keepMs
    first = end
  }
  store.readMs += performance.now() - startMs - kernelMs
  return { kernelMs }
}

interface ReadLists {
  readonly first: number
  readonly end: number
  readonly offsets: Float64Array
  readonly targets: Uint32Array
}

function keepPredecessors(
  { keys, shift }: SharedColouring,
  { predecessors, starts, ends }: ColouringLists,
  { first, end, offsets, targets }: ReadLists,
): void {
  const origin = offsets[0]!
  const kept = predecessors.subarray(origin)
  let [at, to] = [0, 0]
  for (let v = first; v < end; v++) {
    starts[v] = origin + to
    const key = keys[v]!
    const last = (offsets[v + 1 - first]! - origin) | 0
    for (; at < last; at++) {
      const u = targets[at]!
      const other = keys[u]!
      if (other > key || (other === key && breaksTie(u, v, shift))) kept[to++] = u
    }
    ends[v] = origin + to
  }
}

/** Vertices that a thread claims at a time: few while they wait for each other, then as many as a share of those before them. */
const LEAST_CLAIM = 4
const MOST_CLAIM = 1024
const CLAIM_SHARE = 1 << 12
/** Claims between two looks at the clock. */
const CLAIMS = 16
/** How often a thread looks for a colour before it parks for a while. */
const LOOKS = 2000
const PARK_MS = 1

/**
 * Colours the vertices that this thread claims. A predecessor without a colour is of an earlier band, so that another thread has it at this
 * moment, which is waited for; or of the same, and is coloured first: two threads give a vertex the same colour.
 */
class ClaimedVertices {
  readonly #shared: SharedColouring
  readonly #lists: ColouringLists
  readonly #bandOf: Uint32Array
  readonly #total: number
  readonly #control: Int32Array
  /** The last visit that saw each colour. */
  #seen = new Float64Array(1024)
  #visit = 0
  /** Vertices that wait for the next one, and where in their lists. */
  readonly #stack: number[] = []
  readonly #places: number[] = []

  /** @param total vertices of the order @param control of the workers */
  constructor(shared: SharedColouring, lists: ColouringLists, total: number, control: Int32Array) {
    this.#shared = shared
    this.#lists = lists
    this.#bandOf = lists.bands.ofKey
    this.#total = total
    this.#control = control
  }

  get left(): number {
    return Math.max(0, this.#total - Atomics.load(this.#lists.claimed, 0))
  }

  /** Colours vertices for a while. @returns whether there are more */
  colourSome(untilMs: number): boolean {
    const { claimed, order } = this.#lists
    const { colours } = this.#shared
    do {
      for (let i = 0; i < CLAIMS; i++) {
        const wanted = Math.min(MOST_CLAIM, Math.max(LEAST_CLAIM, Math.floor(Atomics.load(claimed, 0) / CLAIM_SHARE)))
        const first = Atomics.add(claimed, 0, wanted)
        if (first >= this.#total) return false
        const end = Math.min(this.#total, first + wanted)
        for (let at = first; at < end; at++) if (colours[order[at]!] === UNCOLOURED) this.#colour(order[at]!)
      }
    } while (performance.now() < untilMs)
    return true
  }

  #colour(vertex: number): void {
    const [stack, places] = [this.#stack, this.#places]
    const { starts } = this.#lists
    let v = vertex
    let at = this.#see(v, starts[v]!)
    for (;;) {
      if (at < 0) {
        if (stack.length === 0) return
        v = stack.pop()!
        // What was seen of its list is forgotten; most of the rest has its colour.
        at = this.#next(v, places.pop()!)
        if (at < 0) at = this.#see(v, starts[v]!)
      } else {
        stack.push(v)
        places.push(at)
        v = this.#lists.predecessors[at]!
        at = this.#see(v, starts[v]!)
      }
    }
  }

  /** The place of the next predecessor, from one on, that has to be coloured first; -1: of none. */
  #next(v: number, from: number): number {
    const { predecessors, ends } = this.#lists
    const { colours } = this.#shared
    for (let at = from; at < ends[v]!; at++) {
      const u = predecessors[at]!
      if (colours[u] === UNCOLOURED && !this.#isAwaited(u, v)) return at
    }
    return -1
  }

  /** Colours a vertex unless one of its predecessors has to be coloured first. @returns the place of that one; -1: of none */
  #see(v: number, start: number): number {
    const { predecessors, ends } = this.#lists
    const { colours } = this.#shared
    const end = ends[v]!
    const visit = ++this.#visit
    let seen = this.#seen
    for (let at = start; at < end; at++) {
      const u = predecessors[at]!
      let colour = colours[u]!
      if (colour === UNCOLOURED) {
        if (!this.#isAwaited(u, v)) return at
        colour = colours[u]!
      }
      if (colour >= seen.length) seen = this.#grow(colour)
      seen[colour] = visit
    }
    let colour = 0
    while (seen[colour] === visit) colour++
    colours[v] = colour
    return -1
  }

  /** Waits for the colour of a vertex of an earlier band. @returns whether it is one */
  #isAwaited(u: number, v: number): boolean {
    const { keys, colours } = this.#shared
    if (this.#bandOf[keys[u]!] === this.#bandOf[keys[v]!]) return false
    for (let i = 0; Atomics.load(colours, u) === UNCOLOURED; i++) {
      if (i < LOOKS) continue
      throwIfCancelled({ aborted: shouldStop(this.#control) })
      Atomics.wait(new Int32Array(colours.buffer), u, UNCOLOURED | 0, PARK_MS)
    }
    return true
  }

  #grow(colour: number): Float64Array<ArrayBuffer> {
    const larger = new Float64Array(2 * (colour + 1))
    larger.set(this.#seen)
    this.#seen = larger
    return larger
  }
}
