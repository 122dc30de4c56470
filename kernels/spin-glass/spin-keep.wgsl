// Purpose: keeps the spins of one replica, as bits.
// Reads:   spins of [first, first + count).
// Writes:  best: a bit a vertex from `first` on.

struct Params { first: u32, count: u32, replica: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> spins: array<u32>;
@group(0) @binding(2) var<storage, read_write> best: array<u32>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (32u * word >= params.count) { return; }
  var bits = 0u;
  for (var i = 0u; i < 32u && 32u * word + i < params.count; i++) {
    bits |= ((spins[params.first + 32u * word + i] >> params.replica) & 1u) << i;
  }
  best[word] = bits;
}
