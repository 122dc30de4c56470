// Purpose: the first visit of the undecided vertices of a batch with the shortest lists.
// Source:  ECL-MIS (TOPC 2018, section 3.1): a vertex joins when no neighbour of higher priority is undecided, and pushes "out" to all
//          neighbours.
// Reads:   targets from arc `origin` on: the lists of vertices [first, first + count); ends, states, column.
// Writes:  states; longs [0, counters[LONG]): vertices with more than `longer` neighbours. More than `shorter`: left to mis-visit.wgsl.
// Invariant: a state changes once, to in or out; a thread that reads the older one only waits longer.

fn each(index: u32, lane: u32) {
  if (index >= params.count) { return; }
  let v = params.first + index;
  let mine = stateOf(v);
  if (isDecided(mine)) { return; }
  let begin = startOf(v) - params.origin;
  let degree = ends[v] - params.origin - begin;
  if (degree > params.longer) { longs[atomicAdd(&counters[LONG], 1u)] = v; }
  if (degree <= params.shorter) { visit(v, begin, begin + degree, mine, false); }
}
