import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { EdgeWeights } from '../jobs.ts'
import type { GaloisGr } from './galois-gr.ts'
import type { EdgeOrder } from './views/edge-order.ts'
import { EdgeHash, modThousand } from './views/edge-hash.ts'
import { leastThousandths } from './views/edge-order.ts'

const ARCS_PER_READ = 1 << 18
const VERTICES_PER_READ = 1 << 18

/** A vertex with its neighbours, ascending, and what the edges to them weigh, in units. Valid until the next one. */
export interface WeighedList {
  readonly v: number
  readonly neighbours: Uint32Array
  readonly weights: Float32Array
  /** With the edges that the order leaves out, which are not among the neighbours. */
  readonly degree: number
}

/** Units in a weight of 1: those of `random3` are counted in thousandths, so that sums of them are exact. */
export const unitsOf = (weights: EdgeWeights): number => (weights === 'random3' ? 1000 : 1)

/** The lists of a canonical graph in order, in one pass through buffers of bounded size, with the weights of an order of edges. */
export function* weighedLists(
  graph: GaloisGr,
  order: Pick<EdgeOrder, 'weights' | 'seed' | 'threshold'>,
  phase: string,
  job: JobContext,
): Generator<WeighedList> {
  const { weights: rule, seed, threshold } = order
  const hash = new EdgeHash(seed)
  let [highs, lows] = [new Uint32Array(0), new Uint32Array(0)]
  const least = rule === 'random3' ? leastThousandths(order) : (threshold ?? 0)
  for (let first = 0; first < graph.vertices; first += VERTICES_PER_READ) {
    const last = Math.min(graph.vertices, first + VERTICES_PER_READ)
    const offsets = graph.readOffsets(first, last)
    for (let v = first; v < last;) {
      throwIfCancelled(job.signal)
      const from = offsets[v - first]!
      let end = v + 1
      while (end < last && offsets[end + 1 - first]! - from <= ARCS_PER_READ) end++
      const upTo = offsets[end - first]!
      const targets = graph.readTargets(from, upTo)
      const stored = rule === 'column' ? graph.readWeights(from, upTo) : new Float32Array(upTo - from)
      if (rule === 'unit') stored.fill(1)
      for (; v < end; v++) {
        const [start, stop] = [offsets[v - first]! - from, offsets[v + 1 - first]! - from]
        const neighbours = targets.subarray(start, stop)
        if (rule === 'random3') {
          if (neighbours.length > highs.length) {
            highs = new Uint32Array(2 * neighbours.length)
            lows = new Uint32Array(2 * neighbours.length)
          }
          hash.ofList(v, targets, start, stop - start, highs, lows)
          for (let i = 0; start + i < stop; i++) stored[start + i] = 1 + modThousand(highs[i]!, lows[i]!)
        }
        const weights = stored.subarray(start, stop)
        const list = { v, neighbours, weights, degree: neighbours.length }
        yield threshold === undefined ? list : withoutLight(list, least)
      }
      job.progress({ phase, done: upTo, total: graph.arcs, unit: 'arcs' })
    }
  }
}

function withoutLight(list: WeighedList, least: number): WeighedList {
  const kept = list.weights.map((weight) => (weight >= least ? 1 : 0))
  return {
    ...list,
    neighbours: list.neighbours.filter((_, i) => kept[i] === 1),
    weights: list.weights.filter((_, i) => kept[i] === 1),
  }
}
