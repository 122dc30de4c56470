// Purpose: keeps the spins of one replica, as bits.
// Reads:   spins of [first, first + count).
// Writes:  best: a bit a vertex from `first` on.

fn each(word: u32, lane: u32) {
  if (32u * word >= params.count) { return; }
  var bits = 0u;
  for (var i = 0u; i < 32u && 32u * word + i < params.count; i++) {
    bits |= ((spins[params.first + 32u * word + i] >> params.replica) & 1u) << i;
  }
  best[word] = bits;
}
