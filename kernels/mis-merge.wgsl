// Purpose: takes over what other workers decided since the last exchange.
// Source:  MG-MIS (ICS 2025, section 3.2), with replicated states in place of questions and answers.
// Reads:   changes [0, count): a word of the states, and the bits that it gained.
// Writes:  these words.
// Invariant: a state only gains bits; each word stands in the list at most once, and no sweep runs beside.

struct Params { count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<u32>;
@group(0) @binding(2) var<storage, read> changes: array<vec2<u32>>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (index >= params.count) { return; }
  let change = changes[index];
  states[change.x] |= change.y;
}
