// Purpose: a sweep over the residual graph: each vertex that waits goes through its neighbours from where it stopped.
// Source:  ECL-MIS (TOPC 2018, section 3.1); what was passed never matters again: who is out stays out.
// Reads:   recordsIn [0, counters[listIn]), pool, status.
// Writes:  the status of these vertices; recordsOut and counters[listOut]: those that still wait, and for which neighbour.
// Invariant: a vertex has one record at most, so only its own thread, or a neighbour that joins, changes its status.

struct Params { listIn: u32, listOut: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> recordsIn: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> pool: array<u32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> recordsOut: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const OUT = 0u;
const IN = 255u;
const NONE = 0xffffffffu;
// Looks at an undecided neighbour before a vertex gives up for this sweep.
const PATIENCE = 4u;

var<workgroup> length: u32;
var<workgroup> waiting: atomic<u32>;
var<workgroup> base: u32;

fn statusOf(v: u32) -> u32 {
  return (atomicLoad(&status[v >> 2u]) >> ((v & 3u) << 3u)) & 0xffu;
}

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
    if (v != NONE && statusOf(v) != OUT) {
      var state = IN;
      var looks = 0u;
      while (record.y < record.z) {
        let code = statusOf(pool[record.y]);
        if (code == OUT) { record.y++; continue; }
        if (code == IN) { state = OUT; break; }
        looks++;
        if (looks > PATIENCE) { waits = true; break; }
      }
      let shift = (v & 3u) << 3u;
      if (!waits && state == IN) { atomicOr(&status[v >> 2u], 0xffu << shift); }
      if (!waits && state == OUT) { atomicAnd(&status[v >> 2u], ~(0xffu << shift)); }
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
