// Purpose: how the kernels of phase 2 look at tiles (workers/graph/tiles/tile-format.ts). A part of tc-counts and tc-counts-matrix,
//          which it is put behind.
// Reads:   openAny and candsAny, as those declare them.

const ROWS = 16u;
// Fours of words that the bits of a tile take.
const FOURS = 4u;

fn hasOpenRow(firstRow: u32, lastRow: u32) -> bool {
  let first = firstRow / 2u;
  let last = lastRow / 2u;
  for (var segment = first; segment <= last; segment++) {
    var rows = openAny[segment];
    if (segment == first && (firstRow & 1u) == 1u) { rows &= 0xffff0000u; }
    if (segment == last && (lastRow & 1u) == 0u) { rows &= 0x0000ffffu; }
    if (rows != 0u) { return true; }
  }
  return false;
}

struct Tile {
  // Where its bits are.
  at: u32,
  column: u32,
  block: u32,
  openRows: u32,
  // Candidates among its columns, under any seed; 0 where it need not be read.
  asked: u32,
}

// Where the index has this tile; place 0 for what is not there.
fn indexAt(record: vec4<u32>, slot: u32) -> u32 {
  return select(0u, record.x / FOURS + FOURS * record.y + slot / 2u, slot < record.y);
}

// `both`: the four words of the index that hold the two of this tile.
fn tileOf(record: vec4<u32>, slot: u32, both: vec4<u32>) -> Tile {
  let isThere = slot < record.y;
  let first = record.x / FOURS;
  let index = select(both.xy, both.zw, (slot & 1u) == 1u);
  let summary = select(0u, index.y, isThere);
  let block = record.z + (summary >> 24u);
  let openRows = (openAny[block / 2u] >> ((block & 1u) * ROWS)) & 0xffffu;
  let isOpen = ((summary >> 16u) & (openRows | (openRows >> 8u)) & 0xffu) != 0u;
  let candidates = candsAny[select(0u, index.x, isOpen)];
  let isAsked = isOpen && (summary & (candidates | (candidates >> 16u)) & 0xffffu) != 0u;
  return Tile(first + FOURS * slot, index.x, block, openRows, select(0u, candidates, isAsked));
}

fn touched(rows: vec4<u32>, candidates: u32) -> u32 {
  let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), (rows & vec4(candidates)) != vec4(0u));
  return bits.x | bits.y | bits.z | bits.w;
}
