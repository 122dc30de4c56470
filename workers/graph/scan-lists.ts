/**
 * Passes over all lists of a graph in file order, in bounded memory: by the list, by reads of 2^18 arcs that stay in the cache, or by arcs, with
 * weights where asked for; and the weights of an order of edges, with exact sums of what a matching weighs. One thread; damage is a failure with
 * its place. streaming/ is the way of many threads and devices.
 */

import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { GaloisGr } from './galois-gr.ts'
import { type Range, rangesOf } from '../base/ranges.ts'
import { EdgeHash, modThousand } from '../../kernels/parts/edge-hash.ts'
import { ExactSum } from '../base/exact-sum.ts'
import { MADE_WEIGHTS, usageFailure } from '../base/failure.ts'
import type { EdgeWeights } from '../contract/jobs.ts'
import { type EdgeOrder, leastThousandths } from './edge-order.ts'
import { type Matching, NO_MATE } from './matching.ts'
import type { WeightArray } from './weight-values.ts'

const VERTICES_PER_READ = 1 << 18
const VERTICES_PER_PIECE = 1 << 16
/** Arcs of a read, unless one list is longer: they stay in the cache. */
const ARCS_PER_READ = 1 << 18

/** Lists of the vertices from `first` on: those of vertex first + i are targets [offsets[i], offsets[i + 1]), which the next read replaces. */
export interface ListsRead {
  readonly first: number
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  /** The place of the first arc in the graph. */
  readonly firstArc: number
}

/** Reads all lists in file order, a few at a time. @throws Failure (cancelled), (input) where the graph is damaged */
export function scanLists(graph: GaloisGr, job: JobContext, phase: string, look: (lists: ListsRead) => void): void {
  for (const lists of listsOf(graph, job, phase)) look(lists)
}

/** The list of each vertex in file order: `targets` [start, end). @param look `weights`: of the same arcs, where asked for */
export function eachList(
  graph: GaloisGr,
  job: JobContext,
  phase: string,
  look: (v: number, start: number, end: number, targets: Uint32Array, weights: WeightArray) => void,
  withWeights: boolean | 'values' = false,
): void {
  for (const lists of listsOf(graph, job, phase)) {
    const { first, offsets, targets } = lists
    const weights = weightsOf(graph, lists, withWeights)
    for (let row = 0; row + 1 < offsets.length; row++)
      look(first + row, offsets[row]!, offsets[row + 1]!, targets, weights)
  }
}

const NONE = new Float32Array(0)

/** The stored weights of the arcs that were read, as keys or as values; empty where they are not asked for. */
function weightsOf(graph: GaloisGr, { firstArc, targets }: ListsRead, asked: boolean | 'values'): WeightArray {
  const end = firstArc + targets.length
  if (asked === 'values') return graph.readValues(firstArc, end)
  return asked ? graph.readWeights(firstArc, end) : NONE
}

/** The same, one after another. @param vertices absent: all @param backwards the last read first; vertices of a read ascend all the same */
export function* listsOf(
  graph: GaloisGr,
  job: JobContext,
  phase: string,
  { first, end }: Range = { first: 0, end: graph.vertices },
  backwards = false,
): Generator<ListsRead> {
  let room = new Uint32Array(Math.min(graph.arcs, ARCS_PER_READ))
  const inTurn = <T>(all: T[]): T[] => (backwards ? all.reverse() : all)
  const blocks = Array.from(
    { length: Math.ceil((end - first) / VERTICES_PER_READ) },
    (_, i) => first + i * VERTICES_PER_READ,
  )
  for (const begin of inTurn(blocks)) {
    const all = graph.readOffsets(begin, Math.min(end, begin + VERTICES_PER_READ))
    for (const [low, high] of inTurn(readsOf(all))) {
      throwIfCancelled(job.signal)
      const firstArc = all[low]!
      const done = backwards ? graph.arcs - all[high]! : firstArc
      job.progress({ phase, done, total: graph.arcs, unit: 'arcs' })
      const offsets = new Uint32Array(high - low + 1)
      for (let i = low; i <= high; i++) offsets[i - low] = all[i]! - firstArc
      const arcs = all[high]! - firstArc
      if (arcs > room.length) room = new Uint32Array(arcs)
      yield {
        first: begin + low,
        offsets,
        targets: graph.readTargets(firstArc, all[high]!, room.subarray(0, arcs)),
        firstArc,
      }
    }
  }
}

interface ArcPiece {
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: WeightArray | null
}

/** All arcs in file order, in pieces whose size does not depend on the graph: a list that is longer is cut. */
export function* arcPieces(graph: GaloisGr): Generator<ArcPiece> {
  for (const { first, end: limit } of rangesOf(graph.vertices, VERTICES_PER_PIECE)) {
    const offsets = graph.readOffsets(first, limit)
    let u = first
    for (let start = offsets[0]!; start < offsets[limit - first]!; start += ARCS_PER_READ) {
      const end = Math.min(offsets[limit - first]!, start + ARCS_PER_READ)
      const sources = new Uint32Array(end - start)
      for (let arc = start; arc < end; arc++) {
        while (offsets[u - first + 1]! <= arc) u++
        sources[arc - start] = u
      }
      const weights = graph.weighted ? graph.readValues(start, end) : null
      yield { sources, targets: graph.readTargets(start, end), weights }
    }
  }
}

/** Places of offsets between which the arcs fit a read; a list that is longer has a read of its own. */
function readsOf(offsets: Float64Array): [low: number, high: number][] {
  const reads: [number, number][] = []
  for (let low = 0, high = 1; low + 1 < offsets.length; low = high++) {
    while (high + 1 < offsets.length && offsets[high + 1]! - offsets[low]! <= ARCS_PER_READ) high++
    reads.push([low, high])
  }
  return reads
}

/** Weights in units. Valid until the next one. */
interface WeighedList {
  readonly v: number
  readonly neighbours: Uint32Array
  readonly weights: WeightArray
}

/** The order in terms of what the file has for weights: the threshold is the least of these that is not below it. */
export function keyedOrder(order: EdgeOrder, graph: GaloisGr): EdgeOrder {
  if (order.weights !== 'column' || order.threshold === undefined || !graph.hasValues) return order
  return { ...order, threshold: graph.leastKeyFrom(order.threshold) }
}

/** Units in a weight of 1: `random3` is counted in thousandths, so that sums are exact. */
export const unitsOf = (weights: EdgeWeights): number => (weights === 'random3' ? 1000 : 1)

/** A list with stored weights, if they are asked for. */
export interface BareList {
  readonly v: number
  readonly neighbours: Uint32Array
  readonly stored: WeightArray
}

/** Lists one by one, in one pass, in bounded memory. */
export function* bareLists(
  graph: GaloisGr,
  withWeights: boolean | 'values',
  phase: string,
  job: JobContext,
  range?: Range,
): Generator<BareList> {
  for (const lists of listsOf(graph, job, phase, range)) {
    const { first, offsets, targets } = lists
    const weights = weightsOf(graph, lists, withWeights)
    for (let i = 0; i + 1 < offsets.length; i++) {
      const [start, stop] = [offsets[i]!, offsets[i + 1]!]
      yield { v: first + i, neighbours: targets.subarray(start, stop), stored: weights.subarray(start, stop) }
    }
  }
}

export class EdgeWeigher {
  readonly most: number
  readonly least: number
  readonly #rule: EdgeWeights
  readonly #hash: EdgeHash
  #highs = new Uint32Array(0)
  #lows = new Uint32Array(0)

  constructor(order: Pick<EdgeOrder, 'weights' | 'seed' | 'threshold'>) {
    this.#rule = order.weights
    this.#hash = new EdgeHash(order.seed)
    this.most = order.weights === 'column' ? Infinity : unitsOf(order.weights)
    this.least = order.weights === 'random3' ? leastThousandths(order) : (order.threshold ?? 0)
  }

  get areStored(): boolean {
    return this.#rule === 'column'
  }

  /** Computes weights from `start` on, if they are not stored. */
  weigh(v: number, targets: Uint32Array, count: number, weights: WeightArray, start = 0): void {
    if (this.#rule === 'unit') return void weights.fill(1, 0, count)
    if (count > this.#highs.length) {
      this.#highs = new Uint32Array(2 * count)
      this.#lows = new Uint32Array(2 * count)
    }
    const [highs, lows] = [this.#highs, this.#lows]
    this.#hash.ofList(v, targets, start, count, highs, lows)
    for (let i = 0; i < count; i++) weights[i] = 1 + modThousand(highs[i]!, lows[i]!)
  }
}

/** Lists without the edges that the order leaves out. */
export function* weighedLists(
  graph: GaloisGr,
  order: Pick<EdgeOrder, 'weights' | 'seed' | 'threshold'>,
  phase: string,
  job: JobContext,
): Generator<WeighedList> {
  const weigher = new EdgeWeigher(order)
  let room = new Float32Array(0)
  for (const { v, neighbours, stored } of bareLists(graph, weigher.areStored && 'values', phase, job)) {
    const degree = neighbours.length
    if (degree > room.length) room = new Float32Array(2 * degree)
    const computed = room.subarray(0, weigher.areStored ? 0 : degree)
    if (!weigher.areStored) weigher.weigh(v, neighbours, degree, computed)
    const weights = weigher.areStored ? stored : computed
    const list = { v, neighbours, weights }
    yield order.threshold === undefined ? list : withoutLight(list, weigher.least)
  }
}

function withoutLight({ v, neighbours, weights }: WeighedList, least: number): WeighedList {
  const isKept = (_: number, i: number): boolean => weights[i]! >= least
  return { v, neighbours: neighbours.filter(isKept), weights: weights.filter(isKept) }
}

/** @throws Failure (usage) */
export function requireWeights({ weighted }: Pick<GaloisGr, 'weighted'>): void {
  if (!weighted) throw usageFailure(undefined, 'this graph has no weights', '', MADE_WEIGHTS)
}

/** Summed exactly, rounded once. Reads the graph only where weights are stored. */
export function matchingWeight(graph: GaloisGr, { mates }: Matching, order: EdgeOrder, job: JobContext): number {
  return weightOf(pairWeights(graph, mates, order, { first: 0, end: mates.length }, job), order)
}

/** @param terms of {@link pairWeights}, in any order */
export function weightOf(terms: readonly number[], { weights }: EdgeOrder): number {
  const sum = new ExactSum()
  for (const term of terms) sum.add(term)
  return weights === 'random3' ? sum.value / 1000 : sum.value
}

/** Their exact sum is the weight of the pairs whose lower end is in a range; of `random3` in thousandths. */
export function pairWeights(
  graph: GaloisGr,
  mates: Uint32Array,
  order: EdgeOrder,
  range: Range,
  job: JobContext,
): readonly number[] {
  if (order.weights === 'column') {
    const exact = new ExactSum()
    const least = keyedOrder(order, graph).threshold ?? 0
    for (const { v, neighbours, stored } of bareLists(graph, true, 'weigh', job, range)) {
      const mate = mates[v]!
      if (!(mate > v && mate < graph.vertices)) continue
      const key = stored[neighbours.indexOf(mate)]
      if (key !== undefined && key >= least) exact.add(graph.valueOf(key))
    }
    return exact.terms
  }
  const hash = new EdgeHash(order.seed)
  let sum = 0
  for (let u = range.first; u < range.end; u++) {
    const v = mates[u]!
    if (v === NO_MATE || v < u) continue
    if (order.weights === 'unit') sum++
    else {
      hash.of(u, v)
      sum += 1 + hash.modThousand()
    }
  }
  return [sum]
}
