// Purpose: phase 2 on tensor cores: which open vertices have a candidate beside them, for all seeds at once. The result of tc-counts.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1: a subgroup a tile, u8 in place of half and 32-bit sums: exact.
//          Section 3.2: tiles without a candidate, or without an open row, are skipped.
// Part:    parts/tiles.wgsl.
// Reads:   tiles [0, count) of the batch; open, cands: a word for 32 vertices and a seed, seeds side by side; openAny: over all seeds.
// Writes:  hits, by atomic or; counters[1]: tiles that were multiplied.
// Invariant: subgroups have 32 threads. N (16 x 16) = A (16 x 32) times C (32 x 16): rows of the block, columns of the tile, seeds. Bits
//          become bytes in the order 8 b + i -> 4 i + b for A and C alike, which changes no sum.

enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);

const WORKGROUP = 128u;
const TILES_READ = 1u;
const LANES = 32u;
const SUBGROUPS = 4u;
// Words of 32 bytes. Offsets and strides of loads count elements of the array: words.
const LINE_WORDS = 8u;
// Words of A and C, and of N.
const OPERANDS = 256u;

var<workgroup> picks: array<u32, WORKGROUP>;
var<workgroup> picked: atomic<u32>;
// Of each subgroup, A above C: 32 bytes for each of 16 rows and 16 seeds.
var<workgroup> operands: array<u32, SUBGROUPS * OPERANDS>;
// Of each subgroup, column by column.
var<workgroup> counts: array<u32, SUBGROUPS * OPERANDS>;

// Whether a column is a candidate and a row is open, under one seed.
fn mustRead(tile: Tile) -> bool {
  if (!isOpen(tile)) { return false; }
  for (var seed = 0u; seed < params.seeds; seed++) {
    let columns = tile.columns & cands[tile.column * params.seeds + seed];
    if (columns != 0u && rowsAmong(tile, open[(tile.block / 2u) * params.seeds + seed]) != 0u) { return true; }
  }
  return false;
}

// Lanes 0-15 expand a row of A, lanes 16-31 a column of C (a seed).
fn lineOf(tile: Tile, lane: u32) -> u32 {
  if (lane < ROWS) { return rowOf(tile, lane); }
  let seed = lane - ROWS;
  if (seed >= params.seeds) { return 0u; }
  return cands[tile.column * params.seeds + seed];
}

// Stores the rows with a candidate beside them under a seed.
fn mark(tile: Tile, sums: u32, seed: u32) {
  var hit = 0u;
  for (var row = 0u; row < ROWS; row++) {
    if (counts[sums + row] != 0u) { hit |= 1u << row; }
  }
  let word = (tile.block / 2u) * params.seeds + seed;
  if (hit != 0u) { atomicOr(&hits[word], hit << halfOf(tile)); }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) index: u32) {
  let place = (group.y * groups.x + group.x) * WORKGROUP + index;
  if (place < params.count) {
    if (mustRead(tileAt(place))) { picks[atomicAdd(&picked, 1u)] = place; }
  }
  let total = workgroupUniformLoad(&picked);
  let lane = index % LANES;
  let own = index / LANES * OPERANDS;
  // Past the last tile: zeros.
  for (var first = 0u; first < total; first += SUBGROUPS) {
    let at = first + index / LANES;
    let tile = tileAt(picks[min(at, total - 1u)]);
    let line = select(0u, lineOf(tile, lane), at < total);
    for (var i = 0u; i < LINE_WORDS; i++) { operands[own + lane * LINE_WORDS + i] = (line >> i) & 0x01010101u; }
    workgroupBarrier();
    let left = subgroupMatrixLoad<subgroup_matrix_left<u8, 32, 16>, row_major>(&operands, own, LINE_WORDS);
    let right = subgroupMatrixLoad<subgroup_matrix_right<u8, 16, 32>, col_major>(&operands, own + ROWS * LINE_WORDS, LINE_WORDS);
    let sums = subgroupMatrixMultiplyAccumulate(left, right, subgroup_matrix_result<u32, 16, 16>());
    subgroupMatrixStore<col_major>(&counts, own, sums, ROWS);
    workgroupBarrier();
    if (lane < params.seeds) { mark(tile, own + lane * ROWS, lane); }
  }
  if (index == 0u && total != 0u) { atomicAdd(&counters[TILES_READ], total); }
}
