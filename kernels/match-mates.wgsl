// Purpose: the matching phase: two vertices that point at each other are matched.
// Source:  LD-GPU (SC 2024), Algorithm 3, lines 10-13; only pointers that are new can make a pair.
// Reads:   pointers; lists at `changed`: counters[round + CHANGED] pairs (vertex, pointer), or all `count` vertices where they are more than
//          changedCapacity or `all` is 1.
// Writes:  matched: one bit a vertex.
// Invariant: nobody's pointer moves in this phase, and a matched vertex never moves again: the bits only gain.

struct Params { count: u32, changed: u32, changedCapacity: u32, round: u32, all: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pointers: array<u32>;
@group(0) @binding(2) var<storage, read_write> matched: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> lists: array<u32>;
@group(0) @binding(4) var<storage, read> counters: array<u32>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
const CHANGED = 0u;

var<workgroup> bits: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let stride = groups.x * groups.y * WORKGROUP;
  let first = (group.y * groups.x + group.x) * WORKGROUP;
  let changes = counters[params.round + CHANGED];
  if (params.all == 0u && changes <= params.changedCapacity) {
    for (var at = first + lane; at < changes; at += stride) {
      let v = lists[params.changed + 2u * at];
      let mate = lists[params.changed + 2u * at + 1u];
      if (mate == NONE || pointers[mate] != v) { continue; }
      atomicOr(&matched[v / 32u], 1u << (v % 32u));
      atomicOr(&matched[mate / 32u], 1u << (mate % 32u));
    }
    return;
  }
  for (var start = first; start < params.count; start += stride) {
    let v = start + lane;
    if (v < params.count) {
      let mate = pointers[v];
      if (mate != NONE && pointers[mate] == v) { atomicOr(&bits[lane / 32u], 1u << (lane % 32u)); }
    }
    workgroupBarrier();
    if (lane < 8u) {
      let gained = atomicExchange(&bits[lane], 0u);
      if (gained != 0u) { atomicOr(&matched[start / 32u + lane], gained); }
    }
    workgroupBarrier();
  }
}
