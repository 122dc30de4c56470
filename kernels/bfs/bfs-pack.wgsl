// Purpose: sets the bits of listed vertices: a list becomes a bitmap, to be sent or to be looked up.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.3: an atomic "or" for each vertex of the list.
// Reads:   list [0, count).
// Writes:  bits.

struct Params { count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> bits: array<atomic<u32>>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i >= params.count) { return; }
  let v = list[i];
  atomicOr(&bits[v / 32u], 1u << (v % 32u));
}
