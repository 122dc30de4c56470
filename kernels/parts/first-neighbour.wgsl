// Purpose: the first neighbour of its kind in the list of each invocation; behind the beginning of a list the whole workgroup looks. A part of
//          bfs-bottom-up and bfs-parents, which define each(i, lane).
// Reads:   offsets and targets; isWanted(u, key), which a kernel defines, says of which kind u is.

const SHORT = 64u;
const NONE = 0xffffffffu;

var<workgroup> longs: atomic<u32>;
var<workgroup> lanes: array<u32, 256>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;
var<workgroup> keys: array<u32, 256>;
// Of each invocation: the first place in its list that was found.
var<workgroup> places: array<atomic<u32>, 256>;

// Called by all invocations of a workgroup. The result is a place in targets, or NONE.
fn firstPlace(lane: u32, searches: bool, row: u32, key: u32) -> u32 {
  atomicStore(&places[lane], NONE);
  if (searches) {
    let end = offsets[row + 1u];
    var at = offsets[row];
    let short = min(end, at + SHORT);
    while (at < short && !isWanted(targets[at], key)) { at++; }
    if (at < short) { atomicStore(&places[lane], at); }
    else if (short < end) {
      let slot = atomicAdd(&longs, 1u);
      lanes[slot] = lane;
      begins[slot] = short;
      ends[slot] = end;
      keys[slot] = key;
    }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    let place = &places[lanes[slot]];
    for (var at = begins[slot] + lane; at < ends[slot] && at < atomicLoad(place); at += WORKGROUP) {
      if (isWanted(targets[at], keys[slot])) { atomicMin(place, at); }
    }
  }
  workgroupBarrier();
  return atomicLoad(&places[lane]);
}
