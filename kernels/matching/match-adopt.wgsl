// Purpose: notes where lists begin that another device collected and the host copied.
// Source:  docs/matching.md.
// Reads:   entries [0, count): vertices, and where their lists would begin if word `base` were the first; free: the lists, up to word `limit`.
// Writes:  ends of these vertices from placesAt on: where the lists begin, or 0. counters: LACKING.

fn each(i: u32, lane: u32) {
  if (i >= params.count) { return; }
  let place = params.base + entries[2u * i + 1u];
  let fits = place <= params.limit && free[place - 1u] <= (params.limit - place) / (1u + WEIGHTED);
  ends[params.placesAt + entries[2u * i]] = select(0u, place, fits);
  if (!fits) { atomicAdd(&counters[LACKING], 1u); }
}
