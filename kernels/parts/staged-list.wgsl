// Purpose: a long list where a whole workgroup reads it at the speed of its own memory: each lane fetches some arcs, and every lane then sees all.
// Reads:   targets, couplings, spins.
// Writes:  near, pulls: spins and coupling of each neighbour; nothing of one from `below` on.
// Invariant: the caller has a barrier before it reads, and one before it stages again.

const STAGED = 1024u;

var<workgroup> near: array<u32, STAGED>;
var<workgroup> pulls: array<i32, STAGED>;

// Stages arcs [begin, begin + STAGED) of a list that ends at end. Returns how many those are.
fn stage(begin: u32, end: u32, below: u32, lane: u32) -> u32 {
  let count = min(STAGED, end - begin);
  for (var i = lane; i < count; i += 256u) {
    let neighbour = targets[begin + i];
    let counts = neighbour < below;
    near[i] = select(0u, spins[neighbour], counts);
    pulls[i] = select(0, bitcast<i32>(couplings[begin + i]), counts);
  }
  return count;
}
