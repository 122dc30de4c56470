// Purpose: match-best.wgsl for long lists: a virtual warp of WARP threads has one, merged in workgroup memory.
// Source:  LD-GPU (SC 2024), Algorithm 3, whose warps reduce likewise.
// Reads:   longs as match-best.wgsl leaves it: from its beginning on, or from its end on where ISLONGEST is 1.
// Writes:  kept, as there.

const WORKGROUP = 128u;
const WARPS = WORKGROUP / WARP;

var<workgroup> total: u32;
var<workgroup> merged: array<Key, 64u * CANDIDATES>;
var<workgroup> mergedSeen: array<u32, 64>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { total = counters[params.counts + select(LONG, LONGEST, ISLONGEST == 1u)]; }
  let vertices = workgroupUniformLoad(&total);
  let warp = lane / WARP;
  let member = lane % WARP;
  for (var place = WARPS * (group.y * groups.x + group.x); place < vertices; place += WARPS * groups.x * groups.y) {
    let i = place + warp;
    var v = NONE;
    forget();
    if (i < vertices) {
      v = longs[select(i, arrayLength(&longs) - 1u - i, ISLONGEST == 1u)];
      lookAt(v, listOf(v), member, WARP);
    }
    for (var step = WARP / 2u; step > 0u; step /= 2u) {
      if (member >= step && member < 2u * step) {
        let at = warp * (WARP / 2u) + member - step;
        for (var k = 0u; k < CANDIDATES; k++) { merged[CANDIDATES * at + k] = best[k]; }
        mergedSeen[at] = seen;
      }
      workgroupBarrier();
      if (member < step) {
        let at = warp * (WARP / 2u) + member;
        let all = seen + mergedSeen[at];
        for (var k = 0u; k < CANDIDATES; k++) { keep(merged[CANDIDATES * at + k]); }
        seen = all;
      }
      workgroupBarrier();
    }
    if (member == 0u && v != NONE) { store(v); }
  }
}
