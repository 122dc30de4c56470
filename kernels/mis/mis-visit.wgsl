// Purpose: the second visit of the undecided vertices of a batch with short lists; those that wait are kept.
// Source:  ECL-MIS (TOPC 2018, section 3.1). The list leaves memory: a waiting vertex keeps its undecided neighbours of higher priority,
//          the residual graph.
// Reads:   targets from arc `origin` on: the lists of vertices [first, first + count); ends, states, column.
// Writes:  states; records [counters[list]] of waiting vertices, neighbours in pool; counters[LEFT]: vertices without room.
// Invariant: as in mis-scan.wgsl. Records behind the room are no vertex's.

const WORKGROUP = 256u;
const VERTICES = 1024u;
const NONE = 0xffffffffu;

var<workgroup> undecided: array<u32, 1024>;
var<workgroup> length: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> waiting: atomic<u32>;
var<workgroup> entries: atomic<u32>;
var<workgroup> firstRecord: u32;
var<workgroup> firstEntry: u32;
var<workgroup> hasRoom: u32;

// Room for a workgroup, all or nothing.
fn allocate() {
  let count = atomicLoad(&waiting);
  let words = atomicLoad(&entries);
  atomicStore(&waiting, 0u);
  atomicStore(&entries, 0u);
  hasRoom = 0u;
  if (count == 0u) { return; }
  var isIn = false;
  // Once the pool is full nothing is added: the counter would begin anew.
  if (atomicLoad(&counters[POOL]) < arrayLength(&pool)) {
    firstEntry = atomicAdd(&counters[POOL], words);
    isIn = firstEntry + words <= arrayLength(&pool) && firstEntry + words >= firstEntry;
  }
  if (isIn) {
    firstRecord = atomicAdd(&counters[params.list], count);
    if (firstRecord + count <= arrayLength(&records)) { hasRoom = 1u; return; }
    for (var i = firstRecord; i < arrayLength(&records); i++) { records[i].x = NONE; }
  }
  atomicAdd(&counters[LEFT], count);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { atomicStore(&length, 0u); }
  workgroupBarrier();
  let place = (group.y * groups.x + group.x) * VERTICES;
  for (var i = place + lane; i < min(place + VERTICES, params.count); i += WORKGROUP) {
    if (!isDecided(stateOf(params.first + i))) { undecided[atomicAdd(&length, 1u)] = params.first + i; }
  }
  workgroupBarrier();
  if (lane == 0u) { total = atomicLoad(&length); }
  let vertices = workgroupUniformLoad(&total);
  for (var start = 0u; start < vertices; start += WORKGROUP) {
    var v = 0u;
    var mine = OUT;
    if (start + lane < vertices) {
      v = undecided[start + lane];
      mine = stateOf(v);
    }
    var begin = 0u;
    var degree = 0u;
    var found = Visit(JOINS, 0u);
    if (!isDecided(mine)) {
      begin = startOf(v) - params.origin;
      degree = ends[v] - params.origin - begin;
      if (degree <= params.longer) { found = visit(v, begin, begin + degree, mine, true); }
    }
    let kept = select(0u, countOneBits(found.blockers), found.verdict == WAITS);
    var slot = 0u;
    var offset = 0u;
    if (kept != 0u) {
      slot = atomicAdd(&waiting, 1u);
      offset = atomicAdd(&entries, kept);
    }
    workgroupBarrier();
    if (lane == 0u) { allocate(); }
    workgroupBarrier();
    if (kept != 0u && hasRoom != 0u) {
      let head = firstEntry + offset;
      var next = head;
      for (var rest = found.blockers; rest != 0u; rest &= rest - 1u) {
        pool[next] = targets[begin + firstTrailingBit(rest)];
        next++;
      }
      records[firstRecord + slot] = vec4<u32>(v, head, next, degree);
    }
    workgroupBarrier();
  }
}
