// Purpose: a level from the other side: every vertex that was not visited looks for a neighbour in the frontier, and stops at the first.
// Source:  Beamer, Asanovic, Patterson: Direction-Optimizing Breadth-First Search, SC 2012, Figure 5.
// Reads:   frontier, a bit a vertex; the lists of [first, first + rows).
// Writes:  visited; of what was found: next and levels [v - low] of vertices [low, high), remote of all others; how many: counters, with the
//          vertices that have neighbours and were not found. With `keeps` all vertices are in [low, high), and remote has their parents
//          [v - low] instead: of the neighbours in the frontier the least.
// Invariant: an invocation a vertex: nothing is found twice.

const NEXT = 0u;
const REMOTE = 1u;
const LEFT = 4u;

var<workgroup> owned: atomic<u32>;
var<workgroup> others: atomic<u32>;
var<workgroup> left: atomic<u32>;
var<workgroup> firstNext: u32;
var<workgroup> firstRemote: u32;

// Whether it is in the frontier.
fn isWanted(v: u32, key: u32) -> bool {
  return ((frontier[v / 32u] >> (v % 32u)) & 1u) == 1u;
}

fn each(row: u32, lane: u32) {
  let v = params.first + row;
  let bit = 1u << (v % 32u);
  let isDue = row < params.rows && (atomicLoad(&visited[v / 32u]) & bit) == 0u;
  let searches = isDue && offsets[row] < offsets[row + 1u];
  let place = firstPlace(lane, searches, row, 0u);
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
