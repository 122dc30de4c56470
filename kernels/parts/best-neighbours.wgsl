// Purpose: the best neighbours of one list, in registers. A part of match-best and match-best-shared.
// Source:  docs/matching.md.
// Reads:   lists of the file; or collected ones, where COLLECTED is 1: word origin + v of ends is 0 without one, else where it begins in the targets,
//          behind its length; weights follow the neighbours.

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

// Words of targets, and of weightBits.
struct List { begin: u32, length: u32, weights: u32 }

fn listOf(v: u32) -> List {
  if (COLLECTED == 1u) {
    let place = ends[params.origin + v];
    if (place == 0u) { return List(0u, 0u, 0u); }
    let length = targets[place - 1u];
    return List(place, length, place + length);
  }
  var begin = 0u;
  if (v > 0u) { begin = ends[v - 1u]; }
  return List(begin - params.origin, ends[v] - begin, begin - params.weightsAt);
}

fn lookAt(v: u32, list: List, first: u32, step: u32) {
  for (var k = first; k < list.length; k += ABREAST * step) {
    var neighbours = array<u32, ABREAST>();
    for (var i = 0u; i < ABREAST; i++) { neighbours[i] = targets[list.begin + min(k + i * step, list.length - 1u)]; }
    for (var i = 0u; i < ABREAST; i++) {
      let place = k + i * step;
      if (place < list.length && (params.allFree == 1u || isFree(neighbours[i]))) {
        keep(keyOf(v, neighbours[i], list.weights + place));
      }
    }
  }
}

fn store(v: u32) {
  let base = (CANDIDATES + 1u) * (v - params.keptFirst);
  kept[base] = select(0u, MORE, seen > CANDIDATES);
  for (var k = 0u; k < CANDIDATES; k++) { kept[base + 1u + k] = best[k].next - 1u; }
}
