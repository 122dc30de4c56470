// Purpose: answers the queries of another worker: returns each requester whose vertex is out.
// Source:  MG-MIS (ICS 2025), algorithm 6 (prepareResponse).
// Reads:   received: `count` pairs <requester, own vertex> from word `begin` on; states.
// Writes:  send: requesters, from word `into` on; counters[counter]: how many.
// Invariant: no more answers than queries: they have room where the queries had.

struct Params { count: u32, origin: u32, begin: u32, into: u32, counter: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> states: array<u32>;
@group(0) @binding(2) var<storage, read> received: array<u32>;
@group(0) @binding(3) var<storage, read_write> send: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const OUT = 2u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;    // line 1
  if (index < params.count) {                                       // line 2
    let requester = received[params.begin + 2u * index];             // line 3
    let at = received[params.begin + 2u * index + 1u] - params.origin;   // line 4
    if (((states[at / PER_WORD] >> ((at % PER_WORD) * 2u)) & 3u) == OUT) {   // line 5
      let slot = atomicAdd(&counters[params.counter], 1u);          // line 6
      send[params.into + slot] = requester;                         // line 8
    }
  }
}
