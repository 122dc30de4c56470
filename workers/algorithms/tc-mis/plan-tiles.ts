import { Failure } from '../../base/failure.ts'
import type { DeviceLimits } from '../../device/device.ts'
import type { TileFile } from '../../graph/tiles/tile-file.ts'
import type { RunArgs, RunPlan } from '../../contract/jobs.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { deviceBudget } from '../budgets.ts'
import type { ListBatch, TileBatch } from './batches.ts'
import { cutLists, cutTiles, listBatchBytes, tileBatchBytes } from './batches.ts'
import { workspaceBytes } from './workspace.ts'

/** Batches that the budget holds beside the vertex state when not all fit. */
export const BATCHES_IN_BUDGET = 4

export interface TilePlan {
  readonly listBatches: readonly ListBatch[]
  readonly tileBatches: readonly TileBatch[]
  readonly isResident: boolean
  /** Bytes for lists and tiles on the device. */
  readonly pieceBytes: number
  readonly plan: RunPlan
}

/** Bytes that stay on the host while TC-MIS runs: keys, offsets, records, and the members of all seeds. */
export function tilesHostBytes(vertices: number, seeds: number, recordBytes: number): number {
  return 4 * (vertices * seeds * 2 + 3 * vertices) + recordBytes + Math.ceil((vertices * seeds) / 4)
}

/**
 * Cuts lists and tiles so that all stay on the device, or a few batches of them where the budget is smaller.
 * @throws Failure (usage) when the vertex state leaves no room for any; (device) when a buffer would exceed the device's limit
 */
export function planTiles(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  tileFile: TileFile,
  tables: { readonly listOffsets: Uint32Array; readonly records: Uint32Array },
  device: DeviceLimits,
  seeds: number,
): TilePlan {
  const { vertices, arcs } = tileFile.header
  const shape = { vertices, seeds }
  const { maxBufferBytes } = device
  const budget = requireStateFits(args, shape, device)
  const cut = (maxBatchBytes: number) => ({
    listBatches: cutLists(tables.listOffsets, { maxBufferBytes, maxBatchBytes, batches: args.batches }),
    tileBatches: cutTiles(tables.records, { maxBufferBytes, maxBatchBytes, batches: args.batches }),
  })
  let batches = cut(Infinity)
  const neededBytes = allBytes(batches) + workspaceBytes(shape)
  const isResident = neededBytes <= budget
  if (!isResident) {
    batches = cut(Math.floor((budget - workspaceBytes(shape)) / BATCHES_IN_BUDGET))
  }
  const space = workspaceBytes(shape)
  const pieceBytes = isResident ? Infinity : budget - space
  const largest = Math.max(0, ...batches.listBatches.map(listBatchBytes), ...batches.tileBatches.map(tileBatchBytes))
  if (pieceBytes < largest) throw noRoom(vertices, seeds, space, budget)
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: batches.tileBatches.length,
    hostBytes: tilesHostBytes(vertices, seeds, tables.records.byteLength),
    deviceBytes: Math.min(neededBytes, budget),
    tileBytes: tileFile.header.records.at + tileFile.header.records.bytes,
  }
  return { ...batches, isResident, pieceBytes, plan }
}

function allBytes({ listBatches, tileBatches }: Pick<TilePlan, 'listBatches' | 'tileBatches'>): number {
  const lists = listBatches.reduce((sum, batch) => sum + listBatchBytes(batch), 0)
  return tileBatches.reduce((sum, batch) => sum + tileBatchBytes(batch), lists)
}

/**
 * The memory that may be used. There is no use in cutting tiles for a device that cannot hold the state of the vertices.
 * @throws Failure (usage)
 */
export function requireStateFits(
  { memoryBytes }: Pick<RunArgs, 'memoryBytes'>,
  { vertices, seeds }: { readonly vertices: number; readonly seeds: number },
  { facts, maxBufferBytes }: DeviceLimits,
): number {
  requireKeysFit(vertices, seeds, maxBufferBytes)
  const budget = deviceBudget(facts, memoryBytes)
  const stateBytes = workspaceBytes({ vertices, seeds })
  if (stateBytes >= budget) throw noRoom(vertices, seeds, stateBytes, budget)
  return budget
}

function requireKeysFit(vertices: number, seeds: number, maxBufferBytes: number): void {
  if (4 * vertices * seeds <= maxBufferBytes) return
  throw new Failure({
    code: 'usage',
    where: '--seeds',
    what: `${seeds} seeds take ${sizeInWords(4 * vertices * seeds)} of keys for ${vertices} vertices, and a buffer of this device may have ${sizeInWords(maxBufferBytes)}`,
    remedy: 'Use fewer --seeds.',
  })
}

function noRoom(vertices: number, seeds: number, stateBytes: number, budget: number): Failure {
  return new Failure({
    code: 'usage',
    what: `the state of ${vertices} vertices under ${seeds} seeds takes ${sizeInWords(stateBytes)} of the device's memory, and ${sizeInWords(budget)} may be used`,
    remedy: 'Give the device more --memory, or use fewer --seeds.',
  })
}
