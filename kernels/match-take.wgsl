// Purpose: takes pointers that were found elsewhere: by the host in entries that the device does not have, or by other workers.
// Source:  LD-GPU (SC 2024), Algorithm 2, line 7 (the reduction of pointers), of what changed alone.
// Reads:   updates: `count` pairs (vertex, pointer).
// Writes:  pointers of these vertices; at `changed` the same pairs (counters[round + CHANGED]); where `waits` is 1, the vertices are of
//          the batch at `first` and go to its list at `listOut` (counters[waitOut]).
// Invariant: every vertex stands in the updates of a round at most once.

struct Params {
  count: u32, first: u32, waits: u32, listOut: u32, capacity: u32, waitOut: u32, changed: u32, changedCapacity: u32, round: u32
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read> updates: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> lists: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const CHANGED = 0u;

var<workgroup> bases: array<u32, 2>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let start = (group.y * groups.x + group.x) * WORKGROUP;
  if (lane == 0u && start < params.count) {
    let part = min(WORKGROUP, params.count - start);
    bases[0] = atomicAdd(&counters[params.round + CHANGED], part);
    if (params.waits == 1u) { bases[1] = atomicAdd(&counters[params.waitOut], part); }
  }
  workgroupBarrier();
  let at = start + lane;
  if (at >= params.count) { return; }
  let update = updates[at];
  pointers[update.x] = update.y;
  let change = bases[0] + lane;
  if (change < params.changedCapacity) {
    lists[params.changed + 2u * change] = update.x;
    lists[params.changed + 2u * change + 1u] = update.y;
  }
  let place = bases[1] + lane;
  if (params.waits == 1u && place < params.capacity) { lists[params.listOut + place] = update.x - params.first; }
}
