// Purpose: phase 2 in plain integers: which open vertices have a candidate beside them, under each seed.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1: the bits that a row of a tile and a word of candidates share;
//          phase 3 asks only whether there are any. Section 3.2: tiles without a candidate, or without an open row, are skipped.
// Part:    parts/tiles.wgsl.
// Reads:   tiles [0, count) of the batch; open, cands: a word for 32 vertices and a seed, seeds side by side; openAny: over all seeds.
// Writes:  hits, by atomic or; counters[1]: tiles that were not skipped.
// Invariant: or has no order.

const TILES_READ = 1u;

var<workgroup> readHere: atomic<u32>;

fn mark(tile: Tile) -> bool {
  var isRead = false;
  for (var seed = 0u; seed < params.seeds; seed++) {
    let candidates = tile.columns & cands[tile.column * params.seeds + seed];
    if (candidates == 0u) { continue; }
    let at = (tile.block / 2u) * params.seeds + seed;
    var hit = 0u;
    for (var rows = rowsAmong(tile, open[at]); rows != 0u; rows &= rows - 1u) {
      let row = countTrailingZeros(rows);
      isRead = true;
      if ((rowOf(tile, row) & candidates) != 0u) { hit |= 1u << row; }
    }
    if (hit != 0u) { atomicOr(&hits[at], hit << halfOf(tile)); }
  }
  return isRead;
}

fn each(place: u32, lane: u32) {
  if (place < params.count) {
    let tile = tileAt(place);
    if (isOpen(tile)) {
      if (mark(tile)) { atomicAdd(&readHere, 1u); }
    }
  }
  workgroupBarrier();
  if (lane == 0u) { atomicAdd(&counters[TILES_READ], atomicLoad(&readHere)); }
}
