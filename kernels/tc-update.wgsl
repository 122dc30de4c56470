// Purpose: phase 3. Candidates without a candidate beside them join; candidates and their neighbours are open no longer.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 13-16. Where the keys are a total order no candidate has one beside it.
// Reads:   cands, hits, counters[previous].
// Writes:  open, openAny, members; cands, candsAny and hits back to zero; counters[record]: open (vertex, seed) pairs.
// Invariant: each thread owns the words of its 32 vertices; counters[record] was zero.

struct Params { segments: u32, seeds: u32, previous: u32, record: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> open: array<u32>;
@group(0) @binding(2) var<storage, read_write> openAny: array<u32>;
@group(0) @binding(3) var<storage, read_write> members: array<u32>;
@group(0) @binding(4) var<storage, read_write> cands: array<u32>;
@group(0) @binding(5) var<storage, read_write> candsAny: array<u32>;
@group(0) @binding(6) var<storage, read_write> hits: array<u32>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;

var<workgroup> left: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (segment < params.segments && atomicLoad(&counters[params.previous]) != 0u) {
    var any = 0u;
    var mine = 0u;
    for (var seed = 0u; seed < params.seeds; seed++) {
      let at = segment * params.seeds + seed;
      let alive = open[at];
      let chosen = cands[at];
      let hit = hits[at];
      if ((chosen | hit) == 0u) {
        any |= alive;
        mine += countOneBits(alive);
        continue;
      }
      members[at] |= chosen & ~hit;
      let still = alive & ~(chosen | hit);
      open[at] = still;
      cands[at] = 0u;
      hits[at] = 0u;
      any |= still;
      mine += countOneBits(still);
    }
    openAny[segment] = any;
    candsAny[segment] = 0u;
    if (mine != 0u) { atomicAdd(&left, mine); }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let sum = atomicLoad(&left);
    if (sum != 0u) { atomicAdd(&counters[params.record], sum); }
  }
}
