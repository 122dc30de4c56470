import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { placeOf } from '../../base/ranges.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { unitsOf } from '../../graph/scan-lists.ts'
import type { GraphSize } from '../estimate.ts'
import { NONE } from './blossoms.ts'
import { WEIGHED_BYTES, type WeighedGraph, hostRoom, loadWeighed } from './held-graph.ts'
import { PRIMAL_DUAL_BYTES, PrimalDual, type PrimalDualState } from './primal-dual.ts'
import type { SearchQuality } from './quality-option.ts'

/** Steps, and a share of the vertices, after which the matching is compared with the best one, and can be resumed: the larger of both. */
const EPOCH = { steps: 1 << 14, ofVertices: 1 / 4 }
/** "better" ends where at most this share of the bound is missing. */
const NEAR = 0.01
/** Of a vertex besides: mates of both matchings, and what is compared. */
const COMPARED_BYTES = 9

/** Host memory that the search takes. */
export const heavyMatchingBytes = ({ vertices, arcs }: Pick<GraphSize, 'vertices' | 'arcs'>): number =>
  (WEIGHED_BYTES.vertex + PRIMAL_DUAL_BYTES + COMPARED_BYTES) * vertices + WEIGHED_BYTES.arc * arcs

/** Whether a graph can be held. @param memoryBytes of a limit, or undefined */
export const holdsMatching = (size: Pick<GraphSize, 'vertices' | 'arcs'>, memoryBytes: number | undefined): boolean =>
  size.arcs < 2 ** 32 && size.vertices < 2 ** 30 && heavyMatchingBytes(size) <= hostRoom(memoryBytes)

/** How far a search has come; with the best matching, all that the rest of it follows from. */
export interface HeavySoFar {
  readonly steps: number
  /** Of the best matching after each epoch, and what none exceeds. */
  readonly weights: readonly number[]
  readonly bounds: readonly number[]
  /** Weight more than before. */
  readonly gain: number
  readonly elapsedMs: number
  readonly isHeaviest: boolean
  /** Whether no further step is made. */
  readonly isOver: boolean
}

export interface HeavyInput {
  /** Replaced by heavier ones. */
  readonly mates: Uint32Array
  readonly order: EdgeOrder
  readonly quality: SearchQuality
  /** Where another attempt left the search. */
  readonly from: { readonly soFar: HeavySoFar; readonly state: PrimalDualState } | undefined
}

/**
 * Makes a matching heavier, in place: the heaviest one where that is found in time. Where it is not, the best one is the heavier of both
 * matchings in every path and cycle that they make together. It never gets lighter.
 * @param afterEpoch called with the best mates as they are then; for checkpoints
 */
export function searchHeavyMatching(
  graph: GaloisGr,
  { mates, order, quality, from }: HeavyInput,
  job: JobContext,
  afterEpoch: (soFar: HeavySoFar, state: () => PrimalDualState) => void = () => {},
): HeavySoFar {
  const startMs = performance.now() - (from?.soFar.elapsedMs ?? 0)
  const units = unitsOf(order.weights)
  const held = loadWeighed(graph, order, job)
  const search = new PrimalDual(held, from?.state)
  const [weights, bounds] = [[...(from?.soFar.weights ?? [])], [...(from?.soFar.bounds ?? [])]]
  const wanted = quality.steps ?? Infinity
  const epoch = Math.max(EPOCH.steps, Math.ceil(EPOCH.ofVertices * graph.vertices))
  const { limitMs } = quality
  const before = weightOf(held, mates) / units - (from?.soFar.gain ?? 0)
  const known = { best: before, bound: bounds.at(-1) ?? Infinity }
  const pause = (): boolean => {
    throwIfCancelled(job.signal)
    const elapsedMs = performance.now() - startMs
    const total = Number.isFinite(limitMs) ? limitMs : undefined
    const { best, bound } = known
    job.progress({ phase: 'search', done: elapsedMs, total, unit: 'ms', best, ...(bound < Infinity && { bound }) })
    return elapsedMs >= limitMs || job.signal.enough === true
  }
  const begun = { steps: 0, weights, bounds, gain: 0, elapsedMs: 0, isHeaviest: false, isOver: false }
  let soFar: HeavySoFar = from?.soFar ?? begun
  while (!soFar.isOver) {
    const steps = Math.min(epoch, wanted - soFar.steps)
    const { isHeaviest, made } = search.run(steps, pause)
    takeHeavier(held, mates, search.mates())
    known.best = weightOf(held, mates) / units
    known.bound = Math.min(known.bound, search.bound() / units)
    weights.push(known.best)
    bounds.push(known.bound)
    const isNear = quality.steps === undefined && known.bound - known.best <= NEAR * known.bound
    const isOver = isHeaviest || made < steps || steps < epoch || isNear
    const elapsedMs = performance.now() - startMs
    soFar = { steps: soFar.steps + made, weights, bounds, gain: known.best - before, elapsedMs, isHeaviest, isOver }
    afterEpoch(soFar, () => search.state())
  }
  return soFar
}

/** In units. */
function weightOf(graph: WeighedGraph, mates: Uint32Array): number {
  let sum = 0
  for (let v = 0; v < mates.length; v++) if (mates[v]! < v) sum += edgeWeight(graph, v, mates[v]!)
  return sum
}

/** 0 where there is no edge. */
function edgeWeight({ starts, targets, weights }: WeighedGraph, v: number, u: number): number {
  return weights[placeOf(targets, starts[v]!, starts[v + 1]!, u)] ?? 0
}

/** In each path and cycle of edges of two matchings takes those of the second where they weigh more. */
export function takeHeavier(graph: WeighedGraph, mates: Uint32Array, others: Uint32Array): void {
  const isSeen = new Uint8Array(mates.length)
  const component: number[] = []
  for (let v = 0; v < mates.length; v++) {
    if (isSeen[v] === 1 || mates[v] === others[v]) continue
    component.length = 0
    // From v along its own edge, and back to it or along the other one.
    walk(v, mates, others)
    walk(others[v]!, mates, others)
    let [weight, other] = [0, 0]
    for (const u of component) {
      if (mates[u]! < u) weight += edgeWeight(graph, u, mates[u]!)
      if (others[u]! < u) other += edgeWeight(graph, u, others[u]!)
    }
    if (other > weight) for (const u of component) mates[u] = others[u]!
  }

  function walk(v: number, first: Uint32Array, second: Uint32Array): void {
    for (let [next, after] = [first, second]; v !== NONE && isSeen[v] === 0; [next, after] = [after, next]) {
      isSeen[v] = 1
      component.push(v)
      v = next[v]!
    }
  }
}
