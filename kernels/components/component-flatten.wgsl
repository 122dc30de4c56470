// Purpose: points every vertex at the root of its tree, the least vertex of its component.
// Source:  ECL-CC (HPDC 2018), its last phase.
// Writes:  parents.
// Invariant: no link is under way: roots stay.

struct Params { vertices: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> parents: array<atomic<u32>>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let v = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (v < params.vertices) { atomicStore(&parents[v], rootOf(v)); }
}
