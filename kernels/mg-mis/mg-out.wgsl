// Purpose: sets vertices out that have a member on another worker beside them.
// Source:  MG-MIS (ICS 2025), algorithm 4 (setVerticesToOut).
// Reads:   received [0, count): ids of own vertices, some more than once.
// Writes:  states of these vertices.
// Invariant: a state only gains bits.

struct Params { count: u32, origin: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> received: array<u32>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const OUT = 2u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;    // line 1
  if (index < params.count) {                                       // line 2
    let at = received[index] - params.origin;                       // line 3
    atomicOr(&states[at / PER_WORD], OUT << ((at % PER_WORD) * 2u));   // line 4
  }
}
