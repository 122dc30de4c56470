// Purpose: phase 3: candidates without a candidate beside them join; candidates and their neighbours are open no longer.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 13-16. Under a total order no candidate has one beside it.
// Reads:   cands, hits.
// Writes:  open, openAny, members; cands for the next round: what is open; hits: zero; counters[0]: open (vertex, seed) pairs.
// Invariant: a thread owns the words of 32 vertices under all seeds; counters[0] was zero.

struct Params { segments: u32, seeds: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> open: array<u32>;
@group(0) @binding(2) var<storage, read_write> openAny: array<u32>;
@group(0) @binding(3) var<storage, read_write> members: array<u32>;
@group(0) @binding(4) var<storage, read_write> cands: array<u32>;
@group(0) @binding(5) var<storage, read_write> hits: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const LEFT = 0u;
const WORKGROUP = 256u;

var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (segment < params.segments) {
    var any = 0u;
    for (var at = segment * params.seeds; at < (segment + 1u) * params.seeds; at++) {
      let chosen = cands[at];
      let hit = hits[at];
      let still = open[at] & ~(chosen | hit);
      members[at] |= chosen & ~hit;
      open[at] = still;
      cands[at] = still;
      hits[at] = 0u;
      any |= still;
      atomicAdd(&sum, countOneBits(still));
    }
    openAny[segment] = any;
  }
  workgroupBarrier();
  if (lane == 0u) { atomicAdd(&counters[LEFT], atomicLoad(&sum)); }
}
