// Purpose: the best neighbours of one list, in registers. A part of match-best and match-best-long, which it is put behind.
// Source:  docs/architecture.md, "Matchings".

const NONE = 0xffffffffu;
const MORE = 0x100u;

var<private> best: array<Key, CANDIDATES>;
// How many were kept or could have been.
var<private> seen: u32;

fn isFree(v: u32) -> bool {
  return ((matched[v / 32u] >> (v % 32u)) & 1u) == 0u;
}

fn forget() {
  seen = 0u;
  for (var k = 0u; k < CANDIDATES; k++) { best[k] = NOTHING; }
}

fn keep(candidate: Key) {
  if (candidate.next == 0u) { return; }
  seen++;
  var key = candidate;
  if (!comesBefore(key, best[CANDIDATES - 1u])) { return; }
  for (var k = 0u; k < CANDIDATES; k++) {
    if (comesBefore(key, best[k])) {
      let worse = best[k];
      best[k] = key;
      key = worse;
    }
  }
}

fn store(v: u32) {
  let base = (CANDIDATES + 1u) * (v - params.keptFirst);
  kept[base] = select(0u, MORE, seen > CANDIDATES);
  for (var k = 0u; k < CANDIDATES; k++) { kept[base + 1u + k] = best[k].next - 1u; }
}
