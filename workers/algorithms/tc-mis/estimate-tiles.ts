import { limitsOf } from '../../device/device-memory.ts'
import { requireFewArcs, tileBuildBytes } from '../../graph/tiles/build-tiles.ts'
import { openTiles, tilesPath } from '../../graph/tiles/prepare-tiles.ts'
import type { TileFile } from '../../graph/tiles/tile-file.ts'
import { TILE_HEADER_BYTES } from '../../graph/tiles/tile-file.ts'
import {
  CHUNK_ALIGNMENT_WORDS,
  CHUNK_RECORD_WORDS,
  CHUNK_ROW_BLOCKS,
  CHUNK_TILES,
  INDEX_WORDS,
  TILE_WORDS,
  columnsOfTiles,
  rowBlocks,
} from '../../graph/tiles/tile-format.ts'
import type { PlanStep } from '../../contract/jobs.ts'
import { deviceBudget } from '../budgets.ts'
import { listBatchBytes } from './batches.ts'
import { tcChoiceOf } from './choice.ts'
import { BATCHES_IN_BUDGET, planTiles, requireStateFits, tilesHostBytes } from './plan-tiles.ts'
import { countsKernel } from './three-phases.ts'
import { workspaceBytes } from './workspace.ts'
import type { PlanEstimate, Planned, PlanRequest, GraphSize } from '../estimate.ts'
import { MOST_EXACT_VERTICES, attempt, availableOn, computeStep } from '../estimate.ts'
import { withGraph } from '../graph-size.ts'

/** TC-MIS: what a run refuses before tiles are cut, and bounds of the rest. Nobody knows before how many tiles there will be. */
export function estimateTiles({ options, size, devices }: PlanRequest): PlanEstimate {
  const { vertices, arcs } = size
  const choice = tcChoiceOf(options)
  const file = openPrepared(size)
  file?.close()
  const device = devices[0]!
  const tried = attempt(() => {
    countsKernel(device, options.counting)
    if (file === undefined) requireFewArcs(size, size.dataset && tilesPath(size.dataset.folder))
    requireStateFits(options, { vertices, seeds: choice.seeds }, limitsOf(device))
  })
  const tiles = file?.header.tiles ?? mostTiles(size)
  const chunks = Math.ceil(tiles / CHUNK_TILES + rowBlocks(vertices) / CHUNK_ROW_BLOCKS + 1)
  const recordBytes = 4 * CHUNK_RECORD_WORDS * chunks
  const tileBytes = 4 * (TILE_WORDS + INDEX_WORDS) * tiles + 4 * CHUNK_ALIGNMENT_WORDS * chunks
  const least = options.batches ?? 1
  // Lists are cut greedily, and each batch has one offset more than vertices.
  const sliceBytes = listBatchBytes({ count: vertices + 2 * least, arcs }) + tileBytes + recordBytes
  const stateBytes = workspaceBytes({ vertices, seeds: choice.seeds })
  const budget = deviceBudget(device, options.memoryBytes)
  const resident = stateBytes + sliceBytes <= budget
  const batchBytes = Math.max(1, (budget - stateBytes) / BATCHES_IN_BUDGET)
  const planned: Planned = {
    batches: Math.min(Math.max(1, tiles), resident ? least : Math.max(least, Math.ceil(tileBytes / batchBytes))),
    hostBytes: tilesHostBytes(vertices, choice.seeds, recordBytes),
    deviceBytes: Math.min(stateBytes + sliceBytes, budget),
    lanes: [
      {
        device: device.id,
        shareBytes: sliceBytes,
        holds: resident ? 'share' : 'nothing',
        deviceBytes: Math.min(stateBytes + sliceBytes, budget),
        availableBytes: availableOn(device, options.memoryBytes),
      },
    ],
    resident,
  }
  const known = tried.refusal === null ? planned : { ...planned, deviceBytes: stateBytes }
  const run = computeStep(known, Math.ceil(vertices / 8))
  const making = file === undefined ? [tilesStep(size, tileBytes + recordBytes)] : []
  return {
    devices,
    steps: [...making, run],
    batches: planned.batches,
    lanes: planned.lanes,
    prepared: file !== undefined,
    exact: false,
    // Most graphs have far fewer tiles than arcs; a disk that turns out too small is told.
    spareDiskBytes: file === undefined ? tileBytes + recordBytes : 0,
    refusal: tried.refusal,
  }
}

/** The same once the tiles are there: what the run itself plans. undefined where they are not. */
export function planTilesExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  if (size.vertices > MOST_EXACT_VERTICES) return undefined
  const choice = tcChoiceOf(options)
  const file = openPrepared(size)
  if (file === undefined) return undefined
  try {
    const bounds = estimateTiles(request)
    const offsets = withGraph(size.dataset!, (graph) => graph.readOffsets(0, graph.vertices))
    const tables = { listOffsets: Uint32Array.from(offsets), records: file.readWords('records') }
    const tried = attempt(() => planTiles(options, file, tables, limitsOf(devices[0]!), choice.seeds))
    if (tried.refusal !== null) return { ...bounds, refusal: tried.refusal }
    const { plan, isResident } = tried.plan
    const [lane] = bounds.lanes
    const holds = isResident ? 'share' : 'nothing'
    const lanes = [{ ...lane!, holds, deviceBytes: plan.deviceBytes } as const]
    const planned = { ...plan, lanes, resident: isResident }
    const steps = [computeStep(planned, Math.ceil(size.vertices / 8))]
    return { ...bounds, steps, lanes, batches: plan.batches, exact: true }
  } finally {
    file.close()
  }
}

const openPrepared = ({ dataset }: GraphSize): TileFile | undefined =>
  dataset && openTiles(tilesPath(dataset.folder), dataset.checksum)

/** One for each arc, or all that there is room for. */
const mostTiles = ({ vertices, arcs }: GraphSize): number =>
  Math.min(arcs, rowBlocks(vertices) * columnsOfTiles(vertices))

function tilesStep({ vertices }: GraphSize, tileBytes: number): PlanStep {
  const diskBytes = TILE_HEADER_BYTES + tileBytes
  return { name: 'tiles', hostBytes: tileBuildBytes(vertices), deviceBytes: 0, scratchBytes: 0, diskBytes, passes: 1 }
}
