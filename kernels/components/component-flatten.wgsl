// Purpose: points vertices [first, first + count) at the root of its tree, the least vertex of its component.
// Source:  ECL-CC (HPDC 2018), its last phase.
// Writes:  parents.
// Invariant: no link is under way: roots stay.

fn each(i: u32, lane: u32) {
  let v = params.first + i;
  if (i < params.count) { atomicStore(&parents[v], rootOf(v)); }
}
