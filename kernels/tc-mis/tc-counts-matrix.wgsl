// Purpose: phase 2 on tensor cores: which vertices have a candidate beside them, for all seeds at once. Same result as tc-counts.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1, with u8 in place of half and 32-bit sums: exact.
// Part:    parts/tiles.wgsl: which tiles must be read.
// Reads:   records of the batch's chunks, chunks of tiles (workers/graph/tiles/tile-format.ts), openAny, candsAny, cands,
//          counters[previous].
// Writes:  hits, by atomic or; counters[statistics]: tiles looked at in the index, and tiles whose bits were multiplied.
// Invariant: subgroups have 32 threads. N (16 x 16) = A (16 x 32) times C (32 x 16): rows of the row block, columns of the tile,
//          seeds. Bits become bytes in the order 8 b + i -> 4 i + b, for rows of A and columns of C alike, which changes no sum.
//          The tiles of one row block are summed up in registers; only a row block's last tile of a subgroup stores the sums.

enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
diagnostic(off, subgroup_uniformity);

struct Params { chunks: u32, seeds: u32, previous: u32, statistics: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> data: array<u32>;
@group(0) @binding(3) var<storage, read> openAny: array<u32>;
@group(0) @binding(4) var<storage, read> candsAny: array<u32>;
@group(0) @binding(5) var<storage, read> cands: array<u32>;
@group(0) @binding(6) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 128u;
const LANES = 32u;
const SUBGROUPS = 4u;
const CHUNK = 256u;
// Words of a row of A, or of a column of C, of 32 bytes. Offsets and strides of loads count elements of the array: words.
const LINE_WORDS = 8u;
// Words of A and C of one tile, and of N.
const OPERANDS = 256u;

var<workgroup> total: u32;
var<workgroup> slots: array<u32, CHUNK>;
var<workgroup> columns: array<u32, CHUNK>;
var<workgroup> rows: array<u32, CHUNK>;
var<workgroup> isNeeded: array<atomic<u32>, 8>;
var<workgroup> operands: array<u32, SUBGROUPS * OPERANDS>;
var<workgroup> counts: array<u32, SUBGROUPS * OPERANDS>;

// Whether a tile must be read: one of its columns may hold a candidate, and one of its rows is open.
fn mustRead(record: vec4<u32>, tile: u32) -> bool {
  let index = record.x + ROWS * record.y + 2u * tile;
  let summary = data[index + 1u];
  let block = record.z + (summary >> 24u);
  let openRows = (openAny[block / 2u] >> ((block & 1u) * ROWS)) & 0xffffu;
  let candidates = candsAny[data[index]];
  let inColumns = summary & (candidates | (candidates >> 16u)) & 0xffffu;
  let inRows = (summary >> 16u) & (openRows | (openRows >> 8u)) & 0xffu;
  return inColumns != 0u && inRows != 0u;
}

// Lists the tiles that must be read in the order of the chunk, so that those of a row block stand together.
fn pickTiles(record: vec4<u32>, lane: u32) {
  if (lane < 8u) { atomicStore(&isNeeded[lane], 0u); }
  workgroupBarrier();
  for (var tile = lane; tile < record.y; tile += WORKGROUP) {
    if (mustRead(record, tile)) { atomicOr(&isNeeded[tile / 32u], 1u << (tile % 32u)); }
  }
  workgroupBarrier();
  for (var tile = lane; tile < record.y; tile += WORKGROUP) {
    let word = atomicLoad(&isNeeded[tile / 32u]);
    if (((word >> (tile % 32u)) & 1u) == 0u) { continue; }
    var at = countOneBits(word & ((1u << (tile % 32u)) - 1u));
    for (var before = 0u; before < tile / 32u; before++) { at += countOneBits(atomicLoad(&isNeeded[before])); }
    let index = record.x + ROWS * record.y + 2u * tile;
    slots[at] = record.x + ROWS * tile;
    columns[at] = data[index];
    rows[at] = record.z + (data[index + 1u] >> 24u);
  }
  if (lane == 0u) {
    var sum = 0u;
    for (var word = 0u; word < 8u; word++) { sum += countOneBits(atomicLoad(&isNeeded[word])); }
    total = sum;
  }
  workgroupBarrier();
}

// The word that a lane expands for a tile: lanes 0-15 a row of A, lanes 16-31 a column of C (a seed).
fn operandOf(at: u32, end: u32, place: u32) -> u32 {
  if (at >= end) { return 0u; }
  if (place < ROWS) { return data[slots[at] + place]; }
  let seed = place - ROWS;
  if (seed >= params.seeds) { return 0u; }
  return cands[columns[at] * params.seeds + seed];
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let subgroup = lane / LANES;
  let place = lane % LANES;
  let own = subgroup * OPERANDS;
  var looked = 0u;
  var read = 0u;
  if (lane == 0u) { total = atomicLoad(&counters[params.previous]); }
  let stillOpen = workgroupUniformLoad(&total);
  for (var chunk = group.x; chunk < params.chunks && stillOpen != 0u; chunk += groups.x) {
    let record = records[chunk];
    if (!hasOpenRow(record.z, record.w)) { continue; }
    pickTiles(record, lane);
    let tiles = workgroupUniformLoad(&total);
    looked += record.y;
    read += tiles;
    // Each subgroup takes a stretch of the list; all take as many steps.
    let steps = (tiles + SUBGROUPS - 1u) / SUBGROUPS;
    let first = subgroup * steps;
    let end = min(tiles, first + steps);
    var sums = subgroup_matrix_result<u32, 16, 16>();
    var word = operandOf(first, end, place);
    for (var step = 0u; step < steps; step++) {
      let at = first + step;
      for (var i = 0u; i < LINE_WORDS; i++) { operands[own + place * LINE_WORDS + i] = (word >> i) & 0x01010101u; }
      workgroupBarrier();
      word = operandOf(at + 1u, end, place);
      let left = subgroupMatrixLoad<subgroup_matrix_left<u8, 32, 16>, row_major>(&operands, own, LINE_WORDS);
      let right = subgroupMatrixLoad<subgroup_matrix_right<u8, 16, 32>, col_major>(&operands, own + ROWS * LINE_WORDS, LINE_WORDS);
      sums = subgroupMatrixMultiplyAccumulate(left, right, sums);
      var isLast = false;
      if (at < end) { isLast = at + 1u == end || rows[at + 1u] != rows[at]; }
      if (isLast) {
        // By columns: the sums of a seed stand together.
        subgroupMatrixStore<col_major>(&counts, own, sums, ROWS);
        sums = subgroup_matrix_result<u32, 16, 16>();
      }
      workgroupBarrier();
      if (isLast && place < params.seeds) {
        var bits = 0u;
        for (var row = 0u; row < ROWS; row++) {
          if (counts[own + place * ROWS + row] != 0u) { bits |= 1u << row; }
        }
        let block = rows[at];
        if (bits != 0u) { atomicOr(&hits[(block / 2u) * params.seeds + place], bits << ((block & 1u) * ROWS)); }
      }
    }
    workgroupBarrier();
  }
  if (lane == 0u && looked != 0u) {
    atomicAdd(&counters[params.statistics], looked);
    atomicAdd(&counters[params.statistics + 1u], read);
  }
}
