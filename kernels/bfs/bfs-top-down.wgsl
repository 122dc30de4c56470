// Purpose: expands the frontier: visits every neighbour of its vertices that was not visited.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.3; Beamer, Asanovic, Patterson, SC 2012, Figure 3.
// Reads:   queue [0, count): the frontier, of which those in [first, first + rows) have their lists in offsets and targets.
// Writes:  visited; of what was not visited: next and levels [v - low] of vertices [low, high), remote of all others; how many: counters.
// Invariant: a bit of visited is set once, and one invocation sets it: nothing is found twice.

struct Params { count: u32, first: u32, rows: u32, low: u32, high: u32, level: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> queue: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read_write> visited: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> levels: array<u32>;
@group(0) @binding(6) var<storage, read_write> next: array<u32>;
@group(0) @binding(7) var<storage, read_write> remote: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
// Longer lists are scanned by the whole workgroup.
const SHORT = 64u;
const NEXT = 0u;
const REMOTE = 1u;

var<workgroup> longs: atomic<u32>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;

fn visit(v: u32) {
  let bit = 1u << (v % 32u);
  if ((atomicLoad(&visited[v / 32u]) & bit) != 0u) { return; }
  if ((atomicOr(&visited[v / 32u], bit) & bit) != 0u) { return; }
  if (v < params.low || v >= params.high) {
    remote[atomicAdd(&counters[REMOTE], 1u)] = v;
    return;
  }
  levels[v - params.low] = params.level;
  next[atomicAdd(&counters[NEXT], 1u)] = v;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  var row = params.rows;
  if (i < params.count) { row = queue[i] - params.first; }
  // A vertex before the batch wraps around.
  if (row < params.rows) {
    let begin = offsets[row];
    let end = offsets[row + 1u];
    if (end - begin > SHORT) {
      let slot = atomicAdd(&longs, 1u);
      begins[slot] = begin;
      ends[slot] = end;
    } else {
      for (var at = begin; at < end; at++) { visit(targets[at]); }
    }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    for (var at = begins[slot] + lane; at < ends[slot]; at += WORKGROUP) { visit(targets[at]); }
  }
}
