// Purpose: the pointing phase of the paper: every unmatched vertex scans all its neighbours and points at the greatest one available.
// Source:  LD-GPU (SC 2024), Algorithm 3, SETPOINTERS, lines 1-9. 32 threads are the warp; their arg max is reduced through workgroup
//          memory, as not every adapter has subgroups.
// Reads:   matched; offsets and targets of a batch; values: the weights of its arcs, then `tieWords` words for each. An edge compares by its
//          weight, these words, its neighbour.
// Writes:  pointers of unmatched [first, first + count); counters: active vertices (with a neighbour in round 1, with a pointer later), arcs
//          scanned.
// Invariant: no vertex is matched in this phase.

const WIDTH = 32u;
const NONE = 0xffffffffu;
const OPEN = 1u;
const ARCS = 2u;

// The best arc of each thread, or NONE.
var<workgroup> best: array<u32, 256>;
// Atomics of all threads on one word would be the slowest part.
var<workgroup> opened: atomic<u32>;
var<workgroup> looked: atomic<u32>;

fn isMatched(v: u32) -> bool {
  return ((matched[v / 32u] >> (v % 32u)) & 1u) == 1u;
}

// Whether arc a comes before arc b; no arc comes last.
fn comesBefore(a: u32, b: u32) -> bool {
  if (a == NONE || b == NONE) { return a != NONE; }
  if (values[a] != values[b]) { return values[a] > values[b]; }
  for (var word = 0u; word < params.tieWords; word++) {
    let at = values[params.arcs + params.tieWords * a + word];
    let other = values[params.arcs + params.tieWords * b + word];
    if (at != other) { return at > other; }
  }
  return targets[a] > targets[b];
}

fn each(index: u32, lane: u32) {
  let i = index / WIDTH;
  let place = lane % WIDTH;
  let v = params.first + i;
  let searches = i < params.count && !isMatched(v);
  var found = NONE;
  if (searches) {
    for (var arc = offsets[i] + place; arc < offsets[i + 1u]; arc += WIDTH) {
      if (!isMatched(targets[arc]) && comesBefore(arc, found)) { found = arc; }
    }
  }
  best[lane] = found;
  for (var step = WIDTH / 2u; step > 0u; step /= 2u) {
    workgroupBarrier();
    if (place < step && comesBefore(best[lane + step], best[lane])) { best[lane] = best[lane + step]; }
  }
  if (place == 0u && searches) {
    var pointer = NONE;
    if (best[lane] != NONE) { pointer = targets[best[lane]]; }
    let open = select(pointers[v], pointer, params.isFirst == 1u) != NONE;
    pointers[v] = pointer;
    if (open) { atomicAdd(&opened, 1u); }
    atomicAdd(&looked, offsets[i + 1u] - offsets[i]);
  }
  workgroupBarrier();
  if (lane != 0u) { return; }
  let allOpened = atomicLoad(&opened);
  let allLooked = atomicLoad(&looked);
  if (allOpened > 0u) { atomicAdd(&counters[OPEN], allOpened); }
  if (allLooked > 0u) { atomicAdd(&counters[ARCS], allLooked); }
}
