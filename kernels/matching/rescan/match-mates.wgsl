// Purpose: the matching phase: two vertices that point at each other are matched.
// Source:  LD-GPU (SC 2024), Algorithm 3, lines 10-13.
// Reads:   pointers of all `count` vertices.
// Writes:  matched: one bit a vertex.
// Invariant: no pointer moves in this phase, and a matched vertex never moves again: the bits only gain.

struct Params { count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pointers: array<u32>;
@group(0) @binding(2) var<storage, read_write> matched: array<atomic<u32>>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;

var<workgroup> bits: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let stride = groups.x * groups.y * WORKGROUP;
  let first = (group.y * groups.x + group.x) * WORKGROUP;
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
