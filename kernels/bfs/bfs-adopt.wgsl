// Purpose: the parents of the vertices at a level: each vertex of the frontier offers itself to its neighbours, which keep the least.
// Source:  Graph500 specification 2.0, kernel 2 (a tree of parents); the least one makes the tree the same on every device.
// Reads:   queue [0, count): the frontier, of which those in [first, first + rows) have their lists in offsets and targets; levels of all vertices.
// Writes:  parents of all vertices, NONE before.

struct Params { count: u32, first: u32, rows: u32, level: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> queue: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> levels: array<u32>;
@group(0) @binding(5) var<storage, read_write> parents: array<atomic<u32>>;

const WORKGROUP = 256u;
// Longer lists are scanned by the whole workgroup.
const SHORT = 64u;

var<workgroup> longs: atomic<u32>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;
var<workgroup> parent: array<u32, 256>;

fn look(v: u32, u: u32) {
  if (levels[v] == params.level) { atomicMin(&parents[v], u); }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  var row = params.rows;
  if (i < params.count) { row = queue[i] - params.first; }
  // A vertex before the batch wraps around.
  if (row < params.rows) {
    let begin = offsets[row];
    let end = offsets[row + 1u];
    if (end - begin > SHORT) {
      let slot = atomicAdd(&longs, 1u);
      begins[slot] = begin;
      ends[slot] = end;
      parent[slot] = queue[i];
    } else {
      for (var at = begin; at < end; at++) { look(targets[at], queue[i]); }
    }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    for (var at = begins[slot] + lane; at < ends[slot]; at += WORKGROUP) { look(targets[at], parent[slot]); }
  }
}
