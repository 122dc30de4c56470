// Purpose: takes bounds that other workers lowered.
// Source:  Montresor, De Pellegrini, Miorandi, PODC 2011, Algorithm 1.
// Reads:   changes [0, 2 count): a vertex and its bound, in turn.
// Writes:  cores.

fn each(i: u32, lane: u32) {
  if (i < params.count) { cores[changes[2u * i]] = changes[2u * i + 1u]; }
}
