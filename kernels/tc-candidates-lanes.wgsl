// Purpose: phase 1 for up to 16 seeds at once. An open vertex is a candidate under a seed when no neighbour open under it has a
//          greater key.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 6-9. A vertex has 16 lanes, a byte for each seed in one vec4: 0 where the
//          vertex is decided, else 1 to 127, no greater where the key is not. One load brings a neighbour under all seeds, and a
//          subtraction compares all: (u | 128) - v leaves bit 7 of a byte set where u >= v, and borrows from no other byte.
// Reads:   offsets and lists of the batch's vertices [first, first + count), live: the lanes, keys, openAny.
// Writes:  cands and candsAny, which were zero; cursors of vertices with more than PATIENCE neighbours: the first of them that was
//          above under any seed.
// Invariant: lanes of equal value are told apart as `ties` says: 0, neither is above; 1, the larger position is; 2, the larger key is.
//          Lanes only fall to 0, so that what a cursor passed never comes back. `first` is a multiple of 32. A piece is 256 vertices
//          and owns its words; workgroups stride over pieces and pass those by that have nothing open. Walks left unfinished after
//          PATIENCE entries are ended by the whole workgroup.

struct Params { first: u32, count: u32, seeds: u32, ties: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> lists: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read> live: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> openAny: array<u32>;
@group(0) @binding(6) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(7) var<storage, read_write> cands: array<u32>;
@group(0) @binding(8) var<storage, read_write> candsAny: array<u32>;

const WORKGROUP = 256u;
// Words of 32 vertices in a piece, and words of candidates under 16 seeds.
const SEGMENTS = 8u;
const WORDS = 128u;
// Entries that a thread walks alone, of which it asks for so many at once.
const PATIENCE = 32u;
const AT_ONCE = 4u;
const BY_POSITION = 1u;
const BY_KEY = 2u;
const NONE = 0xffffffffu;
const TOPS = vec4<u32>(0x80808080u);
const ONES = vec4<u32>(0x01010101u);

var<workgroup> picks: array<u32, WORKGROUP>;
var<workgroup> picked: atomic<u32>;
var<workgroup> words: array<atomic<u32>, WORDS>;
var<workgroup> anySeed: array<atomic<u32>, SEGMENTS>;
var<workgroup> waiting: array<u32, WORKGROUP>;
var<workgroup> waitingAt: array<u32, WORKGROUP>;
var<workgroup> waitingFirst: array<u32, WORKGROUP>;
var<workgroup> waitingLanes: array<vec4<u32>, WORKGROUP>;
var<workgroup> waitingCount: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> start: u32;
var<workgroup> obstacle: atomic<u32>;
var<workgroup> passed: array<atomic<u32>, 4>;
var<workgroup> found: u32;

// Bit 7 of every lane of v, among `wanted`, that the neighbour at an entry of its list is above.
fn above(entry: u32, v: u32, own: vec4<u32>, wanted: vec4<u32>) -> vec4<u32> {
  let u = lists[entry];
  let lanes = live[u] | TOPS;
  let wins = params.ties == BY_POSITION && u > v;
  var over = (lanes - own - select(ONES, vec4(0u), wins)) & wanted;
  if (params.ties == BY_KEY) {
    let tied = (lanes - own) & wanted & ~over;
    for (var word = 0u; word < 4u; word++) {
      for (var rest = tied[word]; rest != 0u; rest &= rest - 1u) {
        let bit = firstTrailingBit(rest);
        let seed = 4u * word + bit / 8u;
        if (keys[u * params.seeds + seed] > keys[v * params.seeds + seed]) { over[word] |= 1u << bit; }
      }
    }
  }
  return over;
}

fn hasOpen(piece: u32) -> bool {
  let first = params.first / 32u + SEGMENTS * piece;
  let end = min(first + SEGMENTS, (params.first + params.count + 31u) / 32u);
  var open = 0u;
  for (var segment = first; segment < end; segment++) { open |= openAny[segment]; }
  return open != 0u;
}

// Makes the vertex at `place` of the piece a candidate under the seeds of these lanes.
fn choose(place: u32, lanes: vec4<u32>) {
  let firstWord = (place / 32u) * params.seeds;
  for (var word = 0u; word < 4u; word++) {
    for (var rest = lanes[word]; rest != 0u; rest &= rest - 1u) {
      atomicOr(&words[firstWord + 4u * word + firstTrailingBit(rest) / 8u], 1u << (place % 32u));
    }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let pieces = (params.count + WORKGROUP - 1u) / WORKGROUP;
  for (var nearest = group.x; nearest < pieces; nearest += groups.x * WORKGROUP) {
    let piece = nearest + lane * groups.x;
    if (piece < pieces && hasOpen(piece)) { picks[atomicAdd(&picked, 1u)] = piece; }
    workgroupBarrier();
    if (lane == 0u) { total = atomicExchange(&picked, 0u); }
    let count = workgroupUniformLoad(&total);
    for (var item = 0u; item < count; item++) {
      let base = WORKGROUP * picks[item];
      let i = base + lane;
      if (i < params.count) {
        let v = params.first + i;
        let own = live[v];
        let begin = offsets[i];
        let end = offsets[i + 1u];
        let isLong = end - begin > PATIENCE;
        let open = ((own | TOPS) - ONES) & TOPS;
        var lanes = open;
        var at = begin;
        if (isLong) { at += cursors[v]; }
        let limit = min(end, at + PATIENCE);
        var first = NONE;
        while (at < limit && any(lanes != vec4(0u))) {
          let last = limit - 1u;
          let over = above(at, v, own, open) | above(min(at + 1u, last), v, own, open) |
                     above(min(at + 2u, last), v, own, open) | above(min(at + 3u, last), v, own, open);
          if (first == NONE && any(over != vec4(0u))) { first = at; }
          lanes &= ~over;
          at += AT_ONCE;
        }
        at = min(at, limit);
        if (any(lanes != vec4(0u)) && at < end) {
          let place = atomicAdd(&waitingCount, 1u);
          waiting[place] = i;
          waitingAt[place] = at;
          waitingFirst[place] = first;
          waitingLanes[place] = lanes;
        } else {
          choose(lane, lanes);
          if (isLong && any(open != vec4(0u))) { cursors[v] = min(at, first) - begin; }
        }
      }
      workgroupBarrier();
      if (lane == 0u) { total = atomicLoad(&waitingCount); }
      let walks = workgroupUniformLoad(&total);
      for (var walk = 0u; walk < walks; walk++) {
        let j = waiting[walk];
        let v = params.first + j;
        let own = live[v];
        let open = ((own | TOPS) - ONES) & TOPS;
        let end = offsets[j + 1u];
        if (lane < 4u) { atomicStore(&passed[lane], 0u); }
        if (lane == 0u) {
          start = waitingAt[walk];
          atomicStore(&obstacle, waitingFirst[walk]);
        }
        loop {
          let begin = workgroupUniformLoad(&start);
          let at = begin + lane;
          if (at < end) {
            let over = above(at, v, own, open);
            if (any(over != vec4(0u))) {
              atomicMin(&obstacle, at);
              for (var word = 0u; word < 4u; word++) {
                if (over[word] != 0u) { atomicOr(&passed[word], over[word]); }
              }
            }
          }
          workgroupBarrier();
          if (lane == 0u) {
            let over = vec4(atomicLoad(&passed[0]), atomicLoad(&passed[1]), atomicLoad(&passed[2]), atomicLoad(&passed[3]));
            let lanes = waitingLanes[walk] & ~over;
            start = min(begin + WORKGROUP, end);
            found = 0u;
            if (all(lanes == vec4(0u)) || start == end) {
              found = 1u;
              choose(j - base, lanes);
              cursors[v] = min(atomicLoad(&obstacle), start) - offsets[j];
            }
          }
          if (workgroupUniformLoad(&found) != 0u) { break; }
        }
        workgroupBarrier();
      }
      if (lane == 0u) { atomicStore(&waitingCount, 0u); }
      workgroupBarrier();
      let firstSegment = (params.first + base) / 32u;
      if (lane < SEGMENTS * params.seeds) {
        let bits = atomicExchange(&words[lane], 0u);
        if (bits != 0u) {
          cands[firstSegment * params.seeds + lane] = bits;
          atomicOr(&anySeed[lane / params.seeds], bits);
        }
      }
      workgroupBarrier();
      if (lane < SEGMENTS) {
        let bits = atomicExchange(&anySeed[lane], 0u);
        if (bits != 0u) { candsAny[firstSegment + lane] = bits; }
      }
    }
    workgroupBarrier();
  }
}
