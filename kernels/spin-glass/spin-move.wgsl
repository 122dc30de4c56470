// Purpose: gathers the spins of listed vertices, to be sent, or puts received ones where they belong.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 2: boundaries are exchanged while the bulk is updated.
// Reads:   list [at, at + count).
// Writes:  box [0, count) from spins, or spins from box where isReceived.

struct Params { at: u32, count: u32, isReceived: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> spins: array<u32>;
@group(0) @binding(3) var<storage, read_write> box: array<u32>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i >= params.count) { return; }
  let v = list[params.at + i];
  if (params.isReceived == 1u) { spins[v] = box[i]; } else { box[i] = spins[v]; }
}
