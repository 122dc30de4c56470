// Purpose: where a tile of the adjacency matrix is stored (workers/graph/tiles/tile-file.ts): 16 rows by 32 columns of bits. A part of
//          tc-candidates, tc-counts and tc-counts-matrix.
// Reads:   tiles, by fours of words; openAny: a word for 32 vertices, open under any seed.

const ROWS = 16u;
const CHUNK_TILES = 64u;
// In fours of words: the index of a chunk, the rows of a tile, a chunk.
const INDEX_FOURS = 64u;
const TILE_FOURS = 4u;
const CHUNK_FOURS = 320u;

struct Tile {
  // 16 rows: half a word of 32 vertices.
  block: u32,
  // 32 vertices.
  column: u32,
  // Columns and rows with a bit.
  columns: u32,
  rows: u32,
  // The first four of its rows.
  at: u32,
}

fn tileAt(tile: u32) -> Tile {
  let chunk = tile / CHUNK_TILES * CHUNK_FOURS;
  let place = tile % CHUNK_TILES;
  let index = tiles[chunk + place];
  return Tile(index.x, index.y, index.z, index.w, chunk + INDEX_FOURS + TILE_FOURS * place);
}

fn rowOf(tile: Tile, row: u32) -> u32 {
  return tiles[tile.at + row / 4u][row % 4u];
}

// The bit of its first row in its word of 32 vertices.
fn halfOf(tile: Tile) -> u32 {
  return ROWS * (tile.block % 2u);
}

// The rows of a tile among 32 vertices.
fn rowsAmong(tile: Tile, word: u32) -> u32 {
  return tile.rows & (word >> halfOf(tile));
}

// Whether a tile has an open column and an open row, under some seed.
fn isOpen(tile: Tile) -> bool {
  return (tile.columns & openAny[tile.column]) != 0u && rowsAmong(tile, openAny[tile.block / 2u]) != 0u;
}
