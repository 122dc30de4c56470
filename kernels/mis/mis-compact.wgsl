// Purpose: compacts the pool, so that the host reads only what still waits.
// Source:  the residual graph of mis-visit.wgsl.
// Part:    parts/vertex-states.wgsl.
// Reads:   recordsIn [0, counters[list]), pool, states, which nothing changes meanwhile.
// Writes:  recordsOut: the same records, their neighbours that are not out in `entries` from 0 on; counters[ENTRIES].
// Invariant: neighbours without room are counted, not copied.

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let total = min(atomicLoad(&counters[params.list]), arrayLength(&recordsIn));
  for (var at = group.x * WORKGROUP + lane; at < total; at += groups.x * WORKGROUP) {
    let record = recordsIn[at];
    var length = 0u;
    for (var i = record.y; i < record.z; i++) { length += select(0u, 1u, stateOf(pool[i]) != OUT); }
    let start = atomicAdd(&counters[ENTRIES], length);
    if (start + length <= arrayLength(&entries)) {
      var place = start;
      for (var i = record.y; i < record.z; i++) {
        let u = pool[i];
        if (stateOf(u) != OUT) { entries[place] = u; place++; }
      }
    }
    recordsOut[at] = vec4<u32>(record.x, start, start + length, record.w);
  }
}
