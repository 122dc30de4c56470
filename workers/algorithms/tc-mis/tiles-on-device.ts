/**
 * Tiles of TC-MIS on a device, and the plan for them: all tiles if they fit, else the first ones stay and the others come in turn, one batch at
 * a time. Beside tiles a device has a key for each vertex and seed and a few bits. Counting (phase 2) is done in plain integers, or by tensor
 * cores of a device that multiplies 16 x 32 by 32 x 16 bytes exactly (docs/decisions/0008). three-phases.ts computes with them.
 */

import { type Failure, MORE_MEMORY, usageFailure } from '../../base/failure.ts'
import {
  type PlannedOptions,
  type Counting,
  type DeviceFacts,
  type Heuristic,
  type RunArgs,
  heuristics,
} from '../../contract/jobs.ts'
import { limitsOf, type DeviceLimits, type Device, type DeviceBuffer } from '../../device/device.ts'
import {
  type TileHeader,
  tileBuildBytes,
  tileFileBytes,
  TILE_CHUNK_BYTES,
  tileChunks,
  TILE_COLUMNS,
  columnsOfTiles,
  openTiles,
  rowBlocks,
  type TileFile,
  CHUNK_TILES,
  CHUNK_WORDS,
} from '../../graph/tiles/tile-file.ts'
import {
  deviceBudget,
  shortOfMemory,
  sizeInWords,
  type GraphSize,
  type PlanEstimate,
  type PlanRequest,
  attempt,
  estimateOf,
  knownBytes,
} from '../plan-request.ts'
import { tcCountsMatrix } from '../../../kernels/tc-mis/tc-counts-matrix.ts'
import { type TcCounts, tcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import type { Trace } from '../../base/trace.ts'

export const ROUND_COUNTERS = 2

export const segmentsOf = (vertices: number): number => Math.max(1, Math.ceil(vertices / TILE_COLUMNS))

/** What TC-MIS keeps on a device beside tiles and keys. Bits are in words of 32 vertices, those of the seeds side by side. */
export function stateBuffers(vertices: number, seeds: number) {
  const words = segmentsOf(vertices) * seeds
  return {
    /** The alive vertices of the paper: undecided. */
    open: words,
    /** The open vertices over all seeds. */
    openAny: segmentsOf(vertices),
    members: words,
    /** The candidate vector C; all that is open between rounds. */
    cands: words,
    /** Vertices whose neighbour count N is above 0. */
    hits: words,
    /** Counters of a round: open (vertex, seed) pairs, and tiles read. */
    counters: ROUND_COUNTERS,
  }
}

/** Bytes that TC-MIS needs on the device beside tiles: its state, and a key for each vertex and seed. */
const stateBytes = (vertices: number, seeds: number): number =>
  4 * Object.values(stateBuffers(vertices, seeds)).reduce((sum, words) => sum + words, Math.max(1, vertices * seeds))

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
  const chunks = tileChunks(tiles)
  const budget = deviceBudget(device.facts, options.memoryBytes)
  const fixed = stateBytes(vertices, seeds)
  const needed = fixed + TILE_CHUNK_BYTES * chunks
  const isResident = needed <= budget
  const room = isResident ? Infinity : (budget - fixed) / BATCHES_IN_BUDGET
  const largest = Math.floor(Math.min(device.maxBufferBytes, room) / TILE_CHUNK_BYTES)
  const batchChunks = Math.max(1, Math.min(largest, Math.ceil(chunks / (options.batches ?? 1))))
  const batches = Math.ceil(chunks / batchChunks)
  const inBudget = Math.floor((budget - fixed) / (TILE_CHUNK_BYTES * batchChunks))
  const keptBatches = isResident ? batches : Math.max(0, inBudget - 1)
  // Keys, degrees and offsets; open vertices and members.
  const hostBytes = 4 * (2 * vertices * seeds + 3 * vertices) + Math.ceil((vertices * seeds) / 4)
  return { batches, batchChunks, keptBatches, isResident, hostBytes, deviceBytes: Math.min(needed, budget) }
}

/**
 * There is no use in building tiles for a device that cannot hold the state of the vertices and a chunk of tiles.
 * @throws Failure (usage)
 */
function requireStateFits(
  { memoryBytes }: Pick<PlannedOptions, 'memoryBytes'>,
  { vertices, arcs }: Pick<GraphSize, 'vertices' | 'arcs'>,
  { facts, maxBufferBytes }: DeviceLimits,
  seeds: number,
): void {
  const keyBytes = 4 * vertices * seeds
  const fewer = { action: 'lower', option: 'seeds' } as const
  const [taken, most] = [sizeInWords(keyBytes, maxBufferBytes), sizeInWords(maxBufferBytes, keyBytes)]
  const what = `${seeds} seeds take ${taken} of keys for ${vertices} vertices, and a buffer of this device may have ${most}`
  if (keyBytes > maxBufferBytes) throw usageFailure(undefined, what, '', [fewer])
  const budget = deviceBudget(facts, memoryBytes)
  const least = stateBytes(vertices, seeds) + (arcs === 0 ? 0 : TILE_CHUNK_BYTES)
  const state = `the state of ${vertices} vertices${seeds === 1 ? '' : ` under ${seeds} seeds`} takes`
  const fixes = seeds === 1 ? [MORE_MEMORY] : [MORE_MEMORY, fewer]
  if (least > budget) throw shortOfMemory(undefined, state, least, budget, '', fixes)
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
    shareBytes: TILE_CHUNK_BYTES * tileChunks(tiles),
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
interface TcChoice {
  readonly heuristic: Heuristic
  readonly seeds: number
}

/** @throws Failure (usage) for what TC-MIS does not take */
export function tcChoiceOf({ priority, seeds = 1 }: Pick<RunArgs, 'priority' | 'seeds'>): TcChoice {
  const heuristic = heuristics.find((known) => known === priority)
  if (heuristic === undefined) throw refusal(`the heuristic ${priority}`, heuristics)
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > MOST_SEEDS) throw refusal(`${seeds} seeds`, ['1 to 16'])
  return { heuristic, seeds }
}

const refusal = (value: string, known: readonly string[]): Failure =>
  usageFailure(undefined, `TC-MIS does not take ${value}`, `Use one of ${known.join(', ')}.`)

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
  const what = `${facts.name} has no tensor cores that multiply matrices of bytes; the set is the same without them`
  throw usageFailure(facts.id, what, '', [{ action: 'set', option: 'counting', to: 'integer' }])
}

/** How tiles are brought to the device. */
interface TileBatches {
  readonly batchChunks: number
  /** The first ones, which stay on the device. */
  readonly keptBatches: number
}

/** A batch of tiles on a device. */
interface TileBatch {
  readonly tiles: DeviceBuffer
  readonly count: number
}

/** Brings batches of tiles to a device: the first ones stay, as many as the plan has room for; of the others, one at a time. */
export class TileStore {
  /** Milliseconds spent on reading and moving so far. */
  readMs = 0
  /** Batches brought to the device so far, repeats included. */
  loads = 0
  readonly #device: Device
  readonly #file: TileFile
  readonly #plan: TileBatches
  readonly #trace: Trace
  readonly #held = new Map<number, DeviceBuffer>()

  constructor(device: Device, file: TileFile, plan: TileBatches, trace: Trace) {
    this.#device = device
    this.#file = file
    this.#plan = plan
    this.#trace = trace
  }

  async batch(index: number): Promise<TileBatch> {
    const { batchChunks, keptBatches } = this.#plan
    const { tiles } = this.#file.header
    const first = index * batchChunks
    const chunks = Math.min(batchChunks, tileChunks(tiles) - first)
    const count = Math.min(tiles - first * CHUNK_TILES, chunks * CHUNK_TILES)
    const held = this.#held.get(index)
    if (held !== undefined) return { tiles: held, count }
    // The batch that is not among those that stay.
    for (const [other, buffer] of this.#held) if (other >= keptBatches) this.#release(other, buffer)
    this.loads++
    const words = chunks * CHUNK_WORDS
    const bring = async (): Promise<DeviceBuffer> => {
      const buffer = await this.#device.allocate(`tiles ${index}`, words)
      this.#held.set(index, buffer)
      await this.#device.fill(buffer, words, (bytes, at) => this.#file.read(4 * CHUNK_WORDS * first + at, bytes))
      return buffer
    }
    return { tiles: await this.moving(`tiles ${index}`, bring), count }
  }

  release(): void {
    for (const [index, buffer] of this.#held) this.#release(index, buffer)
  }

  #release(index: number, buffer: DeviceBuffer): void {
    this.#held.delete(index)
    this.#device.release(buffer)
  }

  /** Does work that moves something to the device. */
  async moving<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    try {
      return await this.#trace.span('copy in', name, work)
    } finally {
      this.readMs += performance.now() - startMs
    }
  }
}
