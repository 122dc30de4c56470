// Purpose: the parents of the vertices at a level: each vertex of the frontier offers itself to its neighbours, which keep the least.
// Source:  Graph500 specification 2.0, kernel 2 (a tree of parents); the least one makes the tree the same on every device.
// Reads:   queue [0, count): the frontier, of which those in [first, first + rows) have their lists in offsets and targets; levels of all vertices.
// Writes:  parents of all vertices, NONE before.

fn look(v: u32, u: u32) -> bool {
  if (levels[v] == params.level) { atomicMin(&parents[v], u); }
  return true;
}

// Of a vertex of the frontier; one before the batch wraps around.
fn rowOf(i: u32) -> u32 {
  if (i >= params.count) { return params.rows; }
  return queue[i] - params.first;
}
