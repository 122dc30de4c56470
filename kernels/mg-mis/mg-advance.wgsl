// Purpose: vertices whose remote neighbour is out advance to the next remote neighbour.
// Source:  MG-MIS (ICS 2025), algorithm 7 (processResponse).
// Reads:   received [0, length): ids of own vertices, of any batch; offsets, targets.
// Writes:  remoteNbrIndex of the vertices of this batch.
// Invariant: a vertex asks once a round, so it is answered at most once.

fn each(index: u32, lane: u32) {                                    // line 1
  if (index >= params.length) { return; }                           // line 2
  let at = received[index] - params.origin;                         // line 3
  if (at < params.first || at - params.first >= params.count) { return; }
  let i = at - params.first;
  let start = offsets[i];
  let degree = offsets[i + 1u] - start;
  var next = remoteNbrIndex[at] + 1u;
  for (; next < degree; next++) {
    let u = targets[start + next];
    if (u < params.low || u >= params.high) { break; }
  }
  remoteNbrIndex[at] = next;                                        // line 4
}
