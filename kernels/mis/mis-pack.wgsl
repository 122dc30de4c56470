// Purpose: packs states into two bits, to exchange, for checkpoints, and as the result.
// Source:  MG-MIS (ICS 2025, section 3.2), with replicated states in place of queries and responses.
// Reads:   states of vertices [16 first, 16 (first + count)).
// Writes:  packed [0, count): 1 in, 2 out, 0 undecided.
// Invariant: vertices behind the last are out.

const WORDS = 4u;

fn each(index: u32, lane: u32) {
  if (index >= params.count) { return; }
  var pairs = 0u;
  for (var word = 0u; word < WORDS; word++) {
    let place = WORDS * (params.first + index) + word;
    var four = 0u;
    if (place < arrayLength(&states)) { four = states[place]; }
    for (var i = 0u; i < 4u; i++) {
      let code = (four >> (8u * i)) & 0xffu;
      pairs |= select(select(0u, 2u, code == 0u), 1u, code == 255u) << (8u * word + 2u * i);
    }
  }
  packed[index] = pairs;
}
