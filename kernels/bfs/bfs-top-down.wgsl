// Purpose: expands the frontier: visits every neighbour of its vertices that was not visited.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.3; Beamer, Asanovic, Patterson, SC 2012, Figure 3.
// Reads:   queue [0, count): the frontier, of which those in [first, first + rows) have their lists in offsets and targets.
// Writes:  visited; of what was not visited: next and levels [v - low] of vertices [low, high), remote of all others; how many: counters.
// Invariant: a bit of visited is set once, and one invocation sets it: nothing is found twice.

const NEXT = 0u;
const REMOTE = 1u;

fn look(v: u32, u: u32) -> bool {
  let bit = 1u << (v % 32u);
  if ((atomicLoad(&visited[v / 32u]) & bit) != 0u) { return true; }
  if ((atomicOr(&visited[v / 32u], bit) & bit) != 0u) { return true; }
  if (v < params.low || v >= params.high) {
    remote[atomicAdd(&counters[REMOTE], 1u)] = v;
    return true;
  }
  levels[v - params.low] = params.level;
  next[atomicAdd(&counters[NEXT], 1u)] = v;
  return true;
}

// Of a vertex of the frontier; one before the batch wraps around.
fn rowOf(i: u32) -> u32 {
  if (i >= params.count) { return params.rows; }
  return queue[i] - params.first;
}
