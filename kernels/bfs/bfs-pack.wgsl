// Purpose: sets the bits of listed vertices: a list becomes a bitmap, to be sent or to be looked up.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.3: an atomic "or" for each vertex of the list.
// Reads:   list [0, count).
// Writes:  bits.

fn each(i: u32, lane: u32) {
  if (i >= params.count) { return; }
  let v = list[i];
  atomicOr(&bits[v / 32u], 1u << (v % 32u));
}
