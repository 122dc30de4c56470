// Purpose: merges states decided by other workers.
// Source:  MG-MIS (ICS 2025, section 3.2), with replicated states in place of queries and responses.
// Reads:   packed [0, count) of vertices [16 first, 16 (first + count)): two bits each: 1 in, 2 out, 0 undecided.
// Writes:  states of these vertices.
// Invariant: what is in or out stays so; no sweep runs beside.

struct Params { first: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> packed: array<u32>;
@group(0) @binding(2) var<storage, read_write> states: array<u32>;

const WORKGROUP = 256u;
const WORDS = 4u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (index >= params.count) { return; }
  let pairs = packed[index];
  if (pairs == 0u) { return; }
  for (var word = 0u; word < WORDS; word++) {
    let place = WORDS * (params.first + index) + word;
    if (place >= arrayLength(&states)) { return; }
    let before = states[place];
    var after = before;
    for (var i = 0u; i < 4u; i++) {
      let state = (pairs >> (8u * word + 2u * i)) & 3u;
      if (state == 1u) { after |= 0xffu << (8u * i); }
      if (state == 2u) { after &= ~(0xffu << (8u * i)); }
    }
    if (after != before) { states[place] = after; }
  }
}
