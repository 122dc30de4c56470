// Purpose: moves the neighbours of higher priority to the front of each list: no others are looked at again.
// Source:  the predecessors of Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014, section 3.
// Reads:   keys of all vertices; the lists of those in [first, first + rows).
// Writes:  of every vertex without a colour the front of its list, and how many those are (states [2 (v - low)]).
// Invariant: what is written into a list is written where all invocations have read: nothing is read that was written.

const WORKGROUP = 256u;
// Longer lists are read by the whole workgroup.
const SHORT = 96u;
// Arcs that an invocation reads at a time.
const STRETCH = 4u;
// Consecutive rows of a workgroup; long lists are often those of vertices with close ids.
const RUN = 8u;

var<workgroup> longs: atomic<u32>;
var<workgroup> rowsOf: array<u32, 256>;
var<workgroup> many: u32;
var<workgroup> row: u32;
var<workgroup> kept: atomic<u32>;

fn stateOf(own: u32) -> u32 { return 2u * (params.first + own - params.low); }

fn keepShort(own: u32, begin: u32, end: u32) {
  let v = params.first + own;
  let mine = keys[v];
  var to = begin;
  for (var at = begin; at < end; at++) {
    let u = targets[at];
    if (precedes(u, keys[u], v, mine)) {
      targets[to] = u;
      to++;
    }
  }
  states[stateOf(own)] = to - begin;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = group.y * groups.x + group.x;
  let mine = (lane / RUN * groups.x * groups.y + index) * RUN + lane % RUN;
  if (mine < params.rows && colours[params.first + mine] == NONE) {
    let begin = offsets[mine];
    let end = offsets[mine + 1u];
    if (end - begin <= SHORT) { keepShort(mine, begin, end); }
    else { rowsOf[atomicAdd(&longs, 1u)] = mine; }
  }
  workgroupBarrier();
  if (lane == 0u) { many = atomicLoad(&longs); }
  let lists = workgroupUniformLoad(&many);
  for (var slot = 0u; slot < lists; slot++) {
    if (lane == 0u) {
      row = rowsOf[slot];
      atomicStore(&kept, 0u);
    }
    let own = workgroupUniformLoad(&row);
    let v = params.first + own;
    let key = keys[v];
    let begin = offsets[own];
    let end = offsets[own + 1u];
    for (var stretch = begin; stretch < end; stretch += STRETCH * WORKGROUP) {
      var found: array<u32, 4>;
      var count = 0u;
      for (var i = 0u; i < STRETCH; i++) {
        let at = stretch + i * WORKGROUP + lane;
        if (at < end) {
          let u = targets[at];
          if (precedes(u, keys[u], v, key)) {
            found[count] = u;
            count++;
          }
        }
      }
      storageBarrier();
      workgroupBarrier();
      if (count > 0u) {
        let to = begin + atomicAdd(&kept, count);
        for (var i = 0u; i < count; i++) { targets[to + i] = found[i]; }
      }
    }
    workgroupBarrier();
    if (lane == 0u) { states[stateOf(own)] = atomicLoad(&kept); }
    workgroupBarrier();
  }
}
