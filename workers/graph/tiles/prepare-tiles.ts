import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JobContext } from '../../base/job.ts'
import { TILES_FOLDER } from '../../contract/jobs.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { buildTiles } from './build-tiles.ts'
import { TileFile } from './tile-file.ts'

/** Where a dataset is stored, and the SHA-256 of its graph. */
export interface TilesPlace {
  readonly folder: string
  readonly checksum: string
}

export interface PreparedTiles {
  readonly tileFile: TileFile
  /** Milliseconds that building took; 0 when the tiles were there. */
  readonly buildMs: number
}

/** Opens the tiles of a dataset, building and storing them first where they are not there yet, or are of another graph. */
export function prepareTiles(place: TilesPlace, graph: GaloisGr, job: JobContext): PreparedTiles {
  const stored = openTiles(place)
  if (stored !== undefined) return { tileFile: stored, buildMs: 0 }
  const startMs = performance.now()
  const path = tilesPath(place)
  sweepTiles(place)
  buildTiles(graph, path, place.checksum, job)
  const tileFile = openTiles(place)
  if (tileFile === undefined) throw new Error(`${path} is not the tiles that were written there`)
  return { tileFile, buildMs: performance.now() - startMs }
}

/** The tiles of this graph; undefined where there are none. */
export const openTiles = (place: TilesPlace): TileFile | undefined => TileFile.open(tilesPath(place), place.checksum)

const tilesPath = ({ folder }: TilesPlace): string => join(folder, TILES_FOLDER, TILES_FILE)

const TILES_FILE = 'graph.tiles'

/** A file that is being written is called "<name>.partial-<process>-<moment>" until it is whole. */
const partial = /\.partial-(\d+)-/

/** Removes from the folder of tiles what killed programs left, whose writer is gone, and tiles of earlier versions. */
function sweepTiles({ folder }: TilesPlace): void {
  const tiles = join(folder, TILES_FOLDER)
  if (!existsSync(tiles)) return
  for (const name of readdirSync(tiles)) {
    const writer = partial.exec(name)?.[1]
    const isOurs = writer === undefined ? name.startsWith(TILES_FILE) : isAlive(Number(writer))
    if (!isOurs) rmSync(join(tiles, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user is alive all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
