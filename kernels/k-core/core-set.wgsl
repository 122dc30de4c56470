// Purpose: takes bounds that other workers lowered.
// Source:  Montresor, De Pellegrini, Miorandi, PODC 2011, Algorithm 1.
// Reads:   changes [0, 2 count): a vertex and its bound, in turn.
// Writes:  cores.

struct Params { count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> changes: array<u32>;
@group(0) @binding(2) var<storage, read_write> cores: array<u32>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i < params.count) { cores[changes[2u * i]] = changes[2u * i + 1u]; }
}
