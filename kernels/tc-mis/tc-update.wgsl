// Purpose: phase 3: candidates without a candidate beside them join; candidates and their neighbours are open no longer.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 13-16. Under a total order no candidate has one beside it.
// Reads:   cands, hits.
// Writes:  open, openAny, members; cands for the next round: what is open; hits: zero; counters[0]: open (vertex, seed) pairs.
// Invariant: a thread owns the words of 32 vertices under all seeds; counters[0] was zero.

const LEFT = 0u;

var<workgroup> sum: atomic<u32>;

fn each(segment: u32, lane: u32) {
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
