// Purpose: which of two vertices is coloured first. A part of the kernels of colouring/.
// Source:  largest first, and other orders by keys: Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014.
// Part:    vertex-hash.wgsl.
// Reads:   params.shift, keys.

const NONE = 0xffffffffu;

// Whether u, of key `other`, comes before v, of key `mine`.
fn precedes(u: u32, other: u32, v: u32, mine: u32) -> bool {
  if (other != mine) { return other > mine; }
  return shiftedHash(u + params.shift) > shiftedHash(v + params.shift);
}
