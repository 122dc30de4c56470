/**
 * Adjacency lists of one worker on its device, in batches within a budget: all of them stay if they fit, else the batch used last makes room, as
 * it is needed again latest when batches are taken in turn. A store may keep chosen arcs alone, or words beside each arc. Targets are read and
 * checked by several threads (target-reader.ts); plan-arcs.ts cuts batches. Algorithms whose workers own ranges use it; sets and matchings
 * stream instead (streaming/).
 */

import { lowerBound } from '../base/ranges.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { type Device, type DeviceBuffer, fillWords } from '../device/device.ts'
import type { Trace } from '../base/trace.ts'
import { TargetReader } from './target-reader.ts'

/** Consecutive vertices of a worker whose arcs are on the device together. */
export interface ArcBatch {
  readonly index: number
  readonly first: number
  readonly count: number
  readonly firstArc: number
  readonly arcs: number
}

/** Offsets and targets. @param wordsAnArc more than 1 with values for each */
export function arcBatchBytes({ count, arcs }: Pick<ArcBatch, 'count' | 'arcs'>, wordsAnArc = 1): number {
  return 4 * (count + 1 + wordsAnArc * Math.max(1, arcs))
}

/** Bounds are multiples of it: a word of a bitmap has one owner. */
const ALIGNMENT = 32

/**
 * Bounds of ranges of vertices with about equal arcs; the last one of a range is the first of the next. @param perVertex a vertex counts as
 * so many more arcs
 */
export function cutRanges(graph: GaloisGr, ranges: number, perVertex = 0): number[] {
  const { vertices, arcs } = graph
  return Array.from({ length: ranges + 1 }, (_, range) => {
    if (range === 0) return 0
    if (range === ranges) return vertices
    const goal = (range * (arcs + perVertex * vertices)) / ranges
    const word = lowerBound(0, Math.floor(vertices / ALIGNMENT), (at) => {
      const v = at * ALIGNMENT
      return v < vertices && graph.arcsOf(v).first + perVertex * v < goal
    })
    return Math.min(vertices, word * ALIGNMENT)
  })
}

/** Batches that hold lists of these vertices. */
export function batchesWith(batches: readonly ArcBatch[], ids: Uint32Array): ArcBatch[] {
  const needed = new Uint8Array(batches.length)
  for (const v of ids) needed[lowerBound(1, batches.length, (i) => batches[i]!.first <= v) - 1] = 1
  return batches.filter((_, i) => needed[i] === 1)
}

export interface LoadedArcs {
  readonly batch: ArcBatch
  /** count + 1 places in `targets`. */
  readonly offsets: DeviceBuffer
  readonly targets: DeviceBuffer
  /** Words for each arc, as the choice gives them. */
  readonly values?: DeviceBuffer | undefined
  readonly bytes: number
}

/** The arcs of a batch that a worker keeps, as offsets and targets of their own, perhaps with some words for each arc. */
export type ArcChoice = (offsets: Uint32Array, targets: Uint32Array, batch: ArcBatch) => ChosenArcs

interface ChosenArcs {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly values?: Uint32Array | undefined
}

/** Which arcs a store holds, and how. */
export interface ChoiceNeeds {
  /** Undefined: all. */
  readonly choose?: ArcChoice | undefined
  /** Words of a target and its values. */
  readonly wordsAnArc?: number | undefined
  /** The host holds what was chosen, for batches that take turns. */
  readonly holdsChosen?: boolean | undefined
}

/** Batches on a device within a budget. When it is full the batch used last makes room: it is needed again latest. */
export class ArcStore {
  readonly #device: Device
  readonly #graph: GaloisGr
  readonly #budgetBytes: number
  readonly #trace: Trace
  readonly #needs: ChoiceNeeds
  /** Undefined where batches are read and chosen anew. */
  readonly #chosen: Map<number, ChosenArcs> | undefined
  readonly #reader: TargetReader
  readonly #loaded = new Map<number, LoadedArcs>()
  #usedBytes = 0
  readMs = 0
  bytesRead = 0

  /** @param readers threads that read, where all arcs are kept */
  constructor(
    device: Device,
    graph: GaloisGr,
    budgetBytes: number,
    trace: Trace,
    readers = 1,
    needs: ChoiceNeeds = {},
  ) {
    this.#reader = new TargetReader(device, graph, trace, readers)
    this.#needs = needs
    this.#chosen = needs.holdsChosen === true ? new Map() : undefined
    this.#device = device
    this.#graph = graph
    this.#budgetBytes = budgetBytes
    this.#trace = trace
  }

  hasRoom(batch: ArcBatch): boolean {
    return this.#loaded.has(batch.index) || this.#usedBytes + this.#bytesOf(batch) <= this.#budgetBytes
  }

  async load(batch: ArcBatch): Promise<LoadedArcs> {
    const resident = this.#loaded.get(batch.index)
    if (resident !== undefined) return resident
    const startMs = performance.now()
    const bytes = this.#bytesOf(batch)
    for (const old of [...this.#loaded.values()].reverse()) {
      if (this.#usedBytes + bytes <= this.#budgetBytes) break
      this.#release(old)
    }
    const loaded = await this.#trace.span('copy in', `batch ${batch.index}`, () => this.#bring(batch))
    this.#loaded.set(batch.index, loaded)
    this.#usedBytes += loaded.bytes
    this.readMs += performance.now() - startMs
    return loaded
  }

  /** The batch that is alone, else those that there is room for. */
  async loadAll(batches: readonly ArcBatch[]): Promise<void> {
    for (const batch of batches) if (batches.length === 1 || this.hasRoom(batch)) await this.load(batch)
  }

  #bytesOf(batch: ArcBatch): number {
    return arcBatchBytes(batch, this.#needs.wordsAnArc)
  }

  release(): void {
    for (const loaded of [...this.#loaded.values()]) this.#release(loaded)
    this.#reader.release()
  }

  #release({ batch, offsets, targets, values, bytes }: LoadedArcs): void {
    for (const buffer of [offsets, targets, values]) if (buffer !== undefined) this.#device.release(buffer)
    this.#loaded.delete(batch.index)
    this.#usedBytes -= bytes
  }

  async #bring(batch: ArcBatch): Promise<LoadedArcs> {
    const { first, count, firstArc, arcs } = batch
    const held = this.#chosen?.get(batch.index)
    if (held !== undefined) return this.#keep(batch, held)
    const ends = this.#trace.span('disk read', 'offsets', () => this.#graph.readOffsets(first, first + count))
    const offsets = new Uint32Array(count + 1)
    for (let i = 0; i <= count; i++) offsets[i] = ends[i]! - firstArc
    this.bytesRead += 8 * (count + 1) + 4 * arcs
    const { choose } = this.#needs
    if (choose === undefined) return this.#keep(batch, { offsets })
    const targets = this.#trace.span('disk read', 'targets', () => this.#graph.readTargets(firstArc, firstArc + arcs))
    const chosen = choose(offsets, targets, batch)
    this.#chosen?.set(batch.index, chosen)
    return this.#keep(batch, chosen)
  }

  /** @param chosen without targets: all arcs, which are read to the device */
  async #keep(batch: ArcBatch, chosen: Pick<ChosenArcs, 'offsets'> & Partial<ChosenArcs>): Promise<LoadedArcs> {
    const device = this.#device
    const { count, firstArc } = batch
    const arcs = chosen.targets?.length ?? batch.arcs
    const offsets = await device.allocate('offsets', count + 1)
    const targets = await device.allocate('targets', Math.max(1, arcs))
    await fillWords(device, offsets, chosen.offsets)
    if (chosen.targets !== undefined) await fillWords(device, targets, chosen.targets)
    else if (arcs > 0) await this.#reader.bring(targets, firstArc, arcs)
    if (chosen.values === undefined) return { batch, offsets, targets, bytes: arcBatchBytes({ count, arcs }) }
    const values = await device.allocate('values', Math.max(1, chosen.values.length))
    await fillWords(device, values, chosen.values)
    return { batch, offsets, targets, values, bytes: arcBatchBytes({ count, arcs }) + 4 * values.words }
  }
}
