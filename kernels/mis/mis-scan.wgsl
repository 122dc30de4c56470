// Purpose: one visit of the undecided vertices of a batch whose adjacency lists are short; long ones go to mis-scan-long.
// Source:  ECL-MIS (TOPC 2018, section 3.1): a vertex joins when no neighbour of higher priority is undecided, and pushes "out" to
//          all its neighbours. As the list leaves memory, a vertex that has to wait keeps its undecided neighbours of
//          higher priority: the residual graph.
// Reads:   targets: the lists of vertices [first, first + count), the first of which begins at arc `origin`; ends, status, column.
// Writes:  status; records [counters[list]] of vertices that wait, their neighbours in pool; longs: vertices with more
//          neighbours than `longer`. counters[LEFT]: vertices that wait, but found no room.
// Invariant: a status changes once, from a code to in or out, and who reads the older one only waits for longer.

struct Params { first: u32, count: u32, origin: u32, list: u32, longer: u32, order: u32, shift: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ends: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> column: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> records: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> pool: array<u32>;
@group(0) @binding(7) var<storage, read_write> longs: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const POOL = 2u;
const LONG = 3u;
const LEFT = 4u;
const NONE = 0xffffffffu;

var<workgroup> waiting: atomic<u32>;
var<workgroup> entries: atomic<u32>;
var<workgroup> firstRecord: u32;
var<workgroup> firstEntry: u32;
var<workgroup> hasRoom: u32;

// Room for what a workgroup keeps, all or nothing. Records that end the list without room are no vertex's.
fn allocate() {
  let count = atomicLoad(&waiting);
  let words = atomicLoad(&entries);
  hasRoom = 0u;
  if (count == 0u) { return; }
  firstEntry = atomicAdd(&counters[POOL], words);
  if (firstEntry + words <= arrayLength(&pool) && firstEntry + words >= firstEntry) {
    firstRecord = atomicAdd(&counters[params.list], count);
    if (firstRecord + count <= arrayLength(&records)) { hasRoom = 1u; return; }
    for (var i = firstRecord; i < arrayLength(&records); i++) { records[i].x = NONE; }
  }
  atomicAdd(&counters[LEFT], count);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { atomicStore(&waiting, 0u); atomicStore(&entries, 0u); }
  workgroupBarrier();
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;
  let v = params.first + index;
  var mine = OUT;
  if (index < params.count) { mine = statusOf(v); }
  var begin = 0u;
  var end = 0u;
  if (!isDecided(mine)) {
    begin = startOf(v) - params.origin;
    end = ends[v] - params.origin;
    if (end - begin > params.longer) {
      longs[atomicAdd(&counters[LONG], 1u)] = v;
      end = begin;
      mine = OUT;
    }
  }
  var at = begin;
  var kept = 0u;
  if (!isDecided(mine)) {
    var state = IN;
    for (; at < end; at++) {
      let u = targets[at];
      let code = statusOf(u);
      if (code < mine) { continue; }
      if (code == IN) { state = OUT; break; }
      if (blocks(u, code, v, mine)) { state = mine; break; }
    }
    if (state == mine) {
      kept = 1u;
      for (var i = at + 1u; i < end; i++) {
        let u = targets[i];
        let code = statusOf(u);
        if (code < mine) { continue; }
        if (code == IN) { state = OUT; kept = 0u; break; }
        if (blocks(u, code, v, mine)) { kept++; }
      }
    }
    if (state == IN) {
      setIn(v);
      for (var i = begin; i < end; i++) {
        let u = targets[i];
        if (statusOf(u) != OUT) { setOut(u); }
      }
    }
    if (state == OUT) { setOut(v); }
  }
  var slot = 0u;
  var offset = 0u;
  if (kept != 0u) {
    slot = atomicAdd(&waiting, 1u);
    offset = atomicAdd(&entries, kept);
  }
  workgroupBarrier();
  if (lane == 0u) { allocate(); }
  workgroupBarrier();
  if (kept == 0u || hasRoom == 0u) { return; }
  let start = firstEntry + offset;
  var next = start;
  // What was decided since is left out, so that there are never more than were counted.
  for (var i = at; i < end && next < start + kept; i++) {
    let u = targets[i];
    if (blocks(u, statusOf(u), v, mine)) { pool[next] = u; next++; }
  }
  records[firstRecord + slot] = vec4<u32>(v, start, next, ends[v] - startOf(v));
}
