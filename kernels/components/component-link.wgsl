// Purpose: joins every vertex with its neighbours of smaller id, so that every edge is looked at once.
// Source:  ECL-CC (HPDC 2018), its first two phases in one; kernels/parts/union-find.wgsl.
// Reads:   the lists of [first, first + rows).
// Writes:  parents of all vertices, which begin as their own.

fn look(u: u32, v: u32) -> bool {
  // Neighbours ascend.
  if (u >= v) { return false; }
  link(v, u);
  return true;
}

fn rowOf(i: u32) -> u32 { return i; }
