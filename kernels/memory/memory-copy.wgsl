// Purpose: measures memory: `copied` becomes `original`.
// Source:  the copy kernel of STREAM (McCalpin, 1995): one read and one write a word.
// Reads:   original, `count` words.
// Writes:  copied, `count` words.
// Invariant: a thread writes words i, i + stride, ... below `count`: none is written twice.

struct Params { count: u32, stride: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> original: array<u32>;
@group(0) @binding(2) var<storage, read_write> copied: array<u32>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let first = (group.y * groups.x + group.x) * WORKGROUP + lane;
  // A row of workgroups may be longer than there are threads to start.
  if (first >= params.stride) { return; }
  for (var i = first; i < params.count; i += params.stride) {
    copied[i] = original[i];
  }
}
