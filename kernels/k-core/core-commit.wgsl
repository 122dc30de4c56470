// Purpose: makes the drafts of due vertices their bounds, and lists what changed, for other workers.
// Source:  Montresor, De Pellegrini, Miorandi, PODC 2011, Algorithm 1 (a vertex tells its new bound).
// Reads:   drafts and due bits of the vertices [low, low + count), by their place.
// Writes:  cores; changes: a vertex and its bound for each that fell; how many: counters[0].

fn each(place: u32, lane: u32) {
  if (place >= params.count || ((due[place / 32u] >> (place % 32u)) & 1u) == 0u) { return; }
  let v = params.low + place;
  let bound = drafts[place];
  if (bound == cores[v]) { return; }
  cores[v] = bound;
  let slot = atomicAdd(&counters[0], 1u);
  changes[2u * slot] = v;
  changes[2u * slot + 1u] = bound;
}
