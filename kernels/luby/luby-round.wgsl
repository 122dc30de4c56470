// Purpose: half a round of Luby's algorithm: active vertices whose random priority is above those of all their active neighbours join;
//          then those beside a member are out.
// Source:  Luby, SIAM Journal on Computing 15(4), 1986, section 3.1, with priorities drawn anew in each round.
// Reads:   offsets, targets.
// Writes:  states: ACTIVE, IN or OUT, a word each; counters[0], in the second half: vertices that stay active.
// Invariant: the first half only turns ACTIVE to IN, the second only to OUT, which is not read: timing does not matter.

struct Params { vertices: u32, draw: u32, joins: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 128u;
const ACTIVE = 0u;
const IN = 1u;
const OUT = 2u;

// A bijection: no two vertices draw the same.
fn priority(v: u32) -> u32 {
  var x = v + params.draw;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  return (x >> 16u) ^ x;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let v = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (v >= params.vertices || atomicLoad(&states[v]) != ACTIVE) { return; }
  let own = priority(v);
  var isBeaten = false;
  for (var at = offsets[v]; at < offsets[v + 1u] && !isBeaten; at++) {
    let u = targets[at];
    let state = atomicLoad(&states[u]);
    isBeaten = state == IN || (params.joins == 1u && state == ACTIVE && priority(u) > own);
  }
  if (params.joins == 1u) {
    if (!isBeaten) { atomicStore(&states[v], IN); }
  } else if (isBeaten) { atomicStore(&states[v], OUT); }
  else { atomicAdd(&counters[0], 1u); }
}
