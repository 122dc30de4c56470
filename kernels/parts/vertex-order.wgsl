// Purpose: the status of a vertex, and which of two vertices comes first. A part of the kernels of mis/, which it is put behind.
// Source:  ECL-MIS (TOPC 2018, section 3.3): one byte is 0 for a vertex that is out, 255 for one that is in, and the
//          priority of an undecided one in between, so that one load and one comparison settle nearly every neighbour.
// Reads:   params.order, params.shift, ends, column and status, as those declare them.

const OUT = 0u;
const IN = 255u;
const BY_DEGREE = 0u;
const BY_ECL = 1u;
const BY_COLUMN = 3u;

fn statusOf(v: u32) -> u32 {
  return (atomicLoad(&status[v >> 2u]) >> ((v & 3u) << 3u)) & 0xffu;
}

fn isDecided(code: u32) -> bool {
  return code == OUT || code == IN;
}

fn setIn(v: u32) {
  atomicOr(&status[v >> 2u], 0xffu << ((v & 3u) << 3u));
}

fn setOut(v: u32) {
  atomicAnd(&status[v >> 2u], ~(0xffu << ((v & 3u) << 3u)));
}

fn startOf(v: u32) -> u32 {
  if (v == 0u) { return 0u; }
  return ends[v - 1u];
}

// A bijection, so that hashes never tie (TOPC 2018, section 3.2).
fn vertexHash(v: u32) -> u32 {
  var x = v + params.shift;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  return (x >> 16u) ^ x;
}

// Of two vertices with one code, whether u has the higher priority.
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

// Whether v, whose code is mine, waits for its neighbour u, whose code is code, or loses to it.
fn blocks(u: u32, code: u32, v: u32, mine: u32) -> bool {
  return code > mine || (code == mine && precedes(u, v));
}
