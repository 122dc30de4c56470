// Purpose: packs states into two bits, to exchange, for checkpoints, and as the result.
// Source:  MG-MIS (ICS 2025, section 3.2), with replicated states in place of queries and responses.
// Reads:   states of vertices [16 first, 16 (first + count)).
// Writes:  packed [0, count): 1 in, 2 out, 0 undecided.
// Invariant: vertices behind the last are out.

struct Params { first: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> states: array<u32>;
@group(0) @binding(2) var<storage, read_write> packed: array<u32>;

const WORKGROUP = 256u;
const WORDS = 4u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (index >= params.count) { return; }
  var pairs = 0u;
  for (var word = 0u; word < WORDS; word++) {
    let place = WORDS * (params.first + index) + word;
    var four = 0u;
    if (place < arrayLength(&states)) { four = states[place]; }
    for (var i = 0u; i < 4u; i++) {
      let code = (four >> (8u * i)) & 0xffu;
      pairs |= select(select(0u, 2u, code == 0u), 1u, code == 255u) << (8u * word + 2u * i);
    }
  }
  packed[index] = pairs;
}
