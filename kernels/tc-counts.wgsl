// Purpose: phase 2 in plain integers: which vertices have a candidate beside them, for every seed.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1: a row of A times a column of C is the number of bits that
//          a row of a tile and a word of candidates share; phase 3 asks only whether it is above 0.
// Reads:   chunks of tiles (workers/graph/tiles/tile-format.ts) that picks names, openAny, candsAny, cands.
// Writes:  hits, by atomic or; counters[statistics]: tiles looked at in the index, and tiles whose bits were read.
// Invariant: a tile is read only where one of its columns may hold a candidate and one of its rows is open; whatever else a row
//          hits does not matter, as it is decided. Or has no order, so no result depends on timing.

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

const WORKGROUP = 256u;
const ROWS = 16u;
const SEEDS = 16u;
// 256 row blocks lie in at most this many words of 32 vertices.
const SEGMENTS = 129u;
// Tiles whose words are asked for before the first is looked at.
const AHEAD = 4u;

var<workgroup> total: u32;
var<workgroup> needed: atomic<u32>;
var<workgroup> count: u32;
var<workgroup> slots: array<u32, WORKGROUP>;
var<workgroup> columns: array<u32, WORKGROUP>;
var<workgroup> rows: array<u32, WORKGROUP>;
var<workgroup> gathered: array<atomic<u32>, SEGMENTS * SEEDS>;

fn visit(word: u32, at: u32, row: u32, firstSegment: u32) {
  if (word == 0u) { return; }
  let block = rows[at];
  let bit = 1u << ((block & 1u) * ROWS + row);
  let place = (block / 2u - firstSegment) * params.seeds;
  let column = columns[at] * params.seeds;
  for (var seed = 0u; seed < params.seeds; seed++) {
    if ((word & cands[column + seed]) != 0u) { atomicOr(&gathered[place + seed], bit); }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { total = atomicLoad(&counters[params.picked]); }
  let chunks = workgroupUniformLoad(&total);
  let row = lane % ROWS;
  var looked = 0u;
  var read = 0u;
  for (var item = group.x; item < chunks; item += groups.x) {
    let record = records[picks[item]];
    let firstSegment = record.z / 2u;
    let words = (record.w / 2u - firstSegment + 1u) * params.seeds;
    for (var at = lane; at < words; at += WORKGROUP) { atomicStore(&gathered[at], 0u); }
    if (lane == 0u) { atomicStore(&needed, 0u); }
    workgroupBarrier();
    if (lane < record.y) {
      let index = record.x + ROWS * record.y + 2u * lane;
      let column = data[index];
      let summary = data[index + 1u];
      let block = record.z + (summary >> 24u);
      let openRows = (openAny[block / 2u] >> ((block & 1u) * ROWS)) & 0xffffu;
      let candidates = candsAny[column];
      let inColumns = summary & (candidates | (candidates >> 16u)) & 0xffffu;
      let inRows = (summary >> 16u) & (openRows | (openRows >> 8u)) & 0xffu;
      if (inColumns != 0u && inRows != 0u) {
        let at = atomicAdd(&needed, 1u);
        slots[at] = record.x + ROWS * lane;
        columns[at] = column;
        rows[at] = block;
      }
    }
    workgroupBarrier();
    if (lane == 0u) { count = atomicLoad(&needed); }
    let tiles = workgroupUniformLoad(&count);
    looked += record.y;
    read += tiles;
    const STEP = WORKGROUP / ROWS;
    for (var at = lane / ROWS; at < tiles; at += AHEAD * STEP) {
      var ahead = array<u32, AHEAD>();
      for (var i = 0u; i < AHEAD; i++) {
        if (at + i * STEP < tiles) { ahead[i] = data[slots[at + i * STEP] + row]; }
      }
      for (var i = 0u; i < AHEAD; i++) {
        if (at + i * STEP < tiles) { visit(ahead[i], at + i * STEP, row, firstSegment); }
      }
    }
    workgroupBarrier();
    for (var at = lane; at < words; at += WORKGROUP) {
      let bits = atomicLoad(&gathered[at]);
      if (bits != 0u) { atomicOr(&hits[firstSegment * params.seeds + at], bits); }
    }
    workgroupBarrier();
  }
  if (lane == 0u && looked != 0u) {
    atomicAdd(&counters[params.statistics], looked);
    atomicAdd(&counters[params.statistics + 1u], read);
  }
}
