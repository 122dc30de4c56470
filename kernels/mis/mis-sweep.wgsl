// Purpose: a sweep over the residual graph: each waiting vertex resumes at the neighbour where it stopped.
// Source:  ECL-MIS (TOPC 2018, section 3.1); passed neighbours stay out.
// Part:    parts/vertex-states.wgsl.
// Reads:   recordsIn [0, counters[listIn]), pool, states.
// Writes:  states of these vertices; recordsOut and counters[listOut]: those that still wait.
// Invariant: a vertex has at most one record, so only its own thread, or a neighbour that joins, changes its state.

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
// Before a vertex gives up for this sweep.
const PATIENCE = 4u;

var<workgroup> length: u32;
var<workgroup> waiting: atomic<u32>;
var<workgroup> base: u32;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { length = min(atomicLoad(&counters[params.listIn]), arrayLength(&recordsIn)); }
  let total = workgroupUniformLoad(&length);
  for (var start = group.x * WORKGROUP; start < total; start += groups.x * WORKGROUP) {
    var waits = false;
    var record = vec4<u32>(NONE, 0u, 0u, 0u);
    if (start + lane < total) { record = recordsIn[start + lane]; }
    let v = record.x;
    if (v != NONE && stateOf(v) != OUT) {
      var state = IN;
      var looks = 0u;
      while (record.y < record.z) {
        let code = stateOf(pool[record.y]);
        if (code == OUT) { record.y++; continue; }
        if (code == IN) { state = OUT; break; }
        looks++;
        if (looks > PATIENCE) { waits = true; break; }
      }
      if (!waits && state == IN) { setIn(v); }
      if (!waits && state == OUT) { setOut(v); }
    }
    if (lane == 0u) { atomicStore(&waiting, 0u); }
    workgroupBarrier();
    var slot = 0u;
    if (waits) { slot = atomicAdd(&waiting, 1u); }
    workgroupBarrier();
    if (lane == 0u) {
      let left = atomicLoad(&waiting);
      if (left != 0u) { base = atomicAdd(&counters[params.listOut], left); }
    }
    workgroupBarrier();
    if (waits) { recordsOut[base + slot] = record; }
  }
}
