// Purpose: the late rounds, all that are left, in one launch: once few pairs of a vertex and a seed are open, rounds of three
//          launches take longer to start than to run.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2. Rounds are what they are in launches of their own; phase 2 goes from each candidate
//          to its neighbours, as the few lists are shorter than the tiles around them.
// Reads:   offsets and lists of all vertices, keys; counters[record]: open pairs, and three words on how many words of `open` are not 0,
//          which stand from counters[queue] on; counters of earlier rounds.
// Writes:  open, members, counters of the rounds that it does: open pairs, and 1 three words on. hits stays zero.
// Invariant: one workgroup. It does nothing where more than MOST_PAIRS are open, or one of them has more than LONGEST neighbours. A
//          thread keeps its pairs to the end, so that nobody else writes their bits, and the order of the queue changes nothing. It ends
//          with round `last`, and where PATIENCE rounds since the record `first` decided fewer than half of what was open.

struct Params { seeds: u32, record: u32, queue: u32, first: u32, last: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> lists: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> open: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> members: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const MOST_PAIRS = 1024u;
const LONGEST = 512u;
const PATIENCE = 32u;
const RECORD = 4u;
// In a record: how many words of `open` are not 0, or that the round was done here.
const KIND = 3u;

// Pairs, 32 for each word of `open`; a thread's are WORKGROUP apart.
var<workgroup> pairs: array<u32, MOST_PAIRS>;
var<workgroup> placed: atomic<u32>;
var<workgroup> left: atomic<u32>;
var<workgroup> isRefused: atomic<u32>;
var<workgroup> goesOn: u32;

struct Pair { v: u32, seed: u32, word: u32, bit: u32 }

fn pairAt(slot: u32) -> Pair {
  let pair = pairs[slot];
  let word = pair / 32u;
  return Pair(32u * (word / params.seeds) + pair % 32u, word % params.seeds, word, 1u << (pair % 32u));
}

fn isAbove(entry: u32, seed: u32, own: u32) -> bool {
  let u = lists[entry];
  let isOpen = (atomicLoad(&open[(u / 32u) * params.seeds + seed]) >> (u % 32u)) & 1u;
  let key = keys[u * params.seeds + seed];
  return isOpen != 0u && key > own;
}

fn isCandidate(pair: Pair) -> bool {
  let own = keys[pair.v * params.seeds + pair.seed];
  let end = offsets[pair.v + 1u];
  for (var at = offsets[pair.v]; at < end; at += 4u) {
    // Four at once, as each waits for two loads.
    let a = isAbove(at, pair.seed, own);
    let b = isAbove(min(at + 1u, end - 1u), pair.seed, own);
    let c = isAbove(min(at + 2u, end - 1u), pair.seed, own);
    let d = isAbove(min(at + 3u, end - 1u), pair.seed, own);
    if (a || b || c || d) { return false; }
  }
  return true;
}

fn tellNeighbours(pair: Pair) {
  let end = offsets[pair.v + 1u];
  for (var at = offsets[pair.v]; at < end; at++) {
    let u = lists[at];
    let word = (u / 32u) * params.seeds + pair.seed;
    let bit = 1u << (u % 32u);
    if ((atomicLoad(&open[word]) & bit) != 0u) { atomicOr(&hits[word], bit); }
  }
}

// Whether a pair stays open.
fn update(pair: Pair, isChosen: bool) -> bool {
  let isHit = (atomicLoad(&hits[pair.word]) & pair.bit) != 0u;
  if (isHit) { atomicAnd(&hits[pair.word], ~pair.bit); }
  if (isChosen && !isHit) { atomicOr(&members[pair.word], pair.bit); }
  if (isChosen || isHit) { atomicAnd(&open[pair.word], ~pair.bit); }
  return !isChosen && !isHit;
}

fn listPairs(lane: u32) {
  let words = atomicLoad(&counters[params.record + KIND]);
  for (var i = lane; i < words; i += WORKGROUP) {
    let word = atomicLoad(&counters[params.queue + i]);
    for (var rest = atomicLoad(&open[word]); rest != 0u; rest &= rest - 1u) {
      pairs[atomicAdd(&placed, 1u)] = 32u * word + firstTrailingBit(rest);
    }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { goesOn = atomicLoad(&counters[params.record]); }
  let count = workgroupUniformLoad(&goesOn);
  if (count == 0u || count > MOST_PAIRS || params.record >= params.last) { return; }
  listPairs(lane);
  workgroupBarrier();
  var own = 0u;
  for (var slot = lane; slot < count; slot += WORKGROUP) {
    let v = pairAt(slot).v;
    if (offsets[v + 1u] - offsets[v] > LONGEST) { atomicStore(&isRefused, 1u); }
    own++;
  }
  workgroupBarrier();
  if (lane == 0u) { goesOn = 1u - atomicLoad(&isRefused); }
  var record = params.record;
  while (workgroupUniformLoad(&goesOn) != 0u) {
    record += RECORD;
    var chosen = 0u;
    for (var i = 0u; i < own; i++) {
      if (isCandidate(pairAt(lane + WORKGROUP * i))) { chosen |= 1u << i; }
    }
    for (var i = 0u; i < own; i++) {
      if (((chosen >> i) & 1u) != 0u) { tellNeighbours(pairAt(lane + WORKGROUP * i)); }
    }
    storageBarrier();
    workgroupBarrier();
    var kept = 0u;
    for (var i = 0u; i < own; i++) {
      let slot = lane + WORKGROUP * i;
      if (update(pairAt(slot), ((chosen >> i) & 1u) != 0u)) {
        pairs[lane + WORKGROUP * kept] = pairs[slot];
        kept++;
      }
    }
    own = kept;
    if (kept != 0u) { atomicAdd(&left, kept); }
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) {
      let open = atomicExchange(&left, 0u);
      atomicStore(&counters[record], open);
      atomicStore(&counters[record + KIND], 1u);
      var isStuck = record >= params.last;
      if (record >= params.first + RECORD * PATIENCE) {
        isStuck = isStuck || 2u * open > atomicLoad(&counters[record - RECORD * PATIENCE]);
      }
      goesOn = select(1u, 0u, open == 0u || isStuck);
    }
  }
}
