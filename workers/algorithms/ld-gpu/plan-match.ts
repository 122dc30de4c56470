import { Failure } from '../../failure.ts'
import type { Device } from '../../device/device.ts'
import type { Batch } from '../../graph/batches.ts'
import { batchBytes, planBatches } from '../../graph/batches.ts'
import { HEAD_WIDTH } from '../../graph/oriented-view.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import { viewBytes } from '../../graph/view-file.ts'
import type { RunArgs, RunPlan } from '../../jobs.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { deviceBudget, launchLimit, sharersOf } from '../plan-run.ts'
import { HEADS_CHUNK } from './entries.ts'
import { layOut, workspaceBytes } from './workspace.ts'

/** Where the entries of the lists are while a matching is made, from most memory to least; see Entries. */
export const residences = ['whole', 'heads', 'none'] as const
export type Residence = (typeof residences)[number]

export interface MatchPlan {
  readonly plan: RunPlan
  /** The batches of each worker, one after another in the order of the vertices. */
  readonly shares: readonly (readonly Batch[])[]
  readonly residence: Residence
}

/**
 * Cuts the vertices into contiguous shares of about equal entries, one a worker (LD-GPU, SC 2024, section III-A), and these into batches
 * (section III-B); then chooses where the entries lie: all on the device, or what the budget allows beside the state of the vertices.
 * @param workers the device of each
 * @throws Failure (usage) where not even that state fits
 */
export function planMatch(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  { tailOffsets }: PreparedView,
  device: Device,
  workers: readonly string[],
): MatchPlan {
  const { maxBufferBytes } = device
  const wanted = Math.max(args.batches ?? 1, workers.length)
  const maxBatchBytes = launchLimit(workers)
  const limits = { batches: wanted, maxBufferBytes, maxBatchBytes, mostBatchBytes: Infinity }
  const batches = planBatches(tailOffsets, limits)
  const shares = sharesOf(batches, workers.length)
  const budget = deviceBudget(device.facts, args.memoryBytes, sharersOf(workers, args.memoryBytes))
  const needed = (residence: Residence): number =>
    Math.max(...shares.map((own) => shareBytes(vertices, own, residence)))
  const residence = residenceFor(vertices, shares, budget)
  if (residence === undefined) throw tooSmall(vertices, needed('none'), budget)
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: batches.length,
    hostBytes: hostBytes(vertices, residence),
    deviceBytes: needed(residence),
    viewBytes: viewBytes(vertices, tailOffsets[vertices]!, 'weight-ordered'),
  }
  return { plan, shares, residence }
}

/** Consecutive batches for each worker, about as many for each. */
export function sharesOf(batches: readonly Batch[], workers: number): Batch[][] {
  const bound = (worker: number): number => Math.round((worker * batches.length) / workers)
  return Array.from({ length: workers }, (_, worker) => batches.slice(bound(worker), bound(worker + 1)))
}

/** The first place for the entries that fits the budget of every worker; undefined where none does. */
export function residenceFor(
  vertices: number,
  shares: readonly (readonly Batch[])[],
  budget: number,
): Residence | undefined {
  return residences.find((each) => shares.every((own) => shareBytes(vertices, own, each) <= budget))
}

/** Bytes that a worker needs on its device. */
export function shareBytes(vertices: number, own: readonly Batch[], residence: Residence): number {
  const state = workspaceBytes(layOut(vertices, own, residence === 'whole'))
  return state + entriesBytes(own, residence)
}

function entriesBytes(own: readonly Batch[], residence: Residence): number {
  const headBytes = 4 * HEAD_WIDTH * own.reduce((sum, { count }) => sum + count, 0)
  switch (residence) {
    case 'whole':
      return own.reduce((sum, batch) => sum + batchBytes(batch), 0)
    case 'heads':
      return headBytes
    case 'none':
      return Math.min(headBytes, 4 * HEAD_WIDTH * HEADS_CHUNK)
  }
}

/** Tail offsets, mates, and cursors; the second entries too where the device has only the first. */
export const hostBytes = (vertices: number, residence: Residence): number =>
  4 * (vertices + 1) + 4 * vertices * { whole: 1, heads: 2, none: 3 }[residence]

export function tooSmall(vertices: number, needed: number, budget: number): Failure {
  return new Failure({
    code: 'usage',
    what: `the state of ${vertices} vertices takes ${sizeInWords(needed)} of the device's memory, and ${sizeInWords(budget)} may be used`,
    remedy: 'Give the device more --memory, or use another.',
  })
}
