// Purpose: phase 1. An open vertex is a candidate when no open neighbour has a greater key.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, lines 6-9. The greatest key among the open neighbours is not computed: the
//          first greater one is enough, and the vertex waits for it. What was passed was lower or is gone for good.
// Reads:   offsets and lists of the batch's vertices [first, first + count), keys, open, counters[previous].
// Writes:  cursors: how far each (vertex, seed) has come in its list; cands and candsAny, by atomic or.
// Invariant: keys do not change and open only loses bits, so a cursor only moves forward; every walk that is left unfinished after
//          PATIENCE entries is ended by the whole workgroup. `first` is a multiple of 32. A piece is 256 (vertex, seed) pairs;
//          workgroups stride over them and pass those by that have nothing open, which late rounds mostly consist of.

struct Params { first: u32, count: u32, seeds: u32, previous: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> lists: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read> open: array<u32>;
@group(0) @binding(5) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(6) var<storage, read_write> cands: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> candsAny: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read> counters: array<u32>;

const WORKGROUP = 256u;
// Entries that a thread walks alone.
const PATIENCE = 32u;
const NONE = 0xffffffffu;
// 256 (vertex, seed) pairs lie in at most this many words.
const WORDS = 64u;

var<workgroup> picks: array<u32, WORKGROUP>;
var<workgroup> picked: atomic<u32>;
var<workgroup> words: array<atomic<u32>, WORDS>;
var<workgroup> waiting: array<u32, WORKGROUP>;
var<workgroup> waitingAt: array<u32, WORKGROUP>;
var<workgroup> waitingCount: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> start: u32;
var<workgroup> obstacle: atomic<u32>;
var<workgroup> found: u32;

fn isAbove(entry: u32, seed: u32, own: u32) -> bool {
  let u = lists[entry];
  // Both are asked for at once.
  let isOpen = (open[(u / 32u) * params.seeds + seed] >> (u % 32u)) & 1u;
  let key = keys[u * params.seeds + seed];
  return isOpen != 0u && key > own;
}

fn hasOpen(piece: u32) -> bool {
  let last = min(params.count - 1u, (WORKGROUP * piece + WORKGROUP - 1u) / params.seeds);
  let end = ((params.first + last) / 32u + 1u) * params.seeds;
  var pairs = 0u;
  for (var word = (params.first + WORKGROUP * piece / params.seeds) / 32u * params.seeds; word < end; word++) {
    pairs |= open[word];
  }
  return pairs != 0u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let pieces = (params.count * params.seeds + WORKGROUP - 1u) / WORKGROUP;
  for (var nearest = group.x; nearest < pieces; nearest += groups.x * WORKGROUP) {
    let piece = nearest + lane * groups.x;
    if (piece < pieces && counters[params.previous] != 0u && hasOpen(piece)) {
      picks[atomicAdd(&picked, 1u)] = piece;
    }
    workgroupBarrier();
    if (lane == 0u) { total = atomicExchange(&picked, 0u); }
    let count = workgroupUniformLoad(&total);
    for (var item = 0u; item < count; item++) {
      let base = WORKGROUP * picks[item];
      let firstSegment = (params.first + base / params.seeds) / 32u;
      let pair = base + lane;
      let i = pair / params.seeds;
      let seed = pair % params.seeds;
      let v = params.first + i;
      if (i < params.count && ((open[(v / 32u) * params.seeds + seed] >> (v % 32u)) & 1u) != 0u) {
        let slot = v * params.seeds + seed;
        let own = keys[slot];
        let end = offsets[i + 1u];
        let begin = offsets[i] + cursors[slot];
        let limit = min(end, begin + PATIENCE);
        var at = begin;
        // Two entries at a time, as each is three loads of which one waits for another; what is past the first greater one is dropped.
        while (at < limit) {
          let isFirst = isAbove(at, seed, own);
          let isSecond = isAbove(min(at + 1u, limit - 1u), seed, own);
          if (isFirst) { break; }
          at = min(at + 1u, limit);
          if (isSecond || at == limit) { break; }
          at++;
        }
        if (at == end) {
          atomicOr(&words[(v / 32u - firstSegment) * params.seeds + seed], 1u << (v % 32u));
        } else if (at == limit) {
          let place = atomicAdd(&waitingCount, 1u);
          waiting[place] = pair;
          waitingAt[place] = at;
        }
        if (at != begin) { cursors[slot] = at - offsets[i]; }
      }
      workgroupBarrier();
      if (lane == 0u) { total = atomicLoad(&waitingCount); }
      let walks = workgroupUniformLoad(&total);
      for (var walk = 0u; walk < walks; walk++) {
        let other = waiting[walk];
        let j = other / params.seeds;
        let itsSeed = other % params.seeds;
        let u = params.first + j;
        let slot = u * params.seeds + itsSeed;
        let own = keys[slot];
        let end = offsets[j + 1u];
        if (lane == 0u) { start = waitingAt[walk]; }
        loop {
          if (lane == 0u) { atomicStore(&obstacle, NONE); }
          let begin = workgroupUniformLoad(&start);
          let at = begin + lane;
          if (at < end && isAbove(at, itsSeed, own)) { atomicMin(&obstacle, at); }
          workgroupBarrier();
          if (lane == 0u) {
            let first = atomicLoad(&obstacle);
            start = min(first, end);
            found = 1u;
            if (first == NONE && begin + WORKGROUP < end) {
              start = begin + WORKGROUP;
              found = 0u;
            }
          }
          if (workgroupUniformLoad(&found) != 0u) { break; }
        }
        if (lane == 0u) {
          if (start == end) { atomicOr(&words[(u / 32u - firstSegment) * params.seeds + itsSeed], 1u << (u % 32u)); }
          cursors[slot] = start - offsets[j];
        }
        workgroupBarrier();
      }
      if (lane == 0u) { atomicStore(&waitingCount, 0u); }
      if (lane < WORDS) {
        let bits = atomicExchange(&words[lane], 0u);
        if (bits != 0u) {
          atomicOr(&cands[firstSegment * params.seeds + lane], bits);
          atomicOr(&candsAny[firstSegment + lane / params.seeds], bits);
        }
      }
      workgroupBarrier();
    }
  }
}
