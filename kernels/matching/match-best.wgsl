// Purpose: every vertex keeps the best of its free neighbours, a thread each; long lists are left to match-best-shared.wgsl.
// Source:  LD-GPU (SC 2024), Algorithm 3, SETPOINTERS, for several neighbours at once (docs/matching.md).
// Reads:   vertices [first, first + count), or those of them in list [0, AGAIN of counts) where isListed is 1; targets from arc `origin` on,
//          weightBits from arc `weightsAt` on; ends; matched, unless all are free.
// Writes:  kept, from vertex keptFirst on: a word of flags (match-state.ts), then CANDIDATES neighbours, NONE behind the last; longs: lists longer than
//          `longer` from its beginning on, longer than `longest` from its end on.
// Invariant: no vertex is matched in this phase.

const WORKGROUP = 256u;

var<workgroup> total: u32;
var<workgroup> longHere: atomic<u32>;
var<workgroup> longestHere: atomic<u32>;
var<workgroup> arcsHere: atomic<u32>;
var<workgroup> firstLong: u32;
var<workgroup> firstLongest: u32;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { total = select(params.count, atomicLoad(&counters[params.counts + AGAIN]), params.isListed == 1u); }
  let vertices = workgroupUniformLoad(&total);
  let stride = groups.x * groups.y * WORKGROUP;
  for (var start = (group.y * groups.x + group.x) * WORKGROUP; start < vertices; start += stride) {
    if (lane == 0u) { atomicStore(&longHere, 0u); atomicStore(&longestHere, 0u); atomicStore(&arcsHere, 0u); }
    workgroupBarrier();
    let i = start + lane;
    var v = params.first + i;
    var length = 0u;
    var slot = 0u;
    if (i < vertices) {
      if (params.isListed == 1u) { v = list[i]; }
      if (v - params.first < params.count && (params.allFree == 1u || isFree(v))) {
        let found = listOf(v);
        length = found.length;
        if (params.allFree == 0u) { atomicAdd(&arcsHere, length); }
        if (length > params.longest) { slot = atomicAdd(&longestHere, 1u); }
        else if (length > params.longer) { slot = atomicAdd(&longHere, 1u); }
        else if (COLLECTED == 1u && found.begin == 0u) { kept[(CANDIDATES + 1u) * v] |= DEFERRED; }
        else {
          forget();
          lookAt(v, found, 0u, 1u);
          store(v);
        }
      }
    }
    workgroupBarrier();
    if (lane == 0u) {
      let count = atomicLoad(&longHere);
      if (count > 0u) { firstLong = atomicAdd(&counters[params.counts + LONG], count); }
      let most = atomicLoad(&longestHere);
      if (most > 0u) { firstLongest = atomicAdd(&counters[params.counts + LONGEST], most); }
      let arcs = atomicLoad(&arcsHere);
      if (arcs > 0u) { atomicAdd(&counters[ARCS], arcs); }
    }
    workgroupBarrier();
    if (length > params.longest) { longs[arrayLength(&longs) - 1u - firstLongest - slot] = v; }
    else if (length > params.longer) { longs[firstLong + slot] = v; }
  }
}
