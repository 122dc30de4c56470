// Purpose: the best neighbours of one list, in registers. A part of match-best and match-best-shared.
// Source:  docs/matching.md.

const NONE = 0xffffffffu;
const MORE = 0x100u;
// Loaded side by side, to hide latency.
const ABREAST = 4u;

var<private> best: array<Key, CANDIDATES>;
// Neighbours that were kept or could have been.
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

fn lookAt(v: u32, begin: u32, length: u32, first: u32, step: u32) {
  let weights = begin + params.origin - params.weightsAt;
  for (var k = first; k < length; k += ABREAST * step) {
    var neighbours = array<u32, ABREAST>();
    for (var i = 0u; i < ABREAST; i++) { neighbours[i] = targets[begin + min(k + i * step, length - 1u)]; }
    for (var i = 0u; i < ABREAST; i++) {
      let place = k + i * step;
      if (place < length && (params.allFree == 1u || isFree(neighbours[i]))) { keep(keyOf(v, neighbours[i], weights + place)); }
    }
  }
}

fn store(v: u32) {
  let base = (CANDIDATES + 1u) * (v - params.keptFirst);
  kept[base] = select(0u, MORE, seen > CANDIDATES);
  for (var k = 0u; k < CANDIDATES; k++) { kept[base + 1u + k] = best[k].next - 1u; }
}
