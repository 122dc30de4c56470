// Purpose: the parent of every vertex that has none yet: its first neighbour that is one level nearer to the root.
// Source:  Graph500 specification 2.0, kernel 2 (a tree of parents); the least one makes the tree the same on every device.
// Reads:   levels of all vertices; the lists of [first, first + rows).
// Writes:  parents [first - base, first - base + rows), NONE before: NONE where the list has none; the root's is itself.

struct Params { first: u32, rows: u32, base: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> levels: array<u32>;
@group(0) @binding(4) var<storage, read_write> parents: array<u32>;

const WORKGROUP = 256u;
const SHORT = 64u;
const NONE = 0xffffffffu;

var<workgroup> longs: atomic<u32>;
var<workgroup> lanes: array<u32, 256>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;
var<workgroup> wanted: array<u32, 256>;
// The least place of a parent in the list of each invocation.
var<workgroup> places: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = (group.y * groups.x + group.x) * WORKGROUP + lane;
  let v = params.first + row;
  atomicStore(&places[lane], NONE);
  workgroupBarrier();
  let isDue = row < params.rows && parents[v - params.base] == NONE;
  if (isDue && levels[v] != NONE && levels[v] != 0u) {
    let nearer = levels[v] - 1u;
    let begin = offsets[row];
    let end = offsets[row + 1u];
    let short = min(end, begin + SHORT);
    var at = begin;
    while (at < short && levels[targets[at]] != nearer) { at++; }
    if (at < short) { atomicStore(&places[lane], at); }
    else if (short < end) {
      let slot = atomicAdd(&longs, 1u);
      lanes[slot] = lane;
      begins[slot] = short;
      ends[slot] = end;
      wanted[slot] = nearer;
    }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    let place = &places[lanes[slot]];
    for (var at = begins[slot] + lane; at < ends[slot] && at < atomicLoad(place); at += WORKGROUP) {
      if (levels[targets[at]] == wanted[slot]) { atomicMin(place, at); }
    }
  }
  workgroupBarrier();
  if (!isDue) { return; }
  let place = atomicLoad(&places[lane]);
  var parent = NONE;
  if (levels[v] == 0u) { parent = v; }
  else if (place != NONE) { parent = targets[place]; }
  parents[v - params.base] = parent;
}
