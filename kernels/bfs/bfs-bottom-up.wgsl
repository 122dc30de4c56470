// Purpose: a level from the other side: every vertex that was not visited looks for a neighbour in the frontier, and stops at the first.
// Source:  Beamer, Asanovic, Patterson: Direction-Optimizing Breadth-First Search, SC 2012, Figure 5.
// Reads:   frontier, a bit a vertex; the lists of [first, first + rows).
// Writes:  visited; of what was found: next and levels [v - low] of vertices [low, high), remote of all others; how many: counters, with the
//          vertices that have neighbours and were not found. With `keeps` all vertices are in [low, high), and remote has their parents
//          [v - low] instead: of the neighbours in the frontier the least.
// Invariant: an invocation a vertex: nothing is found twice.

struct Params { first: u32, rows: u32, low: u32, high: u32, level: u32, keeps: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> frontier: array<u32>;
@group(0) @binding(4) var<storage, read_write> visited: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> levels: array<u32>;
@group(0) @binding(6) var<storage, read_write> next: array<u32>;
@group(0) @binding(7) var<storage, read_write> remote: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
// Behind it the whole workgroup looks.
const SHORT = 64u;
const NEXT = 0u;
const REMOTE = 1u;
const LEFT = 4u;
const NONE = 0xffffffffu;

var<workgroup> longs: atomic<u32>;
var<workgroup> lanes: array<u32, 256>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;
// Of each invocation: the first place in its list that was found in the frontier.
var<workgroup> places: array<atomic<u32>, 256>;
var<workgroup> owned: atomic<u32>;
var<workgroup> others: atomic<u32>;
var<workgroup> left: atomic<u32>;
var<workgroup> firstNext: u32;
var<workgroup> firstRemote: u32;

fn isInFrontier(v: u32) -> bool {
  return ((frontier[v / 32u] >> (v % 32u)) & 1u) == 1u;
}

fn search(lane: u32, begin: u32, end: u32) {
  let short = min(end, begin + SHORT);
  for (var at = begin; at < short; at++) {
    if (isInFrontier(targets[at])) {
      atomicStore(&places[lane], at);
      return;
    }
  }
  if (short < end) {
    let slot = atomicAdd(&longs, 1u);
    lanes[slot] = lane;
    begins[slot] = short;
    ends[slot] = end;
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = (group.y * groups.x + group.x) * WORKGROUP + lane;
  let v = params.first + row;
  let bit = 1u << (v % 32u);
  var searches = false;
  atomicStore(&places[lane], NONE);
  if (row < params.rows && (atomicLoad(&visited[v / 32u]) & bit) == 0u) {
    let begin = offsets[row];
    let end = offsets[row + 1u];
    searches = begin < end;
    if (searches) { search(lane, begin, end); }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    let place = &places[lanes[slot]];
    for (var at = begins[slot] + lane; at < ends[slot] && at < atomicLoad(place); at += WORKGROUP) {
      if (isInFrontier(targets[at])) { atomicMin(place, at); }
    }
  }
  workgroupBarrier();
  let place = atomicLoad(&places[lane]);
  let isFound = place != NONE;
  let isOwn = v >= params.low && v < params.high;
  var slot = 0u;
  if (isFound) {
    atomicOr(&visited[v / 32u], bit);
    if (isOwn) { slot = atomicAdd(&owned, 1u); } else { slot = atomicAdd(&others, 1u); }
  } else if (searches) { atomicAdd(&left, 1u); }
  workgroupBarrier();
  if (lane == 0u) {
    let mine = atomicLoad(&owned);
    if (mine > 0u) { firstNext = atomicAdd(&counters[NEXT], mine); }
    let theirs = atomicLoad(&others);
    if (theirs > 0u) { firstRemote = atomicAdd(&counters[REMOTE], theirs); }
    let waiting = atomicLoad(&left);
    if (waiting > 0u) { atomicAdd(&counters[LEFT], waiting); }
  }
  workgroupBarrier();
  if (!isFound) { return; }
  if (isOwn) {
    levels[v - params.low] = params.level;
    next[firstNext + slot] = v;
    if (params.keeps == 1u) { remote[v - params.low] = targets[place]; }
  } else { remote[firstRemote + slot] = v; }
}
