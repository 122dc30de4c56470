// Purpose: sets vertices out that have a member on another worker beside them.
// Source:  MG-MIS (ICS 2025), algorithm 4 (setVerticesToOut).
// Reads:   received [0, count): ids of own vertices, some more than once.
// Writes:  states of these vertices.
// Invariant: a state only gains bits.

const PER_WORD = 16u;
const OUT = 2u;

fn each(index: u32, lane: u32) {                                    // line 1
  if (index < params.count) {                                       // line 2
    let at = received[index] - params.origin;                       // line 3
    atomicOr(&states[at / PER_WORD], OUT << ((at % PER_WORD) * 2u));   // line 4
  }
}
