// Purpose: visits the undecided vertices of a batch with long lists, a workgroup each.
// Source:  as mis-scan.wgsl, which lists them.
// Reads:   longs [0, counters[LONG]); targets from arc `origin` on; ends, states, column.
// Writes:  as mis-visit.wgsl.
// Invariant: as mis-scan.wgsl; a list is looked at twice, first to count what is kept, then to keep it, while other workgroups decide
//          vertices. The second look keeps only what is undecided still. It was so at the first look, and was counted: states only gain.
//          A member at the second look may be of any priority, and was not counted: it takes the vertex out, and keeps nothing.

const WORKGROUP = 128u;

var<workgroup> undecided: array<u32, 128>;
var<workgroup> length: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> current: vec4<u32>;
var<workgroup> hasMember: atomic<u32>;
var<workgroup> kept: atomic<u32>;
var<workgroup> firstEntry: u32;
var<workgroup> verdict: u32;

const JOINS = 1u;
const WAITS = 2u;

// The vertex, where its list begins and ends, its state.
fn open(place: u32) {
  let v = undecided[place];
  current = vec4<u32>(v, startOf(v) - params.origin, ends[v] - params.origin, stateOf(v));
  atomicStore(&hasMember, 0u);
  atomicStore(&kept, 0u);
}

fn decide() {
  let words = atomicLoad(&kept);
  let v = current.x;
  verdict = 0u;
  if (atomicLoad(&hasMember) != 0u) { setOut(v); return; }
  if (words == 0u) { setIn(v); verdict = JOINS; return; }
  atomicStore(&kept, 0u);
  var hasRoom = false;
  // Once the pool is full nothing is added: the counter would begin anew.
  if (atomicLoad(&counters[POOL]) < arrayLength(&pool)) {
    firstEntry = atomicAdd(&counters[POOL], words);
    hasRoom = firstEntry + words <= arrayLength(&pool) && firstEntry + words >= firstEntry;
  }
  if (!hasRoom) { atomicAdd(&counters[LEFT], 1u); return; }
  verdict = WAITS;
}

fn visitLong(place: u32, lane: u32) {
  if (lane == 0u) { open(place); }
  let vertex = workgroupUniformLoad(&current);
  let v = vertex.x;
  let mine = vertex.w;
  if (isDecided(mine)) { return; }
  var count = 0u;
  for (var at = vertex.y + lane; at < vertex.z; at += WORKGROUP) {
    let u = targets[at];
    let code = stateOf(u);
    if (code == IN) { atomicStore(&hasMember, 1u); }
    if (blocks(u, code, v, mine)) { count++; }
    if (atomicLoad(&hasMember) != 0u) { break; }
  }
  atomicAdd(&kept, count);
  workgroupBarrier();
  if (lane == 0u) { decide(); }
  let found = workgroupUniformLoad(&verdict);
  if (found == JOINS) {
    for (var at = vertex.y + lane; at < vertex.z; at += WORKGROUP) {
      let u = targets[at];
      if (stateOf(u) != OUT) { setOut(u); }
    }
  }
  if (found == WAITS) {
    for (var at = vertex.y + lane; at < vertex.z; at += WORKGROUP) {
      let u = targets[at];
      let code = stateOf(u);
      if (code == IN) { atomicStore(&hasMember, 1u); }
      else if (blocks(u, code, v, mine)) { pool[firstEntry + atomicAdd(&kept, 1u)] = u; }
    }
  }
  workgroupBarrier();
  if (lane == 0u && found == WAITS) {
    if (atomicLoad(&hasMember) != 0u) { setOut(v); return; }
    let record = atomicAdd(&counters[params.list], 1u);
    if (record >= arrayLength(&records)) { atomicAdd(&counters[LEFT], 1u); }
    else { records[record] = vec4<u32>(v, firstEntry, firstEntry + atomicLoad(&kept), vertex.z - vertex.y); }
  }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { total = atomicLoad(&counters[LONG]); }
  let vertices = workgroupUniformLoad(&total);
  // Lists that a workgroup filters together: few where there are workgroups for all.
  let share = clamp((vertices + groups.x - 1u) / groups.x, 1u, WORKGROUP);
  for (var start = group.x * share; start < vertices; start += groups.x * share) {
    if (lane == 0u) { atomicStore(&length, 0u); }
    workgroupBarrier();
    if (lane < share && start + lane < vertices) {
      let v = longs[start + lane];
      if (!isDecided(stateOf(v))) { undecided[atomicAdd(&length, 1u)] = v; }
    }
    workgroupBarrier();
    if (lane == 0u) { total = atomicLoad(&length); }
    let places = workgroupUniformLoad(&total);
    for (var place = 0u; place < places; place++) { visitLong(place, lane); }
  }
}
