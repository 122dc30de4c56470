import wgsl from './tiles.wgsl?raw'

/** A shader of TC-MIS with what it shares with the others; see tiles.wgsl. WGSL reads declarations in any order, but a shader's own features first. */
export const withTiles = (shader: string): string => `${shader}\n${wgsl}`

const ROWS = 16
const INDEX_WORDS = 4
const CHUNK_TILES = 64
const CHUNK_WORDS = (INDEX_WORDS + ROWS) * CHUNK_TILES

/** Where the index has a tile: its row block, its column, the columns and the rows that have a bit. The twin of tileAt in tiles.wgsl. */
export const indexAt = (tile: number): number =>
  Math.floor(tile / CHUNK_TILES) * CHUNK_WORDS + INDEX_WORDS * (tile % CHUNK_TILES)

/** Where its rows are. */
export const rowsAt = (tile: number): number =>
  Math.floor(tile / CHUNK_TILES) * CHUNK_WORDS + INDEX_WORDS * CHUNK_TILES + ROWS * (tile % CHUNK_TILES)

/** Whether a tile has an open column and an open row under some seed; the twin of isOpen. */
export function isOpen(tiles: Uint32Array, tile: number, openAny: Uint32Array): boolean {
  const index = indexAt(tile)
  if ((tiles[index + 2]! & openAny[tiles[index + 1]!]!) === 0) return false
  return rowsAmong(tiles, tile, openAny[tiles[index]! >>> 1]!) !== 0
}

/** The rows of a tile among 32 vertices. */
export function rowsAmong(tiles: Uint32Array, tile: number, word: number): number {
  const index = indexAt(tile)
  return tiles[index + 3]! & (word >>> (ROWS * (tiles[index]! & 1)))
}
