// Purpose: phase 2 on tensor cores: which vertices have a candidate beside them, for all seeds at once. Same result as tc-counts.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1, with u8 in place of half and 32-bit sums: exact.
// Reads:   records of the batch's chunks, chunks of tiles (workers/graph/tiles/tile-format.ts), openAny, candsAny, cands,
//          counters[previous].
// Writes:  hits, by atomic or; counters[statistics]: tiles looked at in the index, and tiles whose bits were multiplied.
// Invariant: a workgroup is one subgroup of 32 threads. N (16 x 16) = A (16 x 32) times C (32 x 16): rows of the row block, columns
//          of the tile, seeds. Bits become bytes in the order 8 b + i -> 4 i + b, for rows of A and columns of C alike, which changes
//          no sum. Neighbouring threads write neighbouring words of the operands: a thread that wrote its own row would meet the
//          others in the same banks of memory. The tiles of one row block are summed up in registers.

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

const LANES = 32u;
const ROWS = 16u;
// Tiles whose words are asked for together.
const AHEAD = 4u;
// Words of a row of A, or of a column of C, of 32 bytes. Offsets and strides of loads count elements of the array: words.
const LINE_WORDS = 8u;
// Words of A and C of one tile, and of N.
const OPERANDS = 256u;

var<workgroup> picks: array<vec4<u32>, LANES>;
var<workgroup> picked: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> slots: array<u32, LANES>;
var<workgroup> columns: array<u32, LANES>;
// One more than there are tiles: no row block.
var<workgroup> rows: array<u32, LANES + 1u>;
var<workgroup> operands: array<u32, AHEAD * OPERANDS>;
var<workgroup> counts: array<u32, AHEAD * OPERANDS>;

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

// Lists the open ones of the next chunks of this workgroup.
fn pickChunks(chunk: u32) {
  if (chunk < params.chunks && atomicLoad(&counters[params.previous]) != 0u) {
    let record = records[chunk];
    if (hasOpenRow(record.z, record.w)) { picks[atomicAdd(&picked, 1u)] = record; }
  }
}

// Lists those of 32 tiles that must be read, in their order: one of their columns may hold a candidate, and one of their rows is
// open.
fn pickTiles(record: vec4<u32>, tile: u32, lane: u32) {
  var isAsked = false;
  var column = 0u;
  var block = 0u;
  if (tile < record.y) {
    let index = record.x + ROWS * record.y + 2u * tile;
    let summary = data[index + 1u];
    column = data[index];
    block = record.z + (summary >> 24u);
    let openRows = (openAny[block / 2u] >> ((block & 1u) * ROWS)) & 0xffffu;
    let candidates = candsAny[column];
    let inColumns = summary & (candidates | (candidates >> 16u)) & 0xffffu;
    let inRows = (summary >> 16u) & (openRows | (openRows >> 8u)) & 0xffu;
    isAsked = inColumns != 0u && inRows != 0u;
  }
  let mask = subgroupBallot(isAsked).x;
  if (isAsked) {
    let at = countOneBits(mask & ((1u << lane) - 1u));
    slots[at] = record.x + ROWS * tile;
    columns[at] = column;
    rows[at] = block;
  }
  if (lane == 0u) {
    total = countOneBits(mask);
    rows[total] = 0xffffffffu;
  }
}

// The word that a lane brings of a tile: lanes 0-15 a row of A, lanes 16-31 a column of C (a seed).
fn operandOf(at: u32, tiles: u32, lane: u32) -> u32 {
  if (at >= tiles) { return 0u; }
  if (lane < ROWS) { return data[slots[at] + lane]; }
  let seed = lane - ROWS;
  if (seed >= params.seeds) { return 0u; }
  return cands[columns[at] * params.seeds + seed];
}

fn expand(word: u32, place: u32, lane: u32) {
  let shift = lane % LINE_WORDS;
  for (var i = 0u; i < LINE_WORDS; i++) {
    let its = subgroupShuffle(word, 4u * i + lane / LINE_WORDS);
    operands[place * OPERANDS + i * LANES + lane] = (its >> shift) & 0x01010101u;
  }
}

// Rows of a row block whose sum is above 0: each lane takes a seed, and the even rows or the odd ones.
fn mark(place: u32, block: u32, lane: u32) {
  let seed = lane % ROWS;
  let odd = lane / ROWS;
  var bits = 0u;
  for (var i = 0u; i < ROWS / 2u; i++) {
    if (counts[place * OPERANDS + i * LANES + lane] != 0u) { bits |= 1u << (2u * i + odd); }
  }
  if (bits != 0u) { atomicOr(&hits[(block / 2u) * params.seeds + seed], bits << ((block & 1u) * ROWS)); }
}

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  var looked = 0u;
  var read = 0u;
  for (var base = group.x; base < params.chunks; base += groups.x * LANES) {
    pickChunks(base + lane * groups.x);
    workgroupBarrier();
    if (lane == 0u) { total = atomicExchange(&picked, 0u); }
    let chunks = workgroupUniformLoad(&total);
    for (var item = 0u; item < chunks; item++) {
      let record = workgroupUniformLoad(&picks[item]);
      looked += record.y;
      for (var first = 0u; first < record.y; first += LANES) {
        pickTiles(record, first + lane, lane);
        let tiles = workgroupUniformLoad(&total);
        read += tiles;
        var sums = subgroup_matrix_result<u32, 16, 16>();
        for (var at = 0u; at < tiles; at += AHEAD) {
          let a = operandOf(at, tiles, lane);
          let b = operandOf(at + 1u, tiles, lane);
          let c = operandOf(at + 2u, tiles, lane);
          let d = operandOf(at + 3u, tiles, lane);
          expand(a, 0u, lane);
          expand(b, 1u, lane);
          expand(c, 2u, lane);
          expand(d, 3u, lane);
          workgroupBarrier();
          for (var i = 0u; i < min(AHEAD, tiles - at); i++) {
            let own = i * OPERANDS;
            let left = subgroupMatrixLoad<subgroup_matrix_left<u8, 32, 16>, row_major>(&operands, own, LINE_WORDS);
            let right =
              subgroupMatrixLoad<subgroup_matrix_right<u8, 16, 32>, col_major>(&operands, own + ROWS * LINE_WORDS, LINE_WORDS);
            sums = subgroupMatrixMultiplyAccumulate(left, right, sums);
            if (rows[at + i] != rows[at + i + 1u]) {
              subgroupMatrixStore<row_major>(&counts, own, sums, ROWS);
              sums = subgroup_matrix_result<u32, 16, 16>();
            }
          }
          workgroupBarrier();
          for (var i = 0u; i < min(AHEAD, tiles - at); i++) {
            let block = rows[at + i];
            if (block != rows[at + i + 1u] && lane % ROWS < params.seeds) { mark(i, block, lane); }
          }
        }
        workgroupBarrier();
      }
    }
    workgroupBarrier();
  }
  if (lane == 0u && looked != 0u) {
    atomicAdd(&counters[params.statistics], looked);
    atomicAdd(&counters[params.statistics + 1u], read);
  }
}
