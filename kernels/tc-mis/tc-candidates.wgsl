// Purpose: phase 1: a candidate is an open vertex without an open neighbour of greater key.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 6-9; one greater key is enough, the maximum is not computed.
// Part:    parts/tiles.wgsl.
// Reads:   tiles [0, count) of the batch; open: a word for 32 vertices and a seed, seeds side by side; openAny: over all seeds; keys: a word
//          for a vertex and a seed.
// Writes:  cands, the open vertices at first: those with a greater neighbour are taken out, by atomic and.
// Invariant: whether another thread's removal is seen does not change what is left.

// Whether one of the neighbours, bits of a tile column, has a greater key.
fn isBelow(own: u32, column: u32, neighbours: u32, seed: u32) -> bool {
  for (var left = neighbours; left != 0u; left &= left - 1u) {
    let u = 32u * column + countTrailingZeros(left);
    if (keys[u * params.seeds + seed] > own) { return true; }
  }
  return false;
}

fn each(place: u32, lane: u32) {
  if (place >= params.count) { return; }
  let tile = tileAt(place);
  if (!isOpen(tile)) { return; }
  for (var seed = 0u; seed < params.seeds; seed++) {
    let columns = tile.columns & open[tile.column * params.seeds + seed];
    if (columns == 0u) { continue; }
    let at = (tile.block / 2u) * params.seeds + seed;
    var out = 0u;
    for (var rows = rowsAmong(tile, atomicLoad(&cands[at])); rows != 0u; rows &= rows - 1u) {
      let row = countTrailingZeros(rows);
      let own = keys[(ROWS * tile.block + row) * params.seeds + seed];
      if (isBelow(own, tile.column, rowOf(tile, row) & columns, seed)) { out |= 1u << row; }
    }
    if (out != 0u) { atomicAnd(&cands[at], ~(out << (ROWS * (tile.block % 2u)))); }
  }
}
