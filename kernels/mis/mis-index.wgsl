// Purpose: ends of the adjacency lists, and the priority code of every vertex: one byte, 1 to 254.
// Source:  ECL-MIS (TOPC 2018, section 3.2) for `ecl`; for other orders the rank among a sample, so that neighbours seldom tie.
// Reads:   raw: the end offsets of vertices [first, first + count), `words` words each, from word `begin` on; codes; column.
// Writes:  ends and states of these vertices, in where isolated; counters[DAMAGE] where ends descend.
// Invariant: higher priority never has the smaller code; vertex-order.wgsl breaks ties.

const PER_THREAD = 4u;
// Quotients this near to one half are divided again, exactly: a GPU's division is off by a few units.
const DOUBT = 1e-3;

// To the nearest even; the conversion of WGSL may round either way.
fn nearest(x: u32) -> f32 {
  let spare = 8i - i32(countLeadingZeros(x));
  if (spare <= 0i) { return f32(x); }
  let bits = u32(spare);
  let rest = x & ((1u << bits) - 1u);
  let half = 1u << (bits - 1u);
  var kept = x >> bits;
  if (rest > half || (rest == half && (kept & 1u) == 1u)) { kept++; }
  return f32(kept) * f32(1u << bits);
}

// The f32 nearest to a / b, both normal and positive, by long division.
fn exactQuotient(a: f32, b: f32) -> f32 {
  let divisor = (bitcast<u32>(b) & 0x7fffffu) | 0x800000u;
  var rest = (bitcast<u32>(a) & 0x7fffffu) | 0x800000u;
  var exponent = i32(bitcast<u32>(a) >> 23u) - i32(bitcast<u32>(b) >> 23u);
  if (rest < divisor) { rest <<= 1u; exponent--; }
  var quotient = 0u;
  for (var bit = 0u; bit < 25u; bit++) {
    quotient <<= 1u;
    if (rest >= divisor) { rest -= divisor; quotient |= 1u; }
    rest <<= 1u;
  }
  let roundsUp = (quotient & 1u) == 1u && (rest != 0u || (quotient & 2u) == 2u);
  quotient = (quotient >> 1u) + select(0u, 1u, roundsUp);
  return f32(quotient) * bitcast<f32>(u32(exponent - 23i + 127i) << 23u);
}

fn eclCode(degree: u32, hash: u32) -> u32 {
  let mean = bitcast<f32>(params.mean);
  let scaled = bitcast<f32>(params.scaled);
  let divisor = mean + (nearest(degree) - nearest(hash) * 0x1p-32f);
  var quotient = scaled / divisor;
  if (abs(fract(quotient) - 0.5) < DOUBT) { quotient = exactQuotient(scaled, divisor); }
  let below = floor(quotient);
  let rest = quotient - below;
  var rounded = u32(below);
  if (rest > 0.5 || (rest == 0.5 && (rounded & 1u) == 1u)) { rounded++; }
  return 2u * rounded + 1u;
}

fn columnCode(v: u32) -> u32 {
  let high = column[v].y;
  var low = 0u;
  var size = COLUMN_BOUNDS;
  for (var step = 0u; step < 8u; step++) {
    size /= 2u;
    if (codes[low + size - 1u] < high) { low += size; }
  }
  return 1u + min(low, 253u);
}

fn codeOf(v: u32, degree: u32) -> u32 {
  if (degree == 0u) { return IN; }
  if (params.order == BY_COLUMN) { return columnCode(v); }
  let hash = shiftedHash(v + params.shift);
  if (params.order == BY_ECL) { return eclCode(degree, hash); }
  if (params.order == BY_DEGREE) {
    let place = codes[min(degree, CODED_DEGREES - 1u)];
    return ((place >> 16u) + (((place & 0xffffu) * (hash >> 16u)) >> 16u)) >> 8u;
  }
  return 1u + (((hash >> 16u) * 254u) >> 16u);
}

fn each(i: u32, lane: u32) {
  let place = PER_THREAD * i;
  if (place >= params.count) { return; }
  var before = params.before;
  if (place > 0u) { before = raw[params.begin + (place - 1u) * params.words]; }
  var word = 0u;
  for (var i = 0u; i < min(PER_THREAD, params.count - place); i++) {
    let end = raw[params.begin + (place + i) * params.words];
    let v = params.first + place + i;
    ends[v] = end;
    // The offsets descend.
    if (end - before > 0x7fffffffu) { atomicOr(&counters[DAMAGE], 1u); }
    word |= codeOf(v, end - before) << (8u * i);
    before = end;
  }
  atomicStore(&states[(params.first + place) / PER_THREAD], word);
}
