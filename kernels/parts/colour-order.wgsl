// Purpose: which of two vertices is coloured first. A part of the kernels of colouring/.
// Source:  largest first, and other orders by keys: Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014.
// Reads:   params.shift, keys.

const NONE = 0xffffffffu;

// A bijection: hashes never tie.
fn vertexHash(v: u32) -> u32 {
  var x = v + params.shift;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  return (x >> 16u) ^ x;
}

// Whether u, of key `other`, comes before v, of key `mine`.
fn precedes(u: u32, other: u32, v: u32, mine: u32) -> bool {
  if (other != mine) { return other > mine; }
  return vertexHash(u) > vertexHash(v);
}
