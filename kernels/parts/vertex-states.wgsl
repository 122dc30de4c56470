// Purpose: the state of a vertex in a byte. A part of the kernels of mis/.
// Source:  ECL-MIS (TOPC 2018, section 3.3): 0 for out, 255 for in, else the priority code of an undecided vertex.
// Writes:  states, atomic words of four bytes.

const OUT = 0u;
const IN = 255u;

fn stateOf(v: u32) -> u32 {
  return (atomicLoad(&states[v >> 2u]) >> ((v & 3u) << 3u)) & 0xffu;
}

fn isDecided(code: u32) -> bool {
  return code == OUT || code == IN;
}

fn setIn(v: u32) {
  atomicOr(&states[v >> 2u], 0xffu << ((v & 3u) << 3u));
}

fn setOut(v: u32) {
  atomicAnd(&states[v >> 2u], ~(0xffu << ((v & 3u) << 3u)));
}
