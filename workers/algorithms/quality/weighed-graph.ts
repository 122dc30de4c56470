import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { weighedLists } from '../../graph/weighed-lists.ts'

/** An undirected graph with the weights of an order, in memory; every edge as two arcs. */
export interface WeighedGraph {
  readonly vertices: number
  /** List v is [starts[v], starts[v + 1]), ascending. */
  readonly starts: Uint32Array
  readonly targets: Uint32Array
  /** In units of the order. */
  readonly weights: Float32Array
  /** All weights are multiples of this power of two. */
  readonly quantum: number
}

/** Bytes of an arc of it, and of a vertex. */
export const WEIGHED_BYTES = { vertex: 4, arc: 8 }

/** Sums of weights are exact in double precision while the largest has no more bits than these. */
const EXACT_BITS = 48

/**
 * Loads a graph. Where the weights differ by more than 48 bits, the finest bits of small ones are rounded up: a bound for what is loaded
 * is one for the graph, too.
 */
export function loadWeighed(graph: GaloisGr, order: EdgeOrder, job: JobContext): WeighedGraph {
  const { vertices, arcs } = graph
  if (arcs >= 2 ** 32) throw new Failure({ code: 'usage', what: `${arcs} arcs are too many to be held`, remedy: '' })
  const starts = new Uint32Array(vertices + 1)
  const targets = new Uint32Array(arcs)
  const weights = new Float32Array(arcs)
  let at = 0
  for (const { v, neighbours, weights: of } of weighedLists(graph, order, 'load', job)) {
    targets.set(neighbours, at)
    weights.set(of, at)
    at += neighbours.length
    starts[v + 1] = at
  }
  const held = { vertices, starts, targets: targets.subarray(0, at), weights: weights.subarray(0, at) }
  return { ...held, quantum: order.weights === 'column' ? commonQuantum(held.weights) : 1 }
}

/** Rounds up what is finer. */
function commonQuantum(weights: Float32Array): number {
  let [largest, finest] = [0, Infinity]
  for (const weight of weights) {
    if (weight > largest) largest = weight
    const quantum = quantumOf(weight)
    if (quantum < finest) finest = quantum
  }
  if (largest === 0) return 1
  const least = 2 ** (Math.floor(Math.log2(largest)) - EXACT_BITS)
  if (finest >= least) return finest
  for (let i = 0; i < weights.length; i++) weights[i] = Math.ceil(weights[i]! / least) * least
  return least
}

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/** The largest power of two that divides a number of single precision. */
function quantumOf(weight: number): number {
  if (weight === 0) return Infinity
  single[0] = weight
  const [exponent, fraction] = [(bits[0]! >>> 23) & 0xff, bits[0]! & 0x7fffff]
  const trailing = fraction === 0 ? 23 : 31 - Math.clz32(fraction & -fraction)
  return exponent === 0 ? 2 ** (trailing - 149) : 2 ** (exponent - 150 + trailing)
}
