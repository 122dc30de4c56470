// Purpose: half a round of Luby's algorithm. First, an active vertex whose random priority is above those of all its active neighbours
//          joins; then, one beside a member is out.
// Source:  Luby, SIAM Journal on Computing 15(4), 1986, section 3.1, with priorities drawn anew in each round.
// Reads:   offsets, targets.
// Writes:  states: ACTIVE, IN or OUT, a word for each vertex. counters[0], in the second half: active vertices that are left.
// Invariant: in the first half states only go from ACTIVE to IN, and a neighbour that is IN joined just now, for it is above; in the second
//          half they only go to OUT, which is not looked at. So nothing depends on timing.

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

// A bijection of the 32-bit numbers, so that no two vertices draw the same.
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
