// Purpose: takes pointers that were found by other workers.
// Source:  LD-GPU (SC 2024), Algorithm 2, line 7 (the reduction of pointers), of what changed alone.
// Reads:   updates: `count` pairs (vertex, pointer).
// Writes:  pointers of these vertices; at `changed` the same pairs (counters[round + CHANGED]).
// Invariant: every vertex stands in the updates of a round at most once.

struct Params { count: u32, changed: u32, changedCapacity: u32, round: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read> updates: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> lists: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const CHANGED = 0u;

var<workgroup> base: u32;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let start = (group.y * groups.x + group.x) * WORKGROUP;
  if (lane == 0u && start < params.count) {
    let part = min(WORKGROUP, params.count - start);
    base = atomicAdd(&counters[params.round + CHANGED], part);
  }
  workgroupBarrier();
  let at = start + lane;
  if (at >= params.count) { return; }
  let update = updates[at];
  pointers[update.x] = update.y;
  let change = base + lane;
  if (change < params.changedCapacity) {
    lists[params.changed + 2u * change] = update.x;
    lists[params.changed + 2u * change + 1u] = update.y;
  }
}
