// Purpose: joins every vertex with its neighbours of smaller id, so that every edge is looked at once.
// Source:  ECL-CC (HPDC 2018), its first two phases in one; kernels/parts/union-find.wgsl.
// Reads:   the lists of [first, first + rows).
// Writes:  parents of all vertices, which begin as their own.

struct Params { first: u32, rows: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> parents: array<atomic<u32>>;

const WORKGROUP = 256u;
// Longer lists are joined by the whole workgroup.
const SHORT = 64u;

var<workgroup> longs: atomic<u32>;
var<workgroup> vertices: array<u32, 256>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (row < params.rows) {
    let v = params.first + row;
    let begin = offsets[row];
    let end = offsets[row + 1u];
    if (end - begin > SHORT) {
      let slot = atomicAdd(&longs, 1u);
      vertices[slot] = v;
      begins[slot] = begin;
      ends[slot] = end;
    } else {
      // Neighbours ascend.
      for (var at = begin; at < end && targets[at] < v; at++) { link(v, targets[at]); }
    }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    let v = vertices[slot];
    for (var at = begins[slot] + lane; at < ends[slot] && targets[at] < v; at += WORKGROUP) { link(v, targets[at]); }
  }
}
