// Purpose: the pointing phase: every active vertex points at its best free candidate.
// Source:  LD-GPU (SC 2024), Algorithm 1, lines 3-6. A candidate that was passed is matched for good: cursors only advance.
// Reads:   vertices [first, first + count), or list [0, counters[length]) unless that is NONE; matched.
// Writes:  pointers, kept; next [0, POINTING of counts): vertices with a pointer; again [0, AGAIN of counts): those to scan again. OPEN of
//          counts: unmatched vertices with a pointer before, or now, as `counted` says.
// Invariant: no vertex is matched in this phase.

const WORKGROUP = 256u;
const COUNT_POINTED = 1u;
const COUNT_POINTING = 2u;
const POINTS = 1u;
const LOOKS = 2u;

var<workgroup> total: u32;
var<workgroup> pointing: atomic<u32>;
var<workgroup> looking: atomic<u32>;
var<workgroup> opened: atomic<u32>;
var<workgroup> firstNext: u32;
var<workgroup> firstAgain: u32;

fn isFree(v: u32) -> bool {
  return ((matched[v / 32u] >> (v % 32u)) & 1u) == 0u;
}

fn point(v: u32) -> u32 {
  let base = (CANDIDATES + 1u) * v;
  let word = kept[base];
  if ((word & ENDED) != 0u) { return 0u; }
  if (params.counted == COUNT_POINTED && pointers[v] != NONE) { atomicAdd(&opened, 1u); }
  for (var passed = word & PASSED; passed < CANDIDATES; passed++) {
    let u = kept[base + 1u + passed];
    if (u == NONE) { break; }
    if (isFree(u)) {
      if (passed != (word & PASSED)) { kept[base] = (word & ~PASSED) | passed; }
      pointers[v] = u;
      if (params.counted == COUNT_POINTING) { atomicAdd(&opened, 1u); }
      return POINTS;
    }
  }
  pointers[v] = NONE;
  kept[base] = select(word | ENDED, word | PASSED, (word & MORE) != 0u);
  return select(0u, LOOKS, (word & (MORE | DEFERRED)) == MORE);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let isListed = params.length != NONE;
  if (lane == 0u) {
    total = params.count;
    if (isListed) { total = atomicLoad(&counters[params.length]); }
  }
  let vertices = workgroupUniformLoad(&total);
  let stride = groups.x * groups.y * WORKGROUP;
  for (var start = (group.y * groups.x + group.x) * WORKGROUP; start < vertices; start += stride) {
    if (lane == 0u) { atomicStore(&pointing, 0u); atomicStore(&looking, 0u); atomicStore(&opened, 0u); }
    workgroupBarrier();
    let i = start + lane;
    var v = params.first + i;
    var does = 0u;
    var slot = 0u;
    if (i < vertices) {
      if (isListed) { v = list[i]; }
      if (isFree(v)) { does = point(v); }
      if (does == POINTS) { slot = atomicAdd(&pointing, 1u); }
      if (does == LOOKS) { slot = atomicAdd(&looking, 1u); }
    }
    workgroupBarrier();
    if (lane == 0u) {
      let points = atomicLoad(&pointing);
      if (points > 0u) { firstNext = atomicAdd(&counters[params.counts + POINTING], points); }
      let looks = atomicLoad(&looking);
      if (looks > 0u) { firstAgain = atomicAdd(&counters[params.counts + AGAIN], looks); }
      let open = atomicLoad(&opened);
      if (open > 0u) { atomicAdd(&counters[params.counts + OPEN], open); }
    }
    workgroupBarrier();
    if (does == POINTS) { next[firstNext + slot] = v; }
    if (does == LOOKS) { again[firstAgain + slot] = v; }
  }
}
