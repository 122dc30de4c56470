// Purpose: phase 2 in plain integers: which vertices have a candidate beside them, for every seed.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1: a row of A times a column of C is the number of bits that
//          a row of a tile and a word of candidates share; phase 3 asks only whether it is above 0. Section 3.2: what is decided
//          is left out.
// Reads:   records of the batch's chunks (first word, tiles, first row block, last row block), chunks of tiles
//          (workers/graph/tiles/tile-format.ts), openAny, candsAny, cands, counters[previous].
// Writes:  hits, by atomic or; counters[statistics]: tiles looked at in the index, and tiles whose bits were read.
// Invariant: chunks without an open row are passed over; a tile is read only where one of its columns may hold a candidate and one
//          of its rows is open; whatever else a row hits does not matter, as it is decided. Or has no order, so no result
//          depends on timing. Four threads share a tile, four rows each. Between barriers every load is independent of the tile
//          before it, and absent tiles load word 0, so that many tiles are on their way at once: that is what the rate depends on.

struct Params { chunks: u32, seeds: u32, previous: u32, statistics: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> data: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> openAny: array<u32>;
@group(0) @binding(4) var<storage, read> candsAny: array<u32>;
@group(0) @binding(5) var<storage, read> cands: array<u32>;
@group(0) @binding(6) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const ROWS = 16u;
const QUARTERS = 4u;
const STEP = WORKGROUP / QUARTERS;

var<workgroup> picks: array<vec4<u32>, WORKGROUP>;
var<workgroup> picked: atomic<u32>;
var<workgroup> looked: atomic<u32>;
var<workgroup> needed: atomic<u32>;

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

// A tile that may matter, for the thread that has four of its rows.
struct Tile {
  // Where its four rows are.
  at: u32,
  column: u32,
  block: u32,
  // Candidates among its columns over all seeds; 0 where it need not be read.
  asked: u32,
}

fn tileOf(record: vec4<u32>, slot: u32, quarter: u32) -> Tile {
  let isThere = slot < record.y;
  let first = record.x / 4u;
  let both = data[select(0u, first + QUARTERS * record.y + slot / 2u, isThere)];
  let column = select(both.x, both.z, (slot & 1u) == 1u);
  let summary = select(0u, select(both.y, both.w, (slot & 1u) == 1u), isThere);
  let block = select(0u, record.z + (summary >> 24u), isThere);
  let openRows = (openAny[block / 2u] >> ((block & 1u) * ROWS)) & 0xffffu;
  let isOpen = ((summary >> 16u) & (openRows | (openRows >> 8u)) & 0xffu) != 0u;
  let candidates = candsAny[select(0u, column, isOpen)];
  let isAsked = isOpen && (summary & (candidates | (candidates >> 16u)) & 0xffffu) != 0u;
  return Tile(first + QUARTERS * slot + quarter, column, block, select(0u, candidates, isAsked));
}

fn rowsOf(tile: Tile) -> vec4<u32> { return data[select(0u, tile.at, tile.asked != 0u)]; }

fn mark(words: vec4<u32>, candidates: u32, shift: u32, at: u32) {
  let shared4 = select(vec4(0u), vec4(1u, 2u, 4u, 8u), (words & vec4(candidates)) != vec4(0u));
  let bits = shared4.x | shared4.y | shared4.z | shared4.w;
  if (bits != 0u) { atomicOr(&hits[at], bits << shift); }
}

fn visit(tile: Tile, words: vec4<u32>, quarter: u32) {
  if (tile.asked == 0u) { return; }
  let shift = (tile.block & 1u) * ROWS + 4u * quarter;
  let segment = tile.block / 2u;
  if (params.seeds == 1u) {
    mark(words, tile.asked, shift, segment);
    return;
  }
  if (all(words == vec4(0u))) { return; }
  for (var seed = 0u; seed < params.seeds; seed++) {
    mark(words, cands[tile.column * params.seeds + seed], shift, segment * params.seeds + seed);
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let quarter = lane % QUARTERS;
  let slot = lane / QUARTERS;
  for (var base = group.x; base < params.chunks; base += groups.x * WORKGROUP) {
    let chunk = base + lane * groups.x;
    if (chunk < params.chunks && atomicLoad(&counters[params.previous]) != 0u) {
      let record = records[chunk];
      if (hasOpenRow(record.z, record.w)) {
        picks[atomicAdd(&picked, 1u)] = record;
        atomicAdd(&looked, record.y);
      }
    }
    workgroupBarrier();
    let chunks = atomicLoad(&picked);
    var asked = 0u;
    for (var item = 0u; item < chunks; item++) {
      let record = picks[item];
      let a = tileOf(record, slot, quarter);
      let b = tileOf(record, slot + STEP, quarter);
      let c = tileOf(record, slot + 2u * STEP, quarter);
      let d = tileOf(record, slot + 3u * STEP, quarter);
      if ((a.asked | b.asked | c.asked | d.asked) == 0u) { continue; }
      let ofA = rowsOf(a);
      let ofB = rowsOf(b);
      let ofC = rowsOf(c);
      let ofD = rowsOf(d);
      visit(a, ofA, quarter);
      visit(b, ofB, quarter);
      visit(c, ofC, quarter);
      visit(d, ofD, quarter);
      asked += u32(a.asked != 0u) + u32(b.asked != 0u) + u32(c.asked != 0u) + u32(d.asked != 0u);
    }
    if (quarter == 0u && asked != 0u) { atomicAdd(&needed, asked); }
    workgroupBarrier();
    if (lane == 0u) { atomicStore(&picked, 0u); }
    workgroupBarrier();
  }
  if (lane == 0u && atomicLoad(&looked) != 0u) {
    atomicAdd(&counters[params.statistics], atomicLoad(&looked));
    atomicAdd(&counters[params.statistics + 1u], atomicLoad(&needed));
  }
}
