// Purpose: gathers the spins of listed vertices, to be sent, or puts received ones where they belong.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 2: boundaries are exchanged while the bulk is updated.
// Reads:   list [at, at + count).
// Writes:  box [0, count) from spins, or spins from box where isReceived.

fn each(i: u32, lane: u32) {
  if (i >= params.count) { return; }
  let v = list[params.at + i];
  if (params.isReceived == 1u) { spins[v] = box[i]; } else { box[i] = spins[v]; }
}
