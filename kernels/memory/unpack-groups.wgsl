// Purpose: unpacks pieces of a packed graph into the words of the canonical one, a workgroup a group.
// Source:  docs/formats.md, "Packed graphs"; prefix sums by steps that grow (Hillis and Steele, CACM 29, 1986), four at a time.
// Reads:   packed: the blocks of pieces from `piece` on, one after another; blocks: where each begins in the packed file, in words modulo 2^32.
//          The last one has `last` groups.
// Writes:  words [first, first + count), from the first word of the first piece on; whole groups.
// Invariant: whatever the blocks say, no word outside is written, and no loop is longer than a group; the checksums of the canonical graph tell
//          blocks that are damaged.

const WORKGROUP = 256u;
const GROUP_WORDS = 4096u;
const GROUPS = 64u;
// Numbers of which a word has the choices, and words of a group that a lane writes.
const EACH = 16u;
const RAW = 0u;
const OFFSETS = 1u;
const MARKED_LISTS = 3u;

struct Stream { widths: vec4<u32>, isOne: bool, choices: u32, bits: u32, next: u32 }

var<workgroup> sums: array<vec4<u32>, 256>;
// Bits before the numbers of each word of choices, of the four streams.
var<workgroup> before: array<vec4<u32>, 256>;
// A bit for each word with which a list begins, and for each with which its neighbours above the vertex begin.
var<workgroup> heads: array<atomic<u32>, 128>;
var<workgroup> middles: array<atomic<u32>, 128>;

// The sums of the lanes before; with `restarts` the last two begin anew where the second is not 0.
fn scan(lane: u32, own: vec4<u32>, restarts: bool) -> vec4<u32> {
  workgroupBarrier();
  sums[lane] = own;
  for (var step = 1u; step < WORKGROUP; step *= 4u) {
    workgroupBarrier();
    var all = sums[lane];
    for (var back = step; back < 4u * step && back <= lane; back += step) {
      let some = sums[lane - back];
      all = vec4<u32>(all.xy + some.xy, select(all.zw + some.zw, all.zw, restarts && all.y != 0u));
    }
    workgroupBarrier();
    sums[lane] = all;
  }
  workgroupBarrier();
  if (lane == 0u) { return vec4<u32>(); }
  return sums[lane - 1u];
}

fn open(at: u32, count: u32) -> Stream {
  if (count == 0u) { return Stream(vec4<u32>(), true, at, at, at); }
  let widths = min((vec4<u32>(packed[at]) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u), vec4<u32>(32u));
  let isOne = all(widths == widths.yzwx);
  let bits = at + 2u + select((count + EACH - 1u) / EACH, 0u, isOne);
  return Stream(widths, isOne, at + 2u, bits, bits + packed[at + 1u]);
}

fn choicesOf(stream: Stream, word: u32) -> u32 {
  if (stream.isOne) { return 0u; }
  return packed[stream.choices + word];
}

// Bits of the first numbers of a word of choices.
fn bitsOf(stream: Stream, word: u32, count: u32) -> u32 {
  if (count == 0u) { return 0u; }
  let choices = choicesOf(stream, word) & (0xffffffffu >> (32u - 2u * count));
  let threes = countOneBits(choices & (choices >> 1u) & 0x55555555u);
  let ones = countOneBits(choices & 0x55555555u) - threes;
  let twos = countOneBits(choices & 0xaaaaaaaau) - threes;
  let counts = vec4<u32>(count - ones - twos - threes, ones, twos, threes) * stream.widths;
  return counts.x + counts.y + counts.z + counts.w;
}

// Those of all numbers of a word of choices, of a stream of so many.
fn bitsIn(stream: Stream, word: u32, count: u32) -> u32 {
  return bitsOf(stream, word, min(EACH, max(count, EACH * word) - EACH * word));
}

// The bit with which a number begins.
fn seek(stream: Stream, which: u32, number: u32) -> u32 {
  let word = min(number / EACH, WORKGROUP - 1u);
  return before[word][which] + bitsOf(stream, word, number % EACH);
}

// A number, and the bit behind it.
fn next(stream: Stream, number: u32, bit: u32) -> vec2<u32> {
  let choice = (choicesOf(stream, number / EACH) >> (2u * (number % EACH))) & 3u;
  let size = stream.widths[choice];
  let powers = select(vec4<u32>(), vec4<u32>(1u) << (stream.widths & vec4<u32>(31u)), vec4<u32>(choice) > vec4<u32>(0u, 1u, 2u, 3u));
  let least = powers.x + powers.y + powers.z;
  if (size == 0u) { return vec2<u32>(least, bit); }
  let place = stream.bits + bit / 32u;
  let shift = bit % 32u;
  var value = packed[place] >> shift;
  if (shift + size > 32u) { value |= packed[place + 1u] << (32u - shift); }
  return vec2<u32>(least + (value & (0xffffffffu >> (32u - size))), bit + size);
}

// The numbers of a lane, of so many: the first, and the one behind the last.
fn shareOf(lane: u32, count: u32) -> vec2<u32> {
  let share = (count + WORKGROUP - 1u) / WORKGROUP;
  return min(vec2<u32>(count), vec2<u32>(lane, lane + 1u) * share);
}

// 64 bits each. Sums of the lower and of the upper halves of the differences have 32 bits.
fn offsets(at: u32, count: u32, out: u32, end: u32, lane: u32) {
  let stream = open(at + 2u, count);
  before[lane] = scan(lane, vec4<u32>(bitsIn(stream, lane, count), 0u, 0u, 0u), false);
  workgroupBarrier();
  let own = shareOf(lane, count);
  var halves = vec4<u32>();
  for (var isKnown = 0u; isKnown < 2u; isKnown++) {
    if (isKnown == 1u) { halves = scan(lane, halves, false); }
    var bit = seek(stream, 0u, own.x);
    for (var i = own.x; i < own.y; i++) {
      let difference = next(stream, i, bit);
      bit = difference.y;
      halves += vec4<u32>(difference.x & 0xffffu, difference.x >> 16u, 0u, 0u);
      let upper = packed[at] + (halves.y << 16u);
      let low = upper + halves.x;
      let carry = select(0u, 1u, upper < packed[at]) + select(0u, 1u, low < upper);
      let place = out + 2u * i;
      if (isKnown == 1u && place < end) { words[place] = low; }
      if (isKnown == 1u && place + 1u < end) { words[place + 1u] = packed[at + 1u] + (halves.y >> 16u) + carry; }
    }
  }
}

// Lists, of which the sizes are lengths less 1, or, with marks, neighbours behind the vertex; and how many numbers are in the stream.
struct Lists { many: u32, skips: Stream, sizes: Stream, belows: Stream, stored: u32, numbers: Stream }

fn openLists(at: u32, count: u32, hasMarks: bool) -> Lists {
  let head = packed[at + 1u];
  let many = min(select(head, head & 0xffffu, hasMarks), count);
  let skips = open(at + 2u, many);
  let sizes = open(skips.next, many);
  let belows = open(sizes.next, many);
  let stored = select(count, min(head >> 16u, count), hasMarks);
  return Lists(many, skips, sizes, belows, stored, open(belows.next + select(0u, (count + 31u) / 32u, hasMarks), stored));
}

fn lists(at: u32, count: u32, out: u32, end: u32, hasMarks: bool, lane: u32) {
  let all = openLists(at, count, hasMarks);
  let many = all.many;
  let skips = all.skips;
  let sizes = all.sizes;
  let belows = all.belows;
  let numbers = all.numbers;
  let bits = vec3<u32>(bitsIn(skips, lane, many), bitsIn(sizes, lane, many), bitsIn(belows, lane, many));
  before[lane] = scan(lane, vec4<u32>(bits, bitsIn(numbers, lane, all.stored)), false);
  if (lane < 128u) {
    atomicStore(&heads[lane], 0u);
    atomicStore(&middles[lane], 0u);
  }

  // Sums of the numbers up to each word of a lane, and of one each.
  let first = out + EACH * lane;
  let some = min(EACH, max(count, EACH * lane) - EACH * lane);
  var values: array<u32, 16>;
  var value = 0u;
  var marks = 0xffffu;
  var stored = EACH * lane;
  if (hasMarks) {
    marks = (packed[belows.next + lane / 2u] >> (EACH * (lane % 2u))) & (0xffffu >> (EACH - some));
    stored = scan(lane, vec4<u32>(countOneBits(marks), 0u, 0u, 0u), false).x;
  }
  var numberBit = seek(numbers, 3u, stored);
  for (var i = 0u; i < some; i++) {
    value += 1u;
    if (((marks >> i) & 1u) != 0u) {
      let number = next(numbers, stored, numberBit);
      stored++;
      numberBit = number.y;
      value += number.x + select(0u, 1u, hasMarks);
    }
    values[i] = value;
  }
  let sumBefore = scan(lane, vec4<u32>(value, 0u, 0u, 0u), false).x;
  for (var i = 0u; i < some; i++) {
    values[i] += sumBefore;
    if (first + i < end) { words[first + i] = values[i]; }
  }
  storageBarrier();
  workgroupBarrier();

  // The vertex of each list, and where it begins: of all lanes before, then of its own. What is to be added to sums stands where a list begins.
  let own = shareOf(lane, many);
  var place = vec4<u32>();
  for (var isKnown = 0u; isKnown < 2u; isKnown++) {
    if (isKnown == 1u) { place = scan(lane, place, false); }
    var bit = vec3<u32>(seek(skips, 0u, own.x), seek(sizes, 1u, own.x), seek(belows, 2u, own.x));
    for (var i = own.x; i < own.y; i++) {
      let skip = next(skips, i, bit.x);
      let size = next(sizes, i, bit.y);
      let below = next(belows, i, bit.z);
      let length = size.x + select(1u, below.x, hasMarks);
      bit = vec3<u32>(skip.y, size.y, below.y);
      let middle = place.y + below.x;
      if (isKnown == 1u && place.y < count && out + place.y < end) {
        let last = min(min(max(middle, place.y + 1u) - 1u, count - 1u), end - 1u - out);
        words[out + place.y] = packed[at] + place.x + skip.x - words[out + last];
        atomicOr(&heads[place.y / 32u], 1u << (place.y % 32u));
        if (below.x < length && middle < count) { atomicOr(&middles[middle / 32u], 1u << (middle % 32u)); }
      }
      place += vec4<u32>(skip.x + 1u, length, 0u, 0u);
    }
  }
  storageBarrier();
  workgroupBarrier();

  // A neighbour below the vertex is seen from the one behind it. The numbers of a list above its vertex alone are not yet in what is added.
  let half = EACH * (lane % 2u);
  let head = (atomicLoad(&heads[lane / 2u]) >> half) & 0xffffu;
  let middle = (atomicLoad(&middles[lane / 2u]) >> half) & 0xffffu;
  var added = vec2<u32>();
  for (var isKnown = 0u; isKnown < 2u; isKnown++) {
    if (isKnown == 1u) { added = scan(lane, vec4<u32>(0u, head, added), true).zw; }
    var sum = sumBefore;
    for (var i = 0u; i < some; i++) {
      let number = values[i] - sum;
      sum = values[i];
      if (((head >> i) & 1u) != 0u) {
        added = vec2<u32>(0u, words[first + i] + select(0u, number, ((middle >> i) & 1u) != 0u));
      }
      if (((middle >> i) & 1u) != 0u) { added.x = 1u; }
      if (isKnown == 1u && first + i < end) { words[first + i] = added.y + sum - select(number, 0u, added.x == 1u); }
    }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) launched: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let group = id.y * launched.x + id.x;
  if (group * GROUP_WORDS >= params.count) { return; }
  let piece = group / GROUPS;
  let inPiece = group % GROUPS;
  let isLast = (piece + 1u) * GROUPS * GROUP_WORDS >= params.count;
  let block = blocks[params.piece + piece] - blocks[params.piece];
  var at = block + select(GROUPS, params.last, isLast);
  if (inPiece > 0u) { at = block + packed[block + inPiece - 1u]; }
  let begin = params.first + group * GROUP_WORDS;
  let end = params.first + params.count;
  let wanted = min(GROUP_WORDS, end - begin);
  for (var done = 0u; done < wanted;) {
    let kind = packed[at] & 3u;
    let count = packed[at] >> 2u;
    if (count == 0u || count > GROUP_WORDS - done) { return; }
    let out = begin + done;
    if (kind == RAW) {
      for (var i = lane; i < count && out + i < end; i += WORKGROUP) { words[out + i] = packed[at + 1u + i]; }
      at += 1u + count;
    } else if (kind == OFFSETS) {
      offsets(at + 1u, count / 2u, out, end, lane);
      at = open(at + 3u, count / 2u).next;
    } else {
      let hasMarks = kind == MARKED_LISTS;
      lists(at + 1u, count, out, end, hasMarks, lane);
      at = openLists(at + 1u, count, hasMarks).numbers.next;
    }
    done += count;
  }
}
