// Purpose: phase 2 in plain integers for several seeds: which vertices have a candidate beside them, under each. Same result as tc-counts.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1: a row of A times a column of C is the number of bits that
//          a row of a tile and a word of candidates share; phase 3 asks only whether it is above 0. Section 3.2: what is decided
//          is left out.
// Reads:   records of the batch's chunks (first word, tiles, first row block, last row block), chunks of tiles
//          (workers/graph/tiles/tile-format.ts), openAny, candsAny, cands, counters[previous].
// Writes:  hits, by atomic or; counters[statistics]: tiles looked at in the index, and tiles whose bits were read.
// Invariant: chunks without an open row are passed over; a tile is read only where one of its columns may hold a candidate and one
//          of its rows is open. Rows that are decided may be left out of hits. Or has no order, so no result depends on timing.
//          A thread has a tile of each chunk, and no barrier stands between tiles: while one subgroup waits, the others load.

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
// Fours of words that the bits of a tile take.
const FOURS = 4u;

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

struct Tile {
  // Where its bits are.
  at: u32,
  column: u32,
  block: u32,
  openRows: u32,
  // Candidates among its columns over all seeds; 0 where it need not be read.
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

fn mark(tile: Tile, rows: array<vec4<u32>, 4>, candidates: u32, seed: u32) {
  let bits = tile.openRows & (touched(rows[0], candidates) | (touched(rows[1], candidates) << 4u) |
                              (touched(rows[2], candidates) << 8u) | (touched(rows[3], candidates) << 12u));
  if (bits != 0u) { atomicOr(&hits[(tile.block / 2u) * params.seeds + seed], bits << ((tile.block & 1u) * ROWS)); }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  for (var base = group.x; base < params.chunks; base += groups.x * WORKGROUP) {
    let chunk = base + lane * groups.x;
    // Asked for with the counter, not after it.
    let record = records[min(chunk, params.chunks - 1u)];
    if (chunk < params.chunks && atomicLoad(&counters[params.previous]) != 0u) {
      if (hasOpenRow(record.z, record.w)) {
        picks[atomicAdd(&picked, 1u)] = record;
        atomicAdd(&looked, record.y);
      }
    }
    workgroupBarrier();
    let chunks = atomicLoad(&picked);
    var asked = 0u;
    var next = data[indexAt(picks[0], lane)];
    for (var item = 0u; item < chunks; item++) {
      let record = picks[item];
      let both = next;
      // Past the last chunk that one is asked for again. What comes is not touched before the next turn, so that nobody waits.
      next = data[indexAt(picks[min(item + 1u, chunks - 1u)], lane)];
      let tile = tileOf(record, lane, both);
      if (tile.asked == 0u) { continue; }
      let rows = array(data[tile.at], data[tile.at + 1u], data[tile.at + 2u], data[tile.at + 3u]);
      asked++;
      for (var seed = 0u; seed < params.seeds; seed++) {
        mark(tile, rows, cands[tile.column * params.seeds + seed], seed);
      }
    }
    if (asked != 0u) { atomicAdd(&needed, asked); }
    workgroupBarrier();
    if (lane == 0u) { atomicStore(&picked, 0u); }
    workgroupBarrier();
  }
  if (lane == 0u && atomicLoad(&looked) != 0u) {
    atomicAdd(&counters[params.statistics], atomicLoad(&looked));
    atomicAdd(&counters[params.statistics + 1u], atomicLoad(&needed));
  }
}
