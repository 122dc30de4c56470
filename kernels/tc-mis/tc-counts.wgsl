// Purpose: phase 2 in plain integers: which vertices have a candidate beside them, under each seed.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 12, and Listing 1: a row of A times a column of C is the number of bits that
//          a row of a tile and a word of candidates share; phase 3 asks only whether it is above 0. Section 3.2: what is decided
//          is left out.
// Part:    parts/tiles.wgsl: which tiles must be read.
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

var<workgroup> picks: array<vec4<u32>, WORKGROUP>;
var<workgroup> picked: atomic<u32>;
var<workgroup> looked: atomic<u32>;
var<workgroup> needed: atomic<u32>;

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
