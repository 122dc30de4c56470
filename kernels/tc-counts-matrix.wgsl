// Purpose: phase 2 on tensor cores: which vertices have a candidate beside them, for all seeds at once. Same result as tc-counts.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1, with u8 in place of half and 32-bit sums: exact.
// Reads:   chunks of tiles (workers/graph/tiles/tile-format.ts) that picks names, openAny, candsAny, cands.
// Writes:  hits, by atomic or; counters[statistics]: tiles looked at in the index, and tiles whose bits were multiplied.
// Invariant: subgroups have 32 threads. N (16 x 16) = A (16 x 32) times C (32 x 16). Tiles of real graphs hold one or two arcs, so
//          a product is not made of one tile: its 32 inner places are the columns of many tiles that have both a bit and a
//          candidate, gathered one ballot each (rows of A in the low half, seeds in the high half). With K seeds the 16 columns of
//          C are shared by 16 / K row blocks, so that a product ends only when its inner places or its row blocks are full.

enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
diagnostic(off, subgroup_uniformity);

struct Params { seeds: u32, picked: u32, statistics: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> data: array<u32>;
@group(0) @binding(3) var<storage, read> picks: array<u32>;
@group(0) @binding(4) var<storage, read> openAny: array<u32>;
@group(0) @binding(5) var<storage, read> candsAny: array<u32>;
@group(0) @binding(6) var<storage, read> cands: array<u32>;
@group(0) @binding(7) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 128u;
const LANES = 32u;
const SUBGROUPS = 4u;
const ROWS = 16u;
const CHUNK = 256u;
// Columns of C: seeds, as often as there is room for a row block.
const WIDTH = 16u;
const INNER = 32u;
// Words of A and C of one product, and of N.
const OPERANDS = 256u;
const NONE = 0xffffffffu;

var<workgroup> total: u32;
var<workgroup> slots: array<u32, CHUNK>;
var<workgroup> columns: array<u32, CHUNK>;
var<workgroup> rows: array<u32, CHUNK>;
// Columns of the tile that may hold a candidate of any seed.
var<workgroup> wanted: array<u32, CHUNK>;
var<workgroup> isNeeded: array<atomic<u32>, 8>;
var<workgroup> operands: array<u32, SUBGROUPS * OPERANDS>;
var<workgroup> counts: array<u32, SUBGROUPS * OPERANDS>;
// Which subgroups have tiles left.
var<workgroup> busy: vec4<u32>;

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
    wanted[at] = candsAny[data[index]];
    rows[at] = record.z + (data[index + 1u] >> 24u);
  }
  if (lane == 0u) {
    var sum = 0u;
    for (var word = 0u; word < 8u; word++) { sum += countOneBits(atomicLoad(&isNeeded[word])); }
    total = sum;
  }
  workgroupBarrier();
}

// The word that a lane has of a tile: lanes 0-15 a row of A, lanes 16-31 the candidates of a seed in the tile's columns.
fn wordOf(at: u32, end: u32, place: u32) -> u32 {
  if (at >= end) { return 0u; }
  if (place < ROWS) { return data[slots[at] + place]; }
  let seed = place - ROWS;
  if (seed >= params.seeds) { return 0u; }
  return cands[columns[at] * params.seeds + seed];
}

// Four bits as four bytes.
fn bytesOf(bits: u32) -> u32 {
  return ((bits & 0xfu) * 0x00204081u) & 0x01010101u;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { total = atomicLoad(&counters[params.picked]); }
  let chunks = workgroupUniformLoad(&total);
  let subgroup = lane / LANES;
  let place = lane % LANES;
  let own = subgroup * OPERANDS;
  let seeds = params.seeds;
  var looked = 0u;
  var read = 0u;
  for (var item = group.x; item < chunks; item += groups.x) {
    let record = records[picks[item]];
    pickTiles(record, lane);
    let tiles = workgroupUniformLoad(&total);
    looked += record.y;
    read += tiles;
    // Each subgroup takes a stretch of the list, and asks for four tiles ahead of the one that it looks at.
    let stretch = (tiles + SUBGROUPS - 1u) / SUBGROUPS;
    var at = min(tiles, subgroup * stretch);
    let end = min(tiles, at + stretch);
    var word = wordOf(at, end, place);
    var second = wordOf(at + 1u, end, place);
    var third = wordOf(at + 2u, end, place);
    var fourth = wordOf(at + 3u, end, place);
    loop {
      var gathered = 0u;
      var filled = 0u;
      var blocks = 0u;
      var block = NONE;
      // The row block whose counts stand in columns [place K, place K + K) of N.
      var mine = 0u;
      while (at < end) {
        let both = subgroupOr(select(0u, word, place < ROWS)) & wanted[at];
        if (filled + countOneBits(both) > INNER) { break; }
        if (both != 0u && rows[at] != block) {
          if ((blocks + 1u) * seeds > WIDTH) { break; }
          block = rows[at];
          if (place == blocks) { mine = block; }
          blocks++;
        }
        let shift = (blocks - 1u) * seeds;
        for (var rest = both; rest != 0u; rest &= rest - 1u) {
          let column = subgroupBallot(((word >> firstTrailingBit(rest)) & 1u) != 0u).x;
          if (place == filled) { gathered = (column & 0xffffu) | ((column & 0xffff0000u) << shift); }
          filled++;
        }
        word = second;
        second = third;
        third = fourth;
        at++;
        fourth = wordOf(at + 3u, end, place);
      }
      for (var i = 0u; i < 4u; i++) {
        operands[own + 4u * place + i] = bytesOf(gathered >> (4u * i));
        operands[own + 4u * (INNER + place) + i] = bytesOf(gathered >> (ROWS + 4u * i));
      }
      if (place == 0u) { busy[subgroup] = select(0u, 1u, at < end); }
      workgroupBarrier();
      let left = subgroupMatrixLoad<subgroup_matrix_left<u8, 32, 16>, col_major>(&operands, own, ROWS / 4u);
      let right = subgroupMatrixLoad<subgroup_matrix_right<u8, 16, 32>, row_major>(&operands, own + 4u * INNER, WIDTH / 4u);
      let none = subgroup_matrix_result<u32, 16, 16>();
      subgroupMatrixStore<row_major>(&counts, own, subgroupMatrixMultiplyAccumulate(left, right, none), WIDTH);
      let others = workgroupUniformLoad(&busy);
      let owner = subgroupShuffle(mine, place / seeds);
      if (place < blocks * seeds) {
        var bits = 0u;
        for (var row = 0u; row < ROWS; row++) {
          if (counts[own + WIDTH * row + place] != 0u) { bits |= 1u << row; }
        }
        if (bits != 0u) { atomicOr(&hits[(owner / 2u) * seeds + place % seeds], bits << ((owner & 1u) * ROWS)); }
      }
      if (all(others == vec4<u32>())) { break; }
    }
    workgroupBarrier();
  }
  if (lane == 0u && looked != 0u) {
    atomicAdd(&counters[params.statistics], looked);
    atomicAdd(&counters[params.statistics + 1u], read);
  }
}
