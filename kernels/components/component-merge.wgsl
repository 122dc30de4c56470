// Purpose: joins the forests of two workers: a tree edge of one is an edge for the other.
// Source:  kernels/parts/union-find.wgsl; a forest has as many words as there are vertices, however many edges it stands for.
// Reads:   forest: parents by another worker's edges.
// Writes:  parents.

struct Params { vertices: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> forest: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<atomic<u32>>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let v = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (v < params.vertices && forest[v] != v) { link(v, forest[v]); }
}
