// Purpose: draws new words for the undecided vertices of a round: a hash of vertex and round above the id, so that no two are equal.
// Source:  Kelley, Rajamanickam, IPDPS 2022, section IV (packed status) and V-A (priorities drawn anew), with the xorshift* of its program
//          (Vigna, ACM TOMS 42(4), 2016).
// Reads:   nothing else.
// Writes:  words of [low, low + count): IN = 0 and OUT = 2^32 - 1 stay.

const IN = 0u;
const OUT = 0xffffffffu;
const MULTIPLIER_HIGH = 0x2545f491u;
const MULTIPLIER_LOW = 0x4f6cdd1du;

// The upper word of a product.
fn upperProduct(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let first = a1 * b0 + ((a0 * b0) >> 16u);
  let second = a0 * b1 + (first & 0xffffu);
  return a1 * b1 + (first >> 16u) + (second >> 16u);
}

// Bits 16 to 47 of the xorshift* of 64 bits, less one.
fn xorshift(v: u32) -> u32 {
  var low = v ^ (v >> 12u);
  var high = low >> 7u;
  low ^= low << 25u;
  low ^= (low >> 27u) | (high << 5u);
  high ^= high >> 27u;
  let product = low * MULTIPLIER_LOW;
  var upper = upperProduct(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH;
  if (product == 0u) { upper -= 1u; }
  return ((product - 1u) >> 16u) | (upper << 16u);
}

fn each(i: u32, lane: u32) {
  if (i >= params.count) { return; }
  let v = params.low + i;
  if (words[v] == IN || words[v] == OUT) { return; }
  var word = v + 1u;
  if (params.bits < 32u) { word |= xorshift(xorshift(v) ^ params.draw) << params.bits; }
  words[v] = select(word, word - 1u, word == OUT);
}
