// Purpose: vertices forget the picks that became partners or have no room any more.
// Source:  Khan and others, SIAM J. Sci. Comput. 38(5), 2016 (a vertex whose proposal was annulled looks for its next best neighbour).
// Reads:   residual of all vertices; of [first, first + rows) partners, of which the last fresh [v - low] came in this round, ascending by id.
// Writes:  pending and counts of these. counters[1]: vertices that continue; counters[2]: those of them that look at their lists again.

const EXHAUSTED = 0xffffffffu;

fn each(row: u32, lane: u32) {
  if (row >= params.rows) { return; }
  let v = params.first + row;
  let begin = starts[v];
  let room = residual[v];
  let end = starts[v + 1u] - room;
  var next = end - fresh[v - params.low];
  var kept = 0u;
  for (var k = 0u; k < counts[v]; k++) {
    let u = pending[begin + k];
    if (next < end && partners[next] == u) {
      next++;
      continue;
    }
    if (room > 0u && residual[u] > 0u) {
      pending[begin + kept] = u;
      kept++;
    }
  }
  counts[v] = kept;
  let looks = kept < room && cursors[v] != EXHAUSTED;
  if (looks) { atomicAdd(&counters[2u], 1u); }
  if (looks || kept > 0u) { atomicAdd(&counters[1], 1u); }
}
