export { default as tilesPart } from './tiles.wgsl?raw'

const ROWS = 16
const INDEX_WORDS = 4
const CHUNK_TILES = 64
const CHUNK_WORDS = (INDEX_WORDS + ROWS) * CHUNK_TILES

/** The twin of tileAt. */
export const indexAt = (tile: number): number =>
  Math.floor(tile / CHUNK_TILES) * CHUNK_WORDS + INDEX_WORDS * (tile % CHUNK_TILES)

export const rowsAt = (tile: number): number =>
  Math.floor(tile / CHUNK_TILES) * CHUNK_WORDS + INDEX_WORDS * CHUNK_TILES + ROWS * (tile % CHUNK_TILES)

/** The twin of isOpen. */
export function isOpen(tiles: Uint32Array, tile: number, openAny: Uint32Array): boolean {
  const index = indexAt(tile)
  if ((tiles[index + 2]! & openAny[tiles[index + 1]!]!) === 0) return false
  return rowsAmong(tiles, tile, openAny[tiles[index]! >>> 1]!) !== 0
}

export function rowsAmong(tiles: Uint32Array, tile: number, word: number): number {
  const index = indexAt(tile)
  return tiles[index + 3]! & (word >>> (ROWS * (tiles[index]! & 1)))
}
