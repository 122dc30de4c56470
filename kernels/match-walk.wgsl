// Purpose: ends the long searches of a pointing phase, a workgroup each: its threads look at consecutive entries of a list.
// Source:  LD-GPU (SC 2024), Algorithm 3, lines 5-8 (a warp per vertex); the first available entry is the greatest, so the reduction
//          is a minimum of places.
// Reads:   lists at `walks`: counters[waitOut + WALKS] pairs (vertex of the batch, cursor), at most walkCapacity; tails; matched.
// Writes:  what match-point writes for a vertex that goes on: its pointer and cursor, listOut, changed and their counters.
// Invariant: as in match-point; every search is one workgroup's.

struct Params {
  first: u32, own: u32, listOut: u32, capacity: u32, waitOut: u32, changed: u32, changedCapacity: u32, walks: u32,
  walkCapacity: u32, round: u32
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(3) var<storage, read> matched: array<u32>;
@group(0) @binding(4) var<storage, read> tailOffsets: array<u32>;
@group(0) @binding(5) var<storage, read> tails: array<u32>;
@group(0) @binding(6) var<storage, read_write> lists: array<u32>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 64u;
const NONE = 0xffffffffu;
const HEAD_WIDTH = 2u;
const CHANGED = 0u;
const ARCS = 2u;
const WALKS = 1u;

var<workgroup> length: u32;
var<workgroup> nearest: atomic<u32>;
var<workgroup> found: u32;
// The search at hand: vertex of the batch, cursor, start of its tail, entries of its list.
var<workgroup> search: vec4<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { length = min(atomicLoad(&counters[params.waitOut + WALKS]), params.walkCapacity); }
  let total = workgroupUniformLoad(&length);
  for (var at = group.x; at < total; at += groups.x) {
    if (lane == 0u) {
      let vertex = lists[params.walks + 2u * at];
      let start = tailOffsets[vertex];
      let cursor = lists[params.walks + 2u * at + 1u];
      search = vec4<u32>(vertex, cursor, start, HEAD_WIDTH + tailOffsets[vertex + 1u] - start);
    }
    let walk = workgroupUniformLoad(&search);
    let i = walk.x;
    let begun = walk.y;
    let tail = walk.z;
    let entries = walk.w;
    var best = NONE;
    for (var cursor = begun; cursor < entries; cursor += WORKGROUP) {
      if (lane == 0u) { atomicStore(&nearest, NONE); }
      workgroupBarrier();
      if (cursor + lane < entries) {
        let entry = tails[tail + cursor + lane - HEAD_WIDTH];
        // What the order leaves out stands at the end as NONE.
        if (entry != NONE && ((matched[entry / 32u] >> (entry % 32u)) & 1u) == 0u) { atomicMin(&nearest, cursor + lane); }
      }
      workgroupBarrier();
      if (lane == 0u) { found = atomicLoad(&nearest); }
      best = workgroupUniformLoad(&found);
      if (best != NONE) { break; }
    }
    if (lane == 0u) {
      cursors[params.own + i] = min(best, entries);
      atomicAdd(&counters[params.round + ARCS], select(best + 1u, entries, best == NONE) - begun);
      if (best != NONE) {
        let entry = tails[tail + best - HEAD_WIDTH];
        pointers[params.first + i] = entry;
        let place = atomicAdd(&counters[params.waitOut], 1u);
        if (place < params.capacity) { lists[params.listOut + place] = i; }
        let change = atomicAdd(&counters[params.round + CHANGED], 1u);
        if (change < params.changedCapacity) {
          lists[params.changed + 2u * change] = params.first + i;
          lists[params.changed + 2u * change + 1u] = entry;
        }
      }
    }
    workgroupBarrier();
  }
}
