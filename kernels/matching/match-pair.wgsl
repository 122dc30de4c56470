// Purpose: the matching phase: mutual pointers match.
// Source:  LD-GPU (SC 2024), Algorithm 1, lines 7-10.
// Reads:   list [0, counters[length]), or all of [0, count) where length is NONE; pointers.
// Writes:  matched. The pointer of a matched vertex is its mate.

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let isListed = params.length != NONE;
  var vertices = params.count;
  if (isListed) { vertices = atomicLoad(&counters[params.length]); }
  let stride = groups.x * groups.y * WORKGROUP;
  for (var i = (group.y * groups.x + group.x) * WORKGROUP + lane; i < vertices; i += stride) {
    var v = i;
    if (isListed) { v = list[i]; }
    let mate = pointers[v];
    if (mate != NONE && pointers[mate] == v) { atomicOr(&matched[v / 32u], 1u << (v % 32u)); }
  }
}
