import { Failure } from '../../base/failure.ts'
import type { PlannedOptions, PlanStep } from '../../contract/jobs.ts'
import { limitsOf } from '../../device/device-memory.ts'
import type { DeviceLimits } from '../../device/device.ts'
import { tileBuildBytes } from '../../graph/tiles/build-tiles.ts'
import { openTiles } from '../../graph/tiles/prepare-tiles.ts'
import { tileFileBytes } from '../../graph/tiles/tile-file.ts'
import { CHUNK_BYTES, chunksOf, columnsOfTiles, rowBlocks } from '../../graph/tiles/tile-format.ts'
import { deviceBudget } from '../budgets.ts'
import type { GraphSize, PlanEstimate, PlanRequest } from '../estimate.ts'
import { attempt, availableOn, computeStep } from '../estimate.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { countsKernel, tcChoiceOf } from './choice.ts'
import { stateBytes } from './device-state.ts'

/** Batches that the budget holds beside the vertex state when not all fit: one in turn, and the others stay. */
const BATCHES_IN_BUDGET = 4

/** How tiles are brought to the device. */
export interface TilePlan {
  readonly batches: number
  readonly batchChunks: number
  /** The first ones, which stay on the device. */
  readonly keptBatches: number
  readonly isResident: boolean
  readonly hostBytes: number
  readonly deviceBytes: number
}

interface TiledGraph {
  readonly vertices: number
  readonly tiles: number
}

/** All tiles on the device, or a few batches of them where the budget is smaller. */
export function planTiles(
  options: Pick<PlannedOptions, 'batches' | 'memoryBytes'>,
  { vertices, tiles }: TiledGraph,
  device: DeviceLimits,
  seeds: number,
): TilePlan {
  const chunks = chunksOf(tiles)
  const budget = deviceBudget(device.facts, options.memoryBytes)
  const fixed = stateBytes(vertices, seeds)
  const needed = fixed + CHUNK_BYTES * chunks
  const isResident = needed <= budget
  const room = isResident ? Infinity : (budget - fixed) / BATCHES_IN_BUDGET
  const largest = Math.floor(Math.min(device.maxBufferBytes, room) / CHUNK_BYTES)
  const batchChunks = Math.max(1, Math.min(largest, Math.ceil(chunks / (options.batches ?? 1))))
  const batches = Math.ceil(chunks / batchChunks)
  const inBudget = Math.floor((budget - fixed) / (CHUNK_BYTES * batchChunks))
  const keptBatches = isResident ? batches : Math.max(0, inBudget - 1)
  // Keys, degrees and offsets; open vertices and members.
  const hostBytes = 4 * (2 * vertices * seeds + 3 * vertices) + Math.ceil((vertices * seeds) / 4)
  return { batches, batchChunks, keptBatches, isResident, hostBytes, deviceBytes: Math.min(needed, budget) }
}

/**
 * There is no use in building tiles for a device that cannot hold the state of the vertices and a chunk of tiles.
 * @throws Failure (usage)
 */
export function requireStateFits(
  { memoryBytes }: Pick<PlannedOptions, 'memoryBytes'>,
  { vertices, arcs }: Pick<GraphSize, 'vertices' | 'arcs'>,
  { facts, maxBufferBytes }: DeviceLimits,
  seeds: number,
): void {
  const keyBytes = 4 * vertices * seeds
  if (keyBytes > maxBufferBytes)
    throw new Failure({
      code: 'usage',
      where: '--seeds',
      what: `${seeds} seeds take ${sizeInWords(keyBytes, maxBufferBytes)} of keys for ${vertices} vertices, and a buffer of this device may have ${sizeInWords(maxBufferBytes, keyBytes)}`,
      remedy: 'Use fewer --seeds.',
    })
  const budget = deviceBudget(facts, memoryBytes)
  const least = stateBytes(vertices, seeds) + (arcs === 0 ? 0 : CHUNK_BYTES)
  if (least > budget)
    throw new Failure({
      code: 'usage',
      what: `the state of ${vertices} vertices under ${seeds} seeds takes ${sizeInWords(least, budget)} of the device's memory, and ${sizeInWords(budget, least)} may be used`,
      remedy: 'Give the device more --memory, or use fewer --seeds.',
    })
}

/** What a run takes: its own plan where tiles are stored; else bounds, as only building tells how many there are. */
export function estimateTiles({ options, size, devices }: PlanRequest): PlanEstimate {
  const { seeds } = tcChoiceOf(options)
  const device = devices[0]!
  const { refusal } = attempt(() => {
    countsKernel(device, options.counting)
    requireStateFits(options, size, limitsOf(device), seeds)
  })
  const stored = storedTiles(size)
  const tiles = stored ?? mostTiles(size)
  const plan = planTiles(options, { vertices: size.vertices, tiles }, limitsOf(device), seeds)
  const lane = {
    device: device.id,
    shareBytes: CHUNK_BYTES * chunksOf(tiles),
    holds: plan.isResident ? 'share' : 'nothing',
    deviceBytes: plan.deviceBytes,
    availableBytes: availableOn(device, options.memoryBytes),
  } as const
  const run = computeStep({ ...plan, lanes: [lane], resident: plan.isResident }, Math.ceil(size.vertices / 8))
  const diskBytes = stored === undefined ? tileFileBytes(tiles) : 0
  return {
    devices,
    steps: stored === undefined ? [tilesStep(size, diskBytes), run] : [run],
    batches: plan.batches,
    lanes: [lane],
    prepared: stored !== undefined,
    exact: stored !== undefined && refusal === null,
    // Most graphs have far fewer tiles than arcs; a disk that turns out too small is told.
    spareDiskBytes: diskBytes,
    refusal,
  }
}

function storedTiles({ dataset }: GraphSize): number | undefined {
  const file = dataset && openTiles(dataset)
  file?.close()
  return file?.header.tiles
}

/** One for each arc, or all that there is room for. */
const mostTiles = ({ vertices, arcs }: GraphSize): number =>
  Math.min(arcs, rowBlocks(vertices) * columnsOfTiles(vertices))

function tilesStep({ vertices }: GraphSize, diskBytes: number): PlanStep {
  return { name: 'tiles', hostBytes: tileBuildBytes(vertices), deviceBytes: 0, scratchBytes: 0, diskBytes, passes: 1 }
}
