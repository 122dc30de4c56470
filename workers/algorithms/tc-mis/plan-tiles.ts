import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import {
  type PlannedOptions,
  type Counting,
  type DeviceFacts,
  type Heuristic,
  type RunArgs,
  heuristics,
} from '../../contract/jobs.ts'
import { limitsOf } from '../../device/device-memory.ts'
import type { DeviceLimits } from '../../device/device.ts'
import { tileBuildBytes, openTiles } from '../../graph/tiles/prepare-tiles.ts'
import {
  type TileHeader,
  tileFileBytes,
  CHUNK_BYTES,
  chunksOf,
  columnsOfTiles,
  rowBlocks,
} from '../../graph/tiles/tile-file.ts'
import { deviceBudget } from '../budgets.ts'
import { type GraphSize, type PlanEstimate, type PlanRequest, attempt, estimateOf, knownBytes } from '../estimate.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { stateBytes } from './three-phases.ts'
import type { TileBatches } from './tile-store.ts'
import { tcCountsMatrix } from '../../../kernels/tc-mis/tc-counts-matrix.ts'
import { type TcCounts, tcCounts } from '../../../kernels/tc-mis/tc-counts.ts'

/** Batches that the budget holds beside the vertex state when not all fit: one in turn, and the others stay. */
const BATCHES_IN_BUDGET = 4

export interface TilePlan extends TileBatches {
  readonly batches: number
  readonly isResident: boolean
  readonly hostBytes: number
  readonly deviceBytes: number
}

/** All tiles on the device, or a few batches of them where the budget is smaller. */
export function planTiles(
  options: Pick<PlannedOptions, 'batches' | 'memoryBytes'>,
  { vertices, tiles }: Pick<TileHeader, 'vertices' | 'tiles'>,
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
      what: `${seeds} seeds take ${sizeInWords(keyBytes, maxBufferBytes)} of keys for ${vertices} vertices, and a buffer of this device may have ${sizeInWords(maxBufferBytes, keyBytes)}`,
      remedy: '',
      fixes: [{ action: 'lower', option: 'seeds' }],
    })
  const budget = deviceBudget(facts, memoryBytes)
  const least = stateBytes(vertices, seeds) + (arcs === 0 ? 0 : CHUNK_BYTES)
  if (least > budget)
    throw new Failure({
      code: 'usage',
      what: `the state of ${vertices} vertices under ${seeds} seeds takes ${sizeInWords(least, budget)} of the device's memory, and ${sizeInWords(budget, least)} may be used`,
      remedy: '',
      fixes: [MORE_MEMORY, { action: 'lower', option: 'seeds' }],
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
    availableBytes: knownBytes(deviceBudget(device, options.memoryBytes)),
  } as const
  const planned = { ...plan, lanes: [lane], resident: plan.isResident }
  const found = estimateOf({ options, size, devices }, planned, Math.ceil(size.vertices / 8), refusal)
  if (stored !== undefined) return { ...found, prepared: true, exact: refusal === null }
  const diskBytes = tileFileBytes(tiles)
  const hostBytes = tileBuildBytes(size.vertices)
  const build = { name: 'tiles', hostBytes, deviceBytes: 0, scratchBytes: 0, diskBytes, passes: 1 } as const
  // Most graphs have far fewer tiles than arcs; a disk that turns out too small is told.
  return { ...found, steps: [build, ...found.steps], exact: false, spareDiskBytes: diskBytes }
}

function storedTiles({ dataset }: GraphSize): number | undefined {
  const file = dataset && openTiles(dataset)
  file?.close()
  return file?.header.tiles
}

/** One for each arc, or all that there is room for. */
const mostTiles = ({ vertices, arcs }: GraphSize): number =>
  Math.min(arcs, rowBlocks(vertices) * columnsOfTiles(vertices))

const MOST_SEEDS = 16

/** What TC-MIS takes of a run's arguments, checked. */
export interface TcChoice {
  readonly heuristic: Heuristic
  readonly seeds: number
}

type Asked = Pick<RunArgs, 'priority' | 'seeds' | 'device' | 'partitions'>

/** @throws Failure (usage) for what TC-MIS does not take */
export function tcChoiceOf({ priority, seeds = 1, device, partitions = 1 }: Asked): TcChoice {
  const heuristic = heuristics.find((known) => known === priority)
  if (heuristic === undefined) throw refusal(`the heuristic ${priority}`, heuristics)
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > MOST_SEEDS) throw refusal(`${seeds} seeds`, ['1 to 16'])
  if (device.includes(',') || partitions > 1)
    throw new Failure({
      code: 'usage',
      what: 'TC-MIS runs on one device',
      remedy: 'Name one device, or use mg-mis for several.',
    })
  return { heuristic, seeds }
}

function refusal(value: string, known: readonly string[]): Failure {
  return new Failure({
    code: 'usage',
    what: `TC-MIS does not take ${value}`,
    remedy: `Use one of ${known.join(', ')}.`,
  })
}

/** Whether a device multiplies 16 x 32 by 32 x 16 bytes exactly. */
export function hasTensorCores({ features, subgroupMatrices }: DeviceFacts): boolean {
  const fits = (subgroupMatrices ?? []).some(
    ({ component, result, m, n, k }) => component === 'u8' && result === 'u32' && m === 16 && n === 16 && k === 32,
  )
  return fits && (tcCountsMatrix.features ?? []).every((feature) => features.includes(feature))
}

/**
 * The kernel of phase 2: as asked; left open, plain integers, which are faster on every graph measured (docs/decisions/0008):
 * tiles of real graphs hold so few arcs that a matrix product mostly multiplies zeros.
 * @throws Failure (usage) for tensor cores on a device without them
 */
export function countsKernel(facts: DeviceFacts, counting: Counting = 'auto'): TcCounts {
  if (counting !== 'tensor') return tcCounts
  if (hasTensorCores(facts)) return tcCountsMatrix
  throw new Failure({
    code: 'usage',
    where: facts.id,
    what: `${facts.name} has no tensor cores that multiply matrices of bytes`,
    remedy: 'The set is the same without them.',
    fixes: [{ action: 'set', option: 'counting', to: 'integer' }],
  })
}
