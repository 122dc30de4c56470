import { totalmem } from 'node:os'
import { Failure } from '../failure.ts'
import type { Device } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'
import { batchBytes, planBatches } from '../graph/batches.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { viewBytes } from '../graph/view-file.ts'
import type { DeviceFacts, RunArgs, RunPlan } from '../jobs.ts'
import { workspaceBytes } from './mis-workspace.ts'

/** Room for two batches, and for lists and positions as large again. */
const BATCHES_IN_BUDGET = 4
/** Of what the states leave, for 16 hubs whose lists are longer than any batch should be; the rest is for their work lists. */
const HUBS_SHARE = 3 / 4
/** Of several workers, each has batches of high and of low priority. */
const BATCHES_A_WORKER = 4

/** What a run keeps on the host beside the device's memory: tail offsets, the result, and the states once they are read back. */
export function runHostBytes(vertices: number): number {
  return 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2
}

/**
 * Memory that a device may use: what was asked for; else nine tenths of what it has; for the processor half of the machine's.
 * Infinity where nobody knows: then its own limits show when memory is allocated.
 */
export function deviceBudget({ kind, memoryBytes }: DeviceFacts, askedBytes: number | undefined): number {
  if (askedBytes !== undefined) return askedBytes
  if (kind === 'cpu') return Math.floor(totalmem() / 2)
  return memoryBytes === null ? Infinity : Math.floor(0.9 * memoryBytes)
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
): DeviceEstimate {
  const slabs = batchBytes({ count: vertices, tailCount: tailEntries })
  const batches = Math.min(wanted ?? 1, Math.max(1, Math.ceil(vertices / 16)))
  const whole = slabs + workspaceBytes(equalBatches(vertices, batches), vertices)
  if (whole <= budgetBytes) return { deviceBytes: whole, batches }
  const batchLimit = largestBatch(vertices, budgetBytes)
  return { deviceBytes: budgetBytes, batches: Math.max(batches, Math.ceil(slabs / batchLimit)) }
}

const equalBatches = (vertices: number, batches: number): { count: number }[] =>
  Array.from({ length: Math.min(batches, 1) }, () => ({ count: Math.ceil(vertices / batches) }))

/** Bytes that one batch may have. @throws Failure (usage) when the states leave no room for any. */
function largestBatch(vertices: number, budgetBytes: number): number {
  const states = workspaceBytes([], vertices)
  const bytes = Math.floor((budgetBytes - states) / BATCHES_IN_BUDGET)
  const least = batchBytes({ count: 16, tailCount: 16 * HEAD_WIDTH })
  if (bytes >= least) return bytes
  throw new Failure({
    code: 'usage',
    what: `the states of ${vertices} vertices take ${states} bytes of the device's memory and a batch ${BATCHES_IN_BUDGET * least}, and ${budgetBytes} may be used`,
    remedy: 'Give the device more --memory, or use another.',
  })
}

/** Bytes of slabs of each worker; the batches go to them in turn. */
function slabsOfWorkers(batches: readonly Batch[], workers: number): number[] {
  const bytes = new Array<number>(workers).fill(0)
  for (const batch of batches) bytes[batch.index % workers]! += batchBytes(batch)
  return bytes
}

/** Cuts the batches so that two of them and the vertex states fit the budget, or one where two cannot. */
export function planRun(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  prepared: PreparedView,
  device: Device,
  workers = 1,
): { batches: Batch[]; plan: RunPlan } {
  const { maxBufferBytes } = device
  const wanted = workers === 1 ? args.batches : Math.max(args.batches ?? 1, BATCHES_A_WORKER * workers)
  const whole = planBatches(prepared.tailOffsets, { batches: wanted, maxBufferBytes, maxBatchBytes: Infinity })
  const needed = (batches: readonly Batch[]): number =>
    workspaceBytes(batches, vertices) + Math.max(0, ...slabsOfWorkers(batches, workers))
  const budget = deviceBudget(device.facts, args.memoryBytes)
  let batches = whole
  if (needed(whole) > budget) {
    const maxBatchBytes = largestBatch(vertices, budget)
    const mostBatchBytes = Math.floor(HUBS_SHARE * (budget - workspaceBytes([], vertices)))
    batches = planBatches(prepared.tailOffsets, { batches: wanted, maxBufferBytes, maxBatchBytes, mostBatchBytes })
  }
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: batches.length,
    hostBytes: runHostBytes(vertices),
    deviceBytes: Math.min(needed(batches), budget),
    viewBytes: viewBytes(vertices, prepared.tailOffsets[vertices]!),
  }
  return { batches, plan }
}
