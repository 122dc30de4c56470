import { join } from 'node:path'
import type { JobContext } from '../../base/job.ts'
import { GaloisGr } from '../galois-gr.ts'
import { requireDisk } from '../../base/disk-space.ts'
import { preparingBytes } from '../../base/host-memory.ts'
import { buildTiles } from './build-tiles.ts'
import { TileFile, dataStart } from './tile-file.ts'
import { TILES_FOLDER, sweepTiles } from './tiles-folder.ts'
import type { TileOrder } from './tile-format.ts'

export interface TilesRequest {
  readonly folder: string
  /** SHA-256 of graph.gr. */
  readonly checksum: string
  readonly order: TileOrder
  /** Host memory that building may take; absent: a quarter of the machine's. */
  readonly budgetBytes?: number | undefined
}

export interface PreparedTiles {
  readonly tileFile: TileFile
  /** Milliseconds that building took; 0 when the tiles were there. */
  readonly buildMs: number
}

/** Opens the tiles of a dataset, building and storing them first where they are not there yet, or are of another graph. */
export function prepareTiles(request: TilesRequest, job: JobContext): PreparedTiles {
  const { folder, checksum, order, budgetBytes = preparingBytes() } = request
  const path = tilesPath(folder, order)
  const cached = openTiles(path, checksum, order)
  if (cached !== undefined) return { tileFile: cached, buildMs: 0 }
  const startMs = performance.now()
  sweepTiles(folder)
  const graph = GaloisGr.inFolder(folder)
  try {
    // Below one tile for each arc there is no telling how much it will be; the file is a cache, and a full disk is told.
    requireDisk(path, dataStart({ vertices: graph.vertices, arcs: graph.arcs, order }))
    buildTiles(graph, path, { checksum, order, budgetBytes }, job)
  } finally {
    graph.close()
  }
  const tileFile = openTiles(path, checksum, order)
  if (tileFile === undefined) throw new Error(`${path} is not the tiles that were written there`)
  return { tileFile, buildMs: performance.now() - startMs }
}

/** Where the tiles of an order lie in a dataset folder. */
export const tilesPath = (folder: string, order: TileOrder): string => join(folder, TILES_FOLDER, `${order}.tiles`)

/** The tiles of this graph and order; undefined where there are none, and they must be cut. */
export function openTiles(path: string, checksum: string, order: TileOrder): TileFile | undefined {
  const tileFile = TileFile.open(path)
  if (tileFile === undefined) return undefined
  if (tileFile.header.graph === checksum && tileFile.header.order === order) return tileFile
  tileFile.close()
  return undefined
}
