// Purpose: answers the queries of another worker: returns each requester whose vertex is out.
// Source:  MG-MIS (ICS 2025), algorithm 6 (prepareResponse).
// Reads:   received: `count` pairs <requester, own vertex> from word `begin` on; states.
// Writes:  send: requesters, from word `into` on; counters[counter]: how many.
// Invariant: no more answers than queries: they have room where the queries had.

const PER_WORD = 16u;
const OUT = 2u;

fn each(index: u32, lane: u32) {                                    // line 1
  if (index < params.count) {                                       // line 2
    let requester = received[params.begin + 2u * index];             // line 3
    let at = received[params.begin + 2u * index + 1u] - params.origin;   // line 4
    if (((states[at / PER_WORD] >> ((at % PER_WORD) * 2u)) & 3u) == OUT) {   // line 5
      let slot = atomicAdd(&counters[params.counter], 1u);          // line 6
      send[params.into + slot] = requester;                         // line 8
    }
  }
}
