// Purpose: the result in the graph's own order: bit v of `members` says whether vertex v is in the set.
// Source:  the last step of ECL-MIS (TOPC 2018, section 3.1), which reads "in" off the status byte; here the states stand in
//          the order of the view, so each position looks up its vertex.
// Reads:   states of the positions [first, first + count), vertices: which vertex stands at each of them.
// Writes:  the bits in `members` of those that are in.
// Invariant: a bit that is set stays set; every vertex stands at one position.

struct Params { first: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> states: array<u32>;
@group(0) @binding(2) var<storage, read> vertices: array<u32>;
@group(0) @binding(3) var<storage, read_write> members: array<atomic<u32>>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const IN = 1u;
const BITS = 32u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i >= params.count) { return; }
  let p = params.first + i;
  let state = (states[p / PER_WORD] >> ((p % PER_WORD) * 2u)) & 3u;
  if (state != IN) { return; }
  let v = vertices[i];
  atomicOr(&members[v / BITS], 1u << (v % BITS));
}
