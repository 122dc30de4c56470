// Purpose: merges states decided by other workers.
// Source:  MG-MIS (ICS 2025, section 3.2), with replicated states in place of queries and responses.
// Reads:   packed [0, count) of vertices [16 first, 16 (first + count)): two bits each: 1 in, 2 out, 0 undecided.
// Writes:  states of these vertices.
// Invariant: what is in or out stays so; no sweep runs beside.

const WORDS = 4u;

fn each(index: u32, lane: u32) {
  if (index >= params.count) { return; }
  let pairs = packed[index];
  if (pairs == 0u) { return; }
  for (var word = 0u; word < WORDS; word++) {
    let place = WORDS * (params.first + index) + word;
    if (place >= arrayLength(&states)) { return; }
    let before = states[place];
    var after = before;
    for (var i = 0u; i < 4u; i++) {
      let state = (pairs >> (8u * word + 2u * i)) & 3u;
      if (state == 1u) { after |= 0xffu << (8u * i); }
      if (state == 2u) { after &= ~(0xffu << (8u * i)); }
    }
    if (after != before) { states[place] = after; }
  }
}
