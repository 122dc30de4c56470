// Purpose: statuses as states of two bits, to exchange, to keep, or as the result.
// Source:  MG-MIS (ICS 2025, section 3.2), with replicated states in place of questions and answers.
// Reads:   status of vertices [16 first, 16 (first + count)).
// Writes:  states [0, count): of each vertex 1 for in, 2 for out, 0 while it is undecided.
// Invariant: vertices behind the last have the status out.

struct Params { first: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> status: array<u32>;
@group(0) @binding(2) var<storage, read_write> states: array<u32>;

const WORKGROUP = 256u;
const WORDS = 4u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (index >= params.count) { return; }
  var packed = 0u;
  for (var word = 0u; word < WORDS; word++) {
    let place = WORDS * (params.first + index) + word;
    var four = 0u;
    if (place < arrayLength(&status)) { four = status[place]; }
    for (var i = 0u; i < 4u; i++) {
      let code = (four >> (8u * i)) & 0xffu;
      packed |= select(select(0u, 2u, code == 0u), 1u, code == 255u) << (8u * word + 2u * i);
    }
  }
  states[index] = packed;
}
