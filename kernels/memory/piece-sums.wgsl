// Purpose: CRC-32 of pieces of a file on the device, to compare with the stored ones.
// Source:  docs/formats.md, "Checksums"; a CRC is linear over GF(2), so parts are summed side by side (zlib's crc32_combine).
// Reads:   words, from `begin` on: pieces of PIECE_WORDS words, the last one of `last`; tables: a CRC moved on by WORKGROUP words, byte by byte of it, then
//          x^(32 e) for e up to WORKGROUP, then x^(32 SEGMENT_WORDS s) for the segments of a piece.
// Writes:  sums [first, first + count): the inverted CRC-32 of each piece; zero before.
// Invariant: each segment is added once, by exclusive or.

const WORKGROUP = 256u;
const PIECE_WORDS = 262144u;
const SEGMENT_WORDS = 32768u;
const SEGMENTS = 8u;
const POWERS = 1024u;
const SEGMENT_POWERS = 1281u;
const POLYNOMIAL = 0xedb88320u;

var<workgroup> ahead: array<u32, 1024>;
var<workgroup> share: atomic<u32>;

fn product(a: u32, b: u32) -> u32 {
  var left = a;
  var right = b;
  var sum = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    if ((left & 0x80000000u) != 0u) { sum ^= right; }
    left <<= 1u;
    right = select(right >> 1u, (right >> 1u) ^ POLYNOMIAL, (right & 1u) == 1u);
  }
  return sum;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  for (var i = lane; i < 1024u; i += WORKGROUP) { ahead[i] = tables[i]; }
  if (lane == 0u) { atomicStore(&share, 0u); }
  workgroupBarrier();
  let segment = group.y * groups.x + group.x;
  let piece = segment / SEGMENTS;
  let length = select(PIECE_WORDS, params.last, piece + 1u == params.count);
  let begin = (segment % SEGMENTS) * SEGMENT_WORDS;
  let end = min(length, begin + SEGMENT_WORDS);
  if (piece < params.count && begin + lane < end) {
    var sum = 0u;
    var last = begin + lane;
    for (var at = begin + lane; at < end; at += WORKGROUP) {
      var word = words[params.begin + piece * PIECE_WORDS + at];
      if (at == 0u) { word = ~word; }
      sum = ahead[sum & 0xffu] ^ ahead[256u + ((sum >> 8u) & 0xffu)] ^ ahead[512u + ((sum >> 16u) & 0xffu)]
        ^ ahead[768u + (sum >> 24u)] ^ word;
      last = at;
    }
    // Words behind: of the segment, of whole segments, of the last one of a short piece.
    sum = product(sum, tables[POWERS + end - last]);
    var rest = length - end;
    sum = product(sum, tables[SEGMENT_POWERS + rest / SEGMENT_WORDS]);
    rest %= SEGMENT_WORDS;
    let step = product(tables[POWERS + WORKGROUP], 0x80000000u);
    for (; rest >= WORKGROUP; rest -= WORKGROUP) { sum = product(sum, step); }
    sum = product(sum, tables[POWERS + rest]);
    atomicXor(&share, sum);
  }
  workgroupBarrier();
  if (lane == 0u && piece < params.count) { atomicXor(&sums[params.first + piece], atomicLoad(&share)); }
}
