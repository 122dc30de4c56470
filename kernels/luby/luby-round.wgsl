// Purpose: half a round of Luby's algorithm: active vertices whose random priority is above those of all their active neighbours join;
//          then those beside a member are out.
// Source:  Luby, SIAM Journal on Computing 15(4), 1986, section 3.1, with priorities drawn anew in each round.
// Part:    parts/vertex-hash.wgsl.
// Reads:   offsets and targets of the batch: the lists of vertices [first, first + count).
// Writes:  states of these vertices: ACTIVE, IN or OUT, a word each; counters[0], in the second half: vertices that stay active.
// Invariant: the first half only turns ACTIVE to IN, the second only to OUT, which is not read: timing does not matter.

const ACTIVE = 0u;
const IN = 1u;
const OUT = 2u;

// No two vertices draw the same.
fn priority(v: u32) -> u32 {
  return shiftedHash(v + params.draw);
}

fn each(row: u32, lane: u32) {
  let v = params.first + row;
  if (row >= params.count || atomicLoad(&states[v]) != ACTIVE) { return; }
  let own = priority(v);
  var isBeaten = false;
  for (var at = offsets[row]; at < offsets[row + 1u] && !isBeaten; at++) {
    let u = targets[at];
    let state = atomicLoad(&states[u]);
    isBeaten = state == IN || (params.joins == 1u && state == ACTIVE && priority(u) > own);
  }
  if (params.joins == 1u) {
    if (!isBeaten) { atomicStore(&states[v], IN); }
  } else if (isBeaten) { atomicStore(&states[v], OUT); }
  else { atomicAdd(&counters[0], 1u); }
}
