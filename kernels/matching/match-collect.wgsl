// Purpose: collects the free neighbours of waiting vertices. A workgroup has 256 vertices: a thread counts and copies a short list, all of them
//          one long list after another.
// Source:  docs/matching.md.
// Reads:   vertices [first, first + count); matched, and from waitingAt on a bit for each that waits (match-waiting.wgsl); targets from arc
//          `origin` on, weightBits from arc `weightsAt` on; ends.
// Writes:  free: the length of a list, its neighbours in any order, and their weights where WEIGHTED is 1. ends: from placesAt on, where the
//          neighbours of a vertex begin, or 0. entries where isEntered is 1: vertices and these places. counters: TAKEN, ENTRIES, LACKING.
// Invariant: TAKEN only grows, so that no two lists overlap; once it is past room there is none for any list.

const SHORT = 64u;

var<workgroup> begins: array<u32, 256>;
var<workgroup> lengths: array<u32, 256>;
// Free neighbours of each, then how many of these are copied.
var<workgroup> sizes: array<atomic<u32>, 256>;
var<workgroup> places: array<u32, 256>;
var<workgroup> longs: array<u32, 256>;
var<workgroup> longHere: atomic<u32>;
var<workgroup> longLists: u32;

fn isSet(v: u32, at: u32) -> bool {
  return ((matched[at + v / 32u] >> (v % 32u)) & 1u) == 1u;
}

fn counted(lane: u32, member: u32, step: u32) {
  var size = 0u;
  for (var k = member; k < lengths[lane]; k += step) {
    size += select(1u, 0u, isSet(targets[begins[lane] - params.origin + k], 0u));
  }
  atomicAdd(&sizes[lane], size);
}

fn copied(lane: u32, member: u32, step: u32) {
  let place = places[lane];
  if (place == 0u) { return; }
  let size = free[place - 1u];
  for (var k = member; k < lengths[lane]; k += step) {
    let u = targets[begins[lane] - params.origin + k];
    if (isSet(u, 0u)) { continue; }
    let slot = atomicAdd(&sizes[lane], 1u);
    free[place + slot] = u;
    if (WEIGHTED == 1u) { free[place + size + slot] = weightBits[begins[lane] - params.weightsAt + k]; }
  }
}

// 0 where there is no room.
fn placed(size: u32) -> u32 {
  let words = 1u + size * (1u + WEIGHTED);
  if (words > params.room || atomicLoad(&counters[TAKEN]) > params.room - words) { return 0u; }
  let at = atomicAdd(&counters[TAKEN], words);
  return select(0u, at + 1u, at <= params.room - words);
}

fn each(i: u32, lane: u32) {
  let v = params.first + i;
  let waits = i < params.count && isSet(v, params.waitingAt);
  if (lane == 0u) { atomicStore(&longHere, 0u); }
  atomicStore(&sizes[lane], 0u);
  places[lane] = 0u;
  workgroupBarrier();
  if (waits) {
    begins[lane] = 0u;
    if (v > 0u) { begins[lane] = ends[v - 1u]; }
    lengths[lane] = ends[v] - begins[lane];
    if (lengths[lane] > SHORT) { longs[atomicAdd(&longHere, 1u)] = lane; }
    else { counted(lane, 0u, 1u); }
  }
  workgroupBarrier();
  if (lane == 0u) { longLists = atomicLoad(&longHere); }
  let many = workgroupUniformLoad(&longLists);
  for (var k = 0u; k < many; k++) { counted(longs[k], lane, WORKGROUP); }
  workgroupBarrier();
  if (waits) {
    let size = atomicLoad(&sizes[lane]);
    let place = placed(size);
    places[lane] = place;
    ends[params.placesAt + v] = place;
    if (place == 0u) { atomicAdd(&counters[LACKING], 1u); }
    else {
      free[place - 1u] = size;
      if (params.isEntered == 1u) {
        let entry = atomicAdd(&counters[ENTRIES], 1u);
        entries[2u * entry] = v;
        entries[2u * entry + 1u] = place;
      }
    }
    atomicStore(&sizes[lane], 0u);
  }
  storageBarrier();
  workgroupBarrier();
  if (waits && lengths[lane] <= SHORT) { copied(lane, 0u, 1u); }
  for (var k = 0u; k < many; k++) { copied(longs[k], lane, WORKGROUP); }
}
