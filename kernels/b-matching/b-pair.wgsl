// Purpose: two vertices that picked each other become partners.
// Source:  Khan and others, SIAM J. Sci. Comput. 38(5), 2016: an edge that is among the best of both ends, as far as these have room, is in the
//          b-matching (locally dominant).
// Reads:   pending and counts of all vertices, ascending by id.
// Writes:  of [low, low + count): partners, behind those that there are, in slots from starts[v] on; residual; fresh [v - low]: how many came.
//          counters[0]: ends that found a partner.

fn hasPicked(u: u32, v: u32) -> bool {
  var first = starts[u];
  var behind = first + counts[u];
  while (first < behind) {
    let middle = first + (behind - first) / 2u;
    let other = pending[middle];
    if (other == v) { return true; }
    if (other < v) { first = middle + 1u; } else { behind = middle; }
  }
  return false;
}

fn each(place: u32, lane: u32) {
  if (place >= params.count) { return; }
  let v = params.low + place;
  let begin = starts[v];
  let room = residual[v];
  let next = starts[v + 1u] - room;
  var hits = 0u;
  for (var k = 0u; k < counts[v]; k++) {
    let u = pending[begin + k];
    if (hasPicked(u, v)) {
      partners[next + hits] = u;
      hits++;
    }
  }
  fresh[place] = hits;
  if (hits == 0u) { return; }
  residual[v] = room - hits;
  atomicAdd(&counters[0], hits);
}
