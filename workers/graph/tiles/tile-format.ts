/**
 * The tiles of an adjacency matrix as they are stored on disk and on a device: 16 rows by 32 columns of bits, only those that hold an
 * arc, ascending by row block and, within one, by column. Chunks of 64 tiles follow one another: first four words for each tile,
 * its row block, its column of tiles (32 vertices, the width of one word of a bit vector), the columns and the rows of it that hold an
 * arc, which is enough to skip most tiles; then 16 words for each, word r holding row r and bit c of it column c. The last chunk is
 * filled up with zeros.
 */
export const TILE_ROWS = 16
export const TILE_COLUMNS = 32
export const TILE_WORDS = 16
export const INDEX_WORDS = 4
export const CHUNK_TILES = 64
export const CHUNK_WORDS = (TILE_WORDS + INDEX_WORDS) * CHUNK_TILES
export const CHUNK_BYTES = 4 * CHUNK_WORDS

export const chunksOf = (tiles: number): number => Math.ceil(tiles / CHUNK_TILES)
export const columnsOfTiles = (vertices: number): number => Math.ceil(vertices / TILE_COLUMNS)
export const rowBlocks = (vertices: number): number => Math.ceil(vertices / TILE_ROWS)
