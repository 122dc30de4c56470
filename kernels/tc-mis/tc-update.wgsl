// Purpose: phase 3. Candidates without a candidate beside them join; candidates and their neighbours are open no longer.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 13-16. Where the keys are a total order no candidate has one beside it.
// Reads:   cands, hits, counters[previous].
// Writes:  open, openAny, members; cands, candsAny and hits back to zero; counters[record]: open (vertex, seed) pairs.
// Invariant: each thread owns a word of 32 vertices under a seed, so that neighbouring threads have neighbouring words; a workgroup
//          owns all seeds of its words, as many as fit; the record was zero.

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
// Open under any seed, for each 32 vertices of the workgroup.
var<workgroup> anyOpen: array<atomic<u32>, WORKGROUP>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let width = WORKGROUP / params.seeds;
  let first = (group.y * groups.x + group.x) * width;
  let own = lane / params.seeds;
  let isRunning = atomicLoad(&counters[params.previous]) != 0u;
  let at = first * params.seeds + lane;
  if (own < width && first + own < params.segments && isRunning) {
    let alive = open[at];
    let chosen = cands[at];
    let hit = hits[at];
    let still = alive & ~(chosen | hit);
    if ((chosen | hit) != 0u) {
      if ((chosen & ~hit) != 0u) { members[at] |= chosen & ~hit; }
      open[at] = still;
      cands[at] = 0u;
      hits[at] = 0u;
    }
    if (still != 0u) {
      atomicOr(&anyOpen[own], still);
      atomicAdd(&left, countOneBits(still));
    }
  }
  workgroupBarrier();
  if (lane < width && first + lane < params.segments && isRunning) {
    openAny[first + lane] = atomicLoad(&anyOpen[lane]);
    candsAny[first + lane] = 0u;
  }
  if (lane == 0u) {
    let sum = atomicLoad(&left);
    if (sum != 0u) { atomicAdd(&counters[params.record], sum); }
  }
}
