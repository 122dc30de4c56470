// Purpose: the parent of every vertex that has none yet: its first neighbour that is one level nearer to the root.
// Source:  Graph500 specification 2.0, kernel 2 (a tree of parents); the least one makes the tree the same on every device.
// Reads:   levels of all vertices; the lists of [first, first + rows).
// Writes:  parents [first - base, first - base + rows), NONE before: NONE where the list has none; the root's is itself.

fn isWanted(u: u32, level: u32) -> bool { return levels[u] == level; }

fn each(row: u32, lane: u32) {
  let v = params.first + row;
  let isDue = row < params.rows && parents[v - params.base] == NONE;
  var level = NONE;
  if (isDue) { level = levels[v]; }
  let place = firstPlace(lane, level != NONE && level != 0u, row, level - 1u);
  if (!isDue) { return; }
  var parent = NONE;
  if (level == 0u) { parent = v; }
  else if (place != NONE) { parent = targets[place]; }
  parents[v - params.base] = parent;
}
