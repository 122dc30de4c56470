import { join } from 'node:path'
import type { JobContext } from '../../base/job.ts'
import { GaloisGr } from '../galois-gr.ts'
import { requireDisk } from '../../base/disk-space.ts'
import { buildTiles } from './build-tiles.ts'
import { TILE_HEADER_BYTES, TileFile } from './tile-file.ts'
import { TILES_FOLDER, sweepTiles } from './tiles-folder.ts'

export interface TilesRequest {
  readonly folder: string
  /** SHA-256 of graph.gr. */
  readonly checksum: string
}

export interface PreparedTiles {
  readonly tileFile: TileFile
  /** Milliseconds that building took; 0 when the tiles were there. */
  readonly buildMs: number
}

/** Opens the tiles of a dataset, building and storing them first where they are not there yet, or are of another graph. */
export function prepareTiles({ folder, checksum }: TilesRequest, job: JobContext): PreparedTiles {
  const path = tilesPath(folder)
  const cached = openTiles(path, checksum)
  if (cached !== undefined) return { tileFile: cached, buildMs: 0 }
  const startMs = performance.now()
  sweepTiles(folder)
  const graph = GaloisGr.inFolder(folder)
  try {
    // Below one tile for each arc there is no telling how much it will be; the file is a cache, and a full disk is told.
    requireDisk(path, TILE_HEADER_BYTES)
    buildTiles(graph, path, checksum, job)
  } finally {
    graph.close()
  }
  const tileFile = openTiles(path, checksum)
  if (tileFile === undefined) throw new Error(`${path} is not the tiles that were written there`)
  return { tileFile, buildMs: performance.now() - startMs }
}

/** Where the tiles of a dataset are stored. */
export const tilesPath = (folder: string): string => join(folder, TILES_FOLDER, 'graph.tiles')

/** The tiles of this graph; undefined where there are none, and they must be cut. */
export function openTiles(path: string, checksum: string): TileFile | undefined {
  const tileFile = TileFile.open(path)
  if (tileFile === undefined) return undefined
  if (tileFile.header.graph === checksum) return tileFile
  tileFile.close()
  return undefined
}
