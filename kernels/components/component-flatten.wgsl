// Purpose: points every vertex at the root of its tree, the least vertex of its component.
// Source:  ECL-CC (HPDC 2018), its last phase.
// Writes:  parents.
// Invariant: no link is under way: roots stay.

fn each(v: u32, lane: u32) {
  if (v < params.vertices) { atomicStore(&parents[v], rootOf(v)); }
}
