// Purpose: the result in the graph's own order: bit v of `members` says whether vertex v is in the set.
// Source:  the last step of ECL-MIS (TOPC 2018, section 3.1), which reads "in" off the status byte; here the states stand in
//          the order of the view, so each vertex looks up its position.
// Reads:   states, positions of the vertices [first, first + count).
// Writes:  words first / 32 ... of `members`, all bits of them.
// Invariant: `first` is a multiple of 32; a workgroup alone writes the words of its vertices.

struct Params { first: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> states: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<u32>;
@group(0) @binding(3) var<storage, read_write> members: array<u32>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const IN = 1u;
const BITS = 32u;

var<workgroup> bits: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let start = (group.y * groups.x + group.x) * WORKGROUP;
  let i = start + lane;
  if (i < params.count) {
    let p = positions[i];
    let state = (states[p / PER_WORD] >> ((p % PER_WORD) * 2u)) & 3u;
    if (state == IN) { atomicOr(&bits[lane / BITS], 1u << (lane % BITS)); }
  }
  workgroupBarrier();
  if (lane < WORKGROUP / BITS && start + lane * BITS < params.count) {
    members[(params.first + start) / BITS + lane] = atomicLoad(&bits[lane]);
  }
}
