// Purpose: looks at all neighbours of some vertices, those of a long list by the whole workgroup. A part of bfs-adopt, bfs-top-down and
//          component-link.
// Reads:   offsets and targets of params.rows lists, which begin with that of vertex params.first. Two functions of the kernel say more:
//          rowOf(i), the list that invocation i looks at, params.rows or more for none; look(u, v), at u in the list of v, whether to continue.

// Longer lists are scanned by the whole workgroup.
const SHORT = 64u;

var<workgroup> longs: atomic<u32>;
var<workgroup> vertices: array<u32, 256>;
var<workgroup> begins: array<u32, 256>;
var<workgroup> ends: array<u32, 256>;

fn each(i: u32, lane: u32) {
  let row = rowOf(i);
  if (row < params.rows) {
    let v = params.first + row;
    let begin = offsets[row];
    let end = offsets[row + 1u];
    if (end - begin > SHORT) {
      let slot = atomicAdd(&longs, 1u);
      vertices[slot] = v;
      begins[slot] = begin;
      ends[slot] = end;
    } else {
      for (var at = begin; at < end && look(targets[at], v); at++) {}
    }
  }
  workgroupBarrier();
  let many = atomicLoad(&longs);
  for (var slot = 0u; slot < many; slot++) {
    let v = vertices[slot];
    for (var at = begins[slot] + lane; at < ends[slot] && look(targets[at], v); at += WORKGROUP) {}
  }
}
