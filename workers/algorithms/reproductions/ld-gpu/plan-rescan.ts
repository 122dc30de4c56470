import { Failure } from '../../../base/failure.ts'
import { limitsOf } from '../../../device/device-memory.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import type { DeviceFacts, RunArgs, RunPlan } from '../../../contract/jobs.ts'
import { sizeInWords } from '../../plan-refusal.ts'
import { commonBudget } from '../../budgets.ts'
import { scanDeviceBytes } from './rescan.ts'
import { equalArcs, tieWords } from './scan-arcs.ts'

export interface RescanPlan {
  readonly plan: RunPlan
  /** Bounds of the batches of each worker; the last of one is the first of the next. */
  readonly shares: readonly (readonly number[])[]
}

/**
 * Cuts the graph into shares of equal arcs, one a worker, and these into batches: as many as were asked for, or more where two of them do
 * not fit the budget.
 * @throws Failure (usage) where not even the smallest batches fit
 */
export function planRescan(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  graph: GaloisGr,
  order: EdgeOrder,
  devices: readonly DeviceFacts[],
): RescanPlan {
  const { vertices, arcs } = graph
  const budget = commonBudget(devices, args.memoryBytes)
  const { maxBufferBytes } = limitsOf(devices[0]!)
  const ranges = equalArcs(graph, 0, vertices, devices.length)
  const wanted = Math.ceil((args.batches ?? 1) / devices.length)
  const parts = devices.map((_, worker) => {
    const [first, last] = [ranges[worker]!, ranges[worker + 1]!]
    return fittingBatches(graph, order, first, last, wanted, budget, maxBufferBytes)
  })
  const deviceBytes = Math.max(...parts.map((part) => part.bytes))
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: parts.reduce((sum, { bounds }) => sum + bounds.length - 1, 0),
    hostBytes: rescanHostBytes(graph, order),
    deviceBytes,
  }
  return { plan, shares: parts.map(({ bounds }) => bounds) }
}

/** The host holds all arcs, with the words by which they are compared. */
export function rescanHostBytes(
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  order: EdgeOrder,
): number {
  return 4 * arcs * (2 + tieWords(order)) + 8 * vertices
}

function fittingBatches(
  graph: GaloisGr,
  order: EdgeOrder,
  first: number,
  last: number,
  wanted: number,
  budget: number,
  maxBufferBytes: number,
): { bounds: number[]; bytes: number } {
  const offsets = graph.readOffsets(first, last)
  for (let parts = wanted; ; parts = Math.ceil(1.5 * parts) + 1) {
    const bounds = equalArcs(graph, first, last, parts).filter((bound, i, all) => i === 0 || bound > all[i - 1]!)
    const sizes = bounds.slice(1).map((end, i): [count: number, arcs: number] => {
      const start = bounds[i]!
      return [end - start, offsets[end - first]! - offsets[start - first]!]
    })
    const bytes = scanDeviceBytes(graph.vertices, order, sizes)
    const widest = Math.max(0, ...sizes.map(([, arcs]) => 4 * arcs * Math.max(1, tieWords(order))))
    if (bytes <= budget && widest <= maxBufferBytes) return { bounds, bytes }
    if (parts > 2 * (last - first)) throw tooSmall(bytes, budget)
  }
}

function tooSmall(needed: number, budget: number): Failure {
  return new Failure({
    code: 'usage',
    what: `the vertices and two of the smallest batches take ${sizeInWords(needed, budget)} of the device's memory, and ${sizeInWords(budget, needed)} may be used`,
    remedy: 'Give the device more --memory, or leave --method rescan out: the other method streams longer lists.',
  })
}
