import { EdgeHash } from '../../../../kernels/parts/edge-hash.ts'
import { ascendingBits } from '../../../../kernels/parts/edge-order.ts'
import type { RunArgs, RunPlan } from '../../../contract/jobs.ts'
import { limitsOf } from '../../../device/device-memory.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { type EdgeOrder, leastKey } from '../../../graph/edge-order.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { Run } from '../../algorithm.ts'
import { type ArcChoice, cutRanges } from '../../arc-store.ts'
import { budgetsOf } from '../../budgets.ts'
import type { PlanEstimate, PlanRequest } from '../../estimate.ts'
import { orderOf } from '../../ld-gpu/match-setup.ts'
import { type ArcsPlan, estimateArcs, planArcsExactly, planRangeArcs } from '../../plan-arcs.ts'

/** Words of the counters. */
export const COUNTERS = 4
export const bitWords = (vertices: number): number => Math.ceil(vertices / 32)

/** Words that break ties between edges of equal weight, beside the neighbour itself. */
export const tieWords = ({ ties }: EdgeOrder): number => ({ id: 0, hash: 1, degree: 2 })[ties]

/** A neighbour, its weight, the words that break ties. */
export const scanWords = (order: EdgeOrder): number => 2 + tieWords(order)

const words = {
  holds: 'the pointers of vertices take',
  fixes: [{ action: 'set', option: 'method', to: 'ordered' }],
} as const

/** What a worker holds: pointers and bits of all vertices, and its lists with the words by which they are compared. */
export const rescanNeeds = ({ vertices }: Pick<GaloisGr, 'vertices'>, order: EdgeOrder) => ({
  spaceBytes: 4 * (vertices + bitWords(vertices) + COUNTERS),
  wordsAnArc: scanWords(order),
  holdsChosen: true,
  words,
})

/** The host holds all arcs, with the words by which they are compared. */
const rescanHostBytes = (
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  order: EdgeOrder,
): number => 4 * arcs * scanWords(order) + 8 * vertices

/** The plans of workers with about equal arcs each. @throws Failure (usage) where there is no room for them */
export function planRescan(
  { batches = 1, memoryBytes }: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  graph: GaloisGr,
  order: EdgeOrder,
  devices: PlanRequest['devices'],
): ArcsPlan[] {
  const workers = devices.length
  const request = { batches: Math.ceil(batches / workers), ...rescanNeeds(graph, order) }
  const budgets = budgetsOf(devices, memoryBytes)
  return planRangeArcs(graph, cutRanges(graph, workers), devices.map(limitsOf), budgets, () => request)
}

/** What a run reports of its plan. @throws Failure (usage) as {@link planRescan} */
export function rescanPlan({ args, graph, devices }: Run, order: EdgeOrder): RunPlan {
  const { vertices, arcs } = graph
  const parts = planRescan(args, graph, order, devices)
  const batches = parts.reduce((sum, part) => sum + part.batches.length, 0)
  const deviceBytes = Math.max(...parts.map((part) => part.deviceBytes))
  return { vertices, arcs, batches, hostBytes: rescanHostBytes(graph, order), deviceBytes }
}

/** LD-GPU by scans of all lists, from the sizes of the graph alone. */
export function estimateRescan(request: PlanRequest): PlanEstimate {
  const { options, size, devices } = request
  const order = orderOf(options, size)
  const own = { vertices: Math.ceil(size.vertices / devices.length), ...rescanNeeds(size, order) }
  const workers = devices.map(() => own)
  return estimateArcs(request, workers, { hostBytes: rescanHostBytes(size, order) })
}

/** The same from the lists; undefined for a file, and for very many lists. */
export function planRescanExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  const order = orderOf(options, size)
  const hostBytes = rescanHostBytes(size, order)
  return planArcsExactly(request, estimateRescan(request), (graph) => {
    return { parts: planRescan(options, graph, order, devices), hostBytes, wordsAnArc: scanWords(order) }
  })
}

/** The arcs of a batch with the words by which match-scan compares them: the weights of all, then tieWords for each; larger comes first. */
export function scanArcs(graph: GaloisGr, order: EdgeOrder): ArcChoice {
  const degrees = order.ties === 'degree' ? degreesOf(graph) : undefined
  const least = leastKey(order)
  const { weights } = order
  const width = tieWords(order)
  const hash = new EdgeHash(order.seed)
  return (offsets, targets, { first, firstArc }) => {
    const stored = weights === 'column' ? graph.readWeights(firstArc, firstArc + targets.length) : new Float32Array(0)
    const bits = new Uint32Array(stored.buffer, stored.byteOffset, stored.length)
    const kept = { offsets: new Uint32Array(offsets.length), targets: new Uint32Array(targets.length) }
    const keys = new Uint32Array(targets.length)
    const ties = new Uint32Array(width * targets.length)
    let count = 0
    for (let row = 0; row + 1 < offsets.length; row++) {
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
        const u = targets[at]!
        if (weights === 'random3' || width > 0) hash.of(first + row, u)
        const weight = weights === 'column' ? ascendingBits(bits[at]!) : weights === 'random3' ? hash.modThousand() : 0
        // Edges that weigh too little are left out.
        if (weight < least) continue
        kept.targets[count] = u
        keys[count] = weight
        // The degree of one's own counts for all of the list alike.
        if (degrees !== undefined) ties[width * count] = ~degrees[u]!
        if (width > 0) ties[width * count + width - 1] = hash.high
        count++
      }
      kept.offsets[row + 1] = count
    }
    const values = new Uint32Array((1 + width) * count)
    values.set(keys.subarray(0, count))
    values.set(ties.subarray(0, width * count), count)
    return { ...kept, targets: kept.targets.subarray(0, count), values }
  }
}
