import { Failure } from '../failure.ts'
import { defaultBudgetBytes, hostMemory, limitsOf } from '../device/device-memory.ts'
import { changesBytes } from '../exchange/replicated-states.ts'
import { exchangeHostBytes } from '../exchange/shared-states.ts'
import type { Batch } from '../graph/batches.ts'
import { batchBytes, planBatches } from '../graph/batches.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import { VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { viewBytes } from '../graph/view-file.ts'
import type { DeviceFacts, RunArgs, RunPlan } from '../jobs.ts'
import { positionsChunk, workspaceBytes } from './mis-workspace.ts'
import { sizeInWords } from './plan-refusal.ts'

/** Room for two batches at the least, and for lists and positions as large again. */
const BATCHES_IN_BUDGET = 4
/** So many are better: while one is in use others are being read, several at a time. */
const STREAMED_BATCHES = 10
/** Of what the states leave, for 16 hubs whose lists are longer than any batch should be; the rest is for their work lists. */
const HUBS_SHARE = 3 / 4
/** Of several workers, each has batches of high and of low priority. */
const BATCHES_A_WORKER = 4

/** What a run keeps on the host beside the device's memory: tail offsets, the result, and the states once they are read back. */
export function runHostBytes(vertices: number): number {
  return 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2
}

/**
 * Memory that each of the workers on a device may use: what was asked for the device, else the default of device-memory.ts, which
 * the workers that take theirs from the same memory divide. Infinity where nobody knows: then the device's own limits show when
 * memory is allocated.
 */
export function deviceBudget(facts: DeviceFacts, askedBytes: number | undefined, sharers = 1): number {
  const known = facts.kind === 'cpu' ? { ...facts, ...hostMemory() } : facts
  return Math.floor((askedBytes ?? defaultBudgetBytes(known) ?? Infinity) / sharers)
}

/**
 * Memory that each of some workers may use, one on each of the devices: those on one device divide what it has, and so do all processors where
 * nobody gave each its own.
 */
export function budgetsOf(devices: readonly DeviceFacts[], askedBytes: number | undefined): number[] {
  const placeOf = ({ id, kind }: DeviceFacts): string => (askedBytes === undefined && kind === 'cpu' ? 'cpu' : id)
  const places = devices.map(placeOf)
  return devices.map((facts, worker) => {
    const sharers = places.filter((place) => place === places[worker]).length
    return deviceBudget(facts, askedBytes, sharers)
  })
}

/** What each of them uses at most, where all have equal shares: the one with the least decides how these are cut. */
export const commonBudget = (devices: readonly DeviceFacts[], askedBytes: number | undefined): number =>
  Math.min(...budgetsOf(devices, askedBytes))

/**
 * Bytes of a batch on the processor: its thread computes a launch at once, and looks whether to stop only in between. A launch
 * over 32 MiB of heads and tails takes a tenth of a second.
 */
const PROCESSOR_BATCH_BYTES = 32 << 20

/** Bytes of a batch that a kernel may work on at once. */
export function launchLimit(workers: readonly string[]): number {
  return workers.some((id) => id.startsWith('cpu:')) ? PROCESSOR_BATCH_BYTES : Infinity
}

/** What a device needs for a view of this size within a budget, before the view is there to be cut. */
export interface DeviceEstimate {
  readonly deviceBytes: number
  readonly batches: number
}

/** @throws Failure (usage) when not even the states of the vertices fit */
export function estimateDevice(
  vertices: number,
  tailEntries: number,
  wanted: number | undefined,
  budgetBytes: number,
  launchBytes = Infinity,
  workers = 1,
): DeviceEstimate {
  const slabs = batchBytes({ count: vertices, tailCount: tailEntries })
  const leastShared = workers === 1 ? 1 : BATCHES_A_WORKER * workers
  const least = Math.max(wanted ?? 1, leastShared, Math.ceil(slabs / launchBytes))
  const batches = Math.min(least, Math.max(1, Math.ceil(vertices / 16)))
  const positions = positionsChunk(vertices, budgetBytes)
  // The batches go round in turn: one worker may have one more than others.
  const most = Math.max((1 + 1 / BATCHES_A_WORKER) / workers, Math.ceil(batches / workers) / batches)
  const share = workers === 1 ? slabs : Math.min(slabs, Math.ceil(slabs * most))
  const state =
    workspaceBytes(largestBatches(vertices, slabs, batches), vertices, positions) + changesBytes(vertices, workers)
  const whole = share + state
  if (whole <= budgetBytes) return { deviceBytes: whole, batches }
  const batchLimit = largestBatch(vertices, budgetBytes)
  return { deviceBytes: budgetBytes, batches: Math.max(batches, Math.ceil(slabs / batchLimit)) }
}

/** Batches of equal bytes, each with as many vertices as would be in it if these had nothing but their first entries. */
function largestBatches(vertices: number, slabs: number, batches: number): { count: number }[] {
  const most = VERTICES_PER_WORD + Math.ceil(slabs / batches / (4 * (HEAD_WIDTH + 1)))
  return Array.from({ length: batches }, () => ({ count: Math.min(vertices, most) }))
}

/** Bytes that one batch may have. @throws Failure (usage) when the states leave no room for any. */
function largestBatch(vertices: number, budgetBytes: number): number {
  const states = workspaceBytes([], vertices, positionsChunk(vertices, budgetBytes))
  const left = budgetBytes - states
  const least = batchBytes({ count: 16, tailCount: 16 * HEAD_WIDTH })
  if (left >= BATCHES_IN_BUDGET * least) return Math.max(least, Math.floor(left / STREAMED_BATCHES))
  throw new Failure({
    code: 'usage',
    what: `the states of ${vertices} vertices take ${sizeInWords(states)} of the device's memory and a batch ${sizeInWords(BATCHES_IN_BUDGET * least)}, and ${sizeInWords(budgetBytes)} may be used`,
    remedy: 'Give the device more --memory, or use another.',
  })
}

/** Bytes of slabs of each worker; the batches go to them in turn. */
export function slabsOfWorkers(batches: readonly Batch[], workers: number): number[] {
  const bytes = new Array<number>(workers).fill(0)
  for (const batch of batches) bytes[batch.index % workers]! += batchBytes(batch)
  return bytes
}

/**
 * Cuts the batches so that two of them and the vertex states fit the budget, or one where two cannot.
 * @param devices of each worker, the leading one first
 */
export function planRun(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  prepared: PreparedView,
  devices: readonly DeviceFacts[],
): { batches: Batch[]; plan: RunPlan; positions: number } {
  const { maxBufferBytes } = limitsOf(devices[0]!)
  const count = devices.length
  const launchBytes = launchLimit(devices.map(({ id }) => id))
  const budget = commonBudget(devices, args.memoryBytes)
  const positions = positionsChunk(vertices, budget)
  const wanted = count === 1 ? args.batches : Math.max(args.batches ?? 1, BATCHES_A_WORKER * count)
  const limits = { batches: wanted, maxBufferBytes }
  const whole = planBatches(prepared.tailOffsets, { ...limits, maxBatchBytes: launchBytes, mostBatchBytes: Infinity })
  const needed = (batches: readonly Batch[]): number =>
    workspaceBytes(batches, vertices, positions) +
    changesBytes(vertices, count) +
    slabsOfWorkers(batches, count).reduce((a, b) => Math.max(a, b), 0)
  let batches = whole
  if (needed(whole) > budget) {
    const maxBatchBytes = Math.min(launchBytes, largestBatch(vertices, budget))
    const mostBatchBytes = Math.floor(HUBS_SHARE * (budget - workspaceBytes([], vertices, positions)))
    batches = planBatches(prepared.tailOffsets, { ...limits, maxBatchBytes, mostBatchBytes })
  }
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: batches.length,
    hostBytes: runHostBytes(vertices) + exchangeHostBytes(vertices, count),
    deviceBytes: Math.min(needed(batches), budget),
    viewBytes: viewBytes(vertices, prepared.tailOffsets[vertices]!, 'oriented', prepared.view.header.front),
  }
  return { batches, plan, positions }
}
