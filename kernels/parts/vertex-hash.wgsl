// Purpose: the hash of a vertex. A part of the kernels that compare vertices.
// Source:  ECL-MIS (TOPC 2018, section 3.2): a bijection, so that hashes never tie. A seed shifts the ids first.

fn shiftedHash(shifted: u32) -> u32 {
  var x = shifted;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  return (x >> 16u) ^ x;
}
