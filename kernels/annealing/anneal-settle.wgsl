// Purpose: vertices of a piece that proposed join an independent set, and members next to them leave it.
// Source:  Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, Science 220, 1983; of adjacent proposals the lowest id may, as in
//          Luby's algorithm (SIAM Journal on Computing, 1986).
// Reads:   proposing of the piece, which begins at word `low`; lists of those in words [first, past), as anneal-propose left them.
// Writes:  members.
// Invariant: no two that join are adjacent, and the set follows from the proposals alone: in any order the set is the same.

const MOST = 2u;

fn each(i: u32, lane: u32) {
  let word = params.first + i / 32u;
  let bit = i % 32u;
  if (word >= params.past || ((proposing[word] >> bit) & 1u) == 0u) { return; }
  let v = 32u * word + bit;
  let start = starts[v];
  let end = starts[v + 1u];
  for (var at = start; at < end; at++) {
    let u = targets[at];
    if (u < v && u / 32u >= params.low && ((proposing[u / 32u] >> (u % 32u)) & 1u) == 1u) { return; }
  }
  // Others may take out the same ones.
  for (var at = start; at < min(end, start + MOST); at++) {
    let u = targets[at];
    atomicAnd(&members[u / 32u], ~(1u << (u % 32u)));
  }
  atomicOr(&members[word], 1u << bit);
}
