// Purpose: takes vertices that other workers found or visited: a list, or a bitmap that is unpacked here.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.3 and Algorithm 1 (its scan is an atomic counter here).
// Reads:   inbox [0, count): ids, or the bits of the vertices from `first` on.
// Writes:  those that were not visited, or all of them where isNew says that they come for the first time: their bits in visited, next behind
//          counters[NEXT], and levels [v - low] where they are in [low, high).
// Invariant: nothing comes into next twice.

const NEXT = 0u;

// Bits of one word of visited, whose first vertex is given.
fn take(first: u32, bits: u32) {
  let before = atomicOr(&visited[first / 32u], bits);
  var fresh = select(bits & ~before, bits, params.isNew == 1u);
  if (fresh == 0u) { return; }
  var slot = atomicAdd(&counters[NEXT], countOneBits(fresh));
  for (; fresh != 0u; fresh &= fresh - 1u) {
    let v = first + firstTrailingBit(fresh);
    if (v >= params.low && v < params.high) { levels[v - params.low] = params.level; }
    next[slot] = v;
    slot++;
  }
}

fn each(i: u32, lane: u32) {
  if (i >= params.count) { return; }
  let word = inbox[i];
  if (params.isList == 1u) { take(word & ~31u, 1u << (word % 32u)); } else { take(params.first + 32u * i, word); }
}
