// Purpose: vertices whose remote neighbour is out advance to the next remote neighbour.
// Source:  MG-MIS (ICS 2025), algorithm 7 (processResponse).
// Reads:   received [0, length): ids of own vertices, of any batch; offsets, targets.
// Writes:  remoteNbrIndex of the vertices of this batch.
// Invariant: a vertex asks once a round, so it is answered at most once.

struct Params { first: u32, count: u32, length: u32, origin: u32, low: u32, high: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> remoteNbrIndex: array<u32>;
@group(0) @binding(4) var<storage, read> received: array<u32>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;    // line 1
  if (index >= params.length) { return; }                           // line 2
  let at = received[index] - params.origin;                         // line 3
  if (at < params.first || at - params.first >= params.count) { return; }
  let i = at - params.first;
  let start = offsets[i];
  let degree = offsets[i + 1u] - start;
  var next = remoteNbrIndex[at] + 1u;
  for (; next < degree; next++) {
    let u = targets[start + next];
    if (u < params.low || u >= params.high) { break; }
  }
  remoteNbrIndex[at] = next;                                        // line 4
}
