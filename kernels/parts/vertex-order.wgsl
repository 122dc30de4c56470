// Purpose: which of two vertices comes first. A part of the kernels of mis/ that visit lists.
// Source:  ECL-MIS (TOPC 2018, section 3.3): one load and one comparison of codes settle nearly every neighbour.
// Parts:   vertex-states.wgsl, vertex-hash.wgsl.
// Reads:   params.order, params.shift, ends, column, states.

const BY_DEGREE = 0u;
const BY_ECL = 1u;
const BY_COLUMN = 3u;

fn startOf(v: u32) -> u32 {
  if (v == 0u) { return 0u; }
  return ends[v - 1u];
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
  return shiftedHash(u + params.shift) > shiftedHash(v + params.shift);
}

// Whether v, of code `mine`, waits for or loses to its neighbour u, of state `code`.
fn blocks(u: u32, code: u32, v: u32, mine: u32) -> bool {
  return code > mine || (code == mine && precedes(u, v));
}
