/**
 * The tiles of an adjacency matrix as they lie on disk and on a device: only tiles that hold an arc, sorted by row block and,
 * within one, by column. A tile is 16 rows by 32 columns of bits: word r holds row r, bit c column c. Two more words tell
 * enough of it to leave most tiles unread:
 *
 * - its column of tiles (32 vertices each, the width of one word of a bit vector);
 * - bits 0-15: the occupied columns folded in half (c or c + 16); bits 16-23: the occupied rows folded in half (r or r + 8);
 *   bits 24-31: its row block less the chunk's first one.
 *
 * Tiles stand in chunks of at most 256, which no more than 256 row blocks share: a chunk is what a workgroup takes. A chunk
 * begins with the bits of its tiles (16 words each), then come their two words each, then zeros up to a multiple of 64 bytes.
 */
export const TILE_ROWS = 16
export const TILE_COLUMNS = 32
export const TILE_WORDS = 16
export const INDEX_WORDS = 2
export const CHUNK_TILES = 256
export const CHUNK_ROW_BLOCKS = 256
/** A chunk's record: tiles before it (modulo 2^32), tiles, first row block, last row block. */
export const CHUNK_RECORD_WORDS = 4
/** Where the second index word holds the row block less the chunk's first. */
export const INDEX_ROW_SHIFT = 24
export const CELLS_PER_TILE = TILE_ROWS * TILE_COLUMNS

export const CHUNK_ALIGNMENT_WORDS = 16

/** Words that a chunk of so many tiles takes. */
export function chunkWords(tiles: number): number {
  const words = (TILE_WORDS + INDEX_WORDS) * tiles
  return Math.ceil(words / CHUNK_ALIGNMENT_WORDS) * CHUNK_ALIGNMENT_WORDS
}

/** Columns c and c + 16 of a row of columns as one bit. */
export const foldColumns = (columns: number): number => (columns | (columns >>> 16)) & 0xffff

/** Rows r and r + 8 of 16 rows as one bit. */
export const foldRows = (rows: number): number => (rows | (rows >>> 8)) & 0xff

export const columnsOfTiles = (vertices: number): number => Math.ceil(vertices / TILE_COLUMNS)
export const rowBlocks = (vertices: number): number => Math.ceil(vertices / TILE_ROWS)
