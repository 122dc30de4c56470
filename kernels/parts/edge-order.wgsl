// Purpose: the order of the edges of one vertex. A part of the shaders that compare edges.
// Source:  docs/matching.md: the larger weight, then the tie rule, then the larger neighbour.
// Reads:   params.seedLow, seedHigh, least; ends; weightBits beside the targets, for a column. The constants WEIGHTS and TIES are put before
//          it: a comparison compiles to what its rule needs.

const BY_UNIT = 0u;
const BY_COLUMN = 1u;
const BY_RANDOM = 2u;
const BY_INTEGERS = 3u;
const TIES_BY_ID = 1u;
const TIES_BY_DEGREE = 2u;

// Words of an edge, the most significant first; the last one is the neighbour and 1.
struct Key { weight: u32, tie: u32, second: u32, next: u32 }

const NOTHING = Key(0u, 0u, 0u, 0u);

// Whether a comes before b; NOTHING comes last.
fn comesBefore(a: Key, b: Key) -> bool {
  if (WEIGHTS != BY_UNIT && a.weight != b.weight) { return a.weight > b.weight; }
  if (TIES != TIES_BY_ID && a.tie != b.tie) { return a.tie > b.tie; }
  if (TIES == TIES_BY_DEGREE && a.second != b.second) { return a.second > b.second; }
  return a.next > b.next;
}

// The lower 64 bits of the product of a 32-bit number and a 64-bit one (low, high).
fn product(a: u32, low: u32, high: u32) -> vec2<u32> {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = low & 0xffffu;
  let b1 = low >> 16u;
  let middle = a1 * b0 + ((a0 * b0) >> 16u);
  let rest = a0 * b1 + (middle & 0xffffu);
  return vec2<u32>(a * low, a1 * b1 + (middle >> 16u) + (rest >> 16u) + a * high);
}

fn shiftedRight(x: vec2<u32>, bits: u32) -> vec2<u32> {
  return vec2<u32>((x.x >> bits) | (x.y << (32u - bits)), x.y >> bits);
}

// splitmix64 of lo * 0x9E3779B97F4A7C15 + hi + seed, increment first; (low, high).
fn edgeHash(u: u32, v: u32) -> vec2<u32> {
  let hi = max(u, v);
  var x = product(min(u, v) + 1u, 0x7f4a7c15u, 0x9e3779b9u);
  var low = x.x + hi;
  var high = x.y + select(0u, 1u, low < hi) + params.seedHigh;
  let seeded = low + params.seedLow;
  high += select(0u, 1u, seeded < low);
  x = vec2<u32>(seeded, high);
  x ^= shiftedRight(x, 30u);
  x = product(x.x, 0x1ce4e5b9u, 0xbf58476du) + vec2<u32>(0u, x.y * 0x1ce4e5b9u);
  x ^= shiftedRight(x, 27u);
  x = product(x.x, 0x133111ebu, 0x94d049bbu) + vec2<u32>(0u, x.y * 0x133111ebu);
  return x ^ shiftedRight(x, 31u);
}

// A 64-bit number modulo 1000; 2^32 mod 1000 is 296.
fn modThousand(x: vec2<u32>) -> u32 {
  return ((x.y % 1000u) * 296u + (x.x % 1000u)) % 1000u;
}

fn ascending(bits: u32) -> u32 {
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

// The f32 nearest to an integer, ties to even; the conversion of WGSL may round either way.
fn floatBits(signed: u32) -> u32 {
  let negative = signed >> 31u;
  let x = select(signed, 0u - signed, negative == 1u);
  if (x == 0u) { return 0u; }
  let top = 31u - countLeadingZeros(x);
  var mantissa = x;
  var exponent = top;
  if (top <= 23u) { mantissa = x << (23u - top); }
  else {
    let bits = top - 23u;
    let rest = x & ((1u << bits) - 1u);
    let half = 1u << (bits - 1u);
    mantissa = x >> bits;
    if (rest > half || (rest == half && (mantissa & 1u) == 1u)) { mantissa++; }
    if (mantissa == 0x1000000u) { mantissa = 0x800000u; exponent++; }
  }
  return (negative << 31u) | ((exponent + 127u) << 23u) | (mantissa & 0x7fffffu);
}

fn degreeOf(v: u32) -> u32 {
  if (v == 0u) { return ends[0]; }
  return ends[v] - ends[v - 1u];
}

// The key of edge (v, u), whose weight is word `at`; NOTHING below `least`.
fn keyOf(v: u32, u: u32, at: u32) -> Key {
  var key = Key(0u, 0u, 0u, u + 1u);
  var hash = vec2<u32>(0u, 0u);
  if (WEIGHTS == BY_RANDOM || TIES != TIES_BY_ID) { hash = edgeHash(u, v); }
  if (WEIGHTS == BY_RANDOM) { key.weight = modThousand(hash); }
  if (WEIGHTS == BY_COLUMN) { key.weight = ascending(weightBits[at]); }
  if (WEIGHTS == BY_INTEGERS) { key.weight = ascending(floatBits(weightBits[at])); }
  if (key.weight < params.least) { return NOTHING; }
  if (TIES == TIES_BY_DEGREE) {
    key.tie = ~degreeOf(u);
    key.second = hash.y;
  } else if (TIES != TIES_BY_ID) {
    key.tie = hash.y;
  }
  return key;
}
