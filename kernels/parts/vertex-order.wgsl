// Purpose: the state of a vertex, and which of two vertices comes first. A part of the kernels of mis/.
// Source:  ECL-MIS (TOPC 2018, section 3.3): a byte is 0 for out, 255 for in, else the priority code of an undecided vertex: one load and
//          one comparison settle nearly every neighbour.
// Reads:   params.order, params.shift, ends, column, states.

const OUT = 0u;
const IN = 255u;
const BY_DEGREE = 0u;
const BY_ECL = 1u;
const BY_COLUMN = 3u;

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

fn startOf(v: u32) -> u32 {
  if (v == 0u) { return 0u; }
  return ends[v - 1u];
}

// A bijection: hashes never tie (TOPC 2018, section 3.2).
fn vertexHash(v: u32) -> u32 {
  var x = v + params.shift;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  return (x >> 16u) ^ x;
}

// Of two vertices with one code: whether u has the higher priority.
fn precedes(u: u32, v: u32) -> bool {
  if (params.order == BY_ECL) { return u > v; }
  if (params.order == BY_DEGREE) {
    let mine = ends[v] - startOf(v);
    let other = ends[u] - startOf(u);
    if (other != mine) { return other < mine; }
  }
  if (params.order == BY_COLUMN) {
    let mine = column[v];
    let other = column[u];
    if (other.y != mine.y) { return other.y > mine.y; }
    if (other.x != mine.x) { return other.x > mine.x; }
  }
  return vertexHash(u) > vertexHash(v);
}

// Whether v, of code `mine`, waits for or loses to its neighbour u, of state `code`.
fn blocks(u: u32, code: u32, v: u32, mine: u32) -> bool {
  return code > mine || (code == mine && precedes(u, v));
}
