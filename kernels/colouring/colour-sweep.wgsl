// Purpose: colours every uncoloured vertex of which all neighbours of higher priority are coloured with the least colour that none of its
//          neighbours has.
// Source:  Jones, Plassmann, SIAM Journal on Scientific Computing 14(3), 1993, section 4; priorities by degree: Hasenplaugh, Kaler,
//          Schardl, Leiserson, SPAA 2014.
// Reads:   keys of all vertices; the lists of those in [first, first + rows); where a scan stopped (cursors [v - low]).
// Writes:  colours: a word for each vertex, 2^32 - 1 while it has none; cursors; counters: vertices left, vertices coloured.
// Invariant: a coloured vertex keeps its colour, and no neighbour of lower priority is coloured before it: the colours do not depend on
//          timing, nor on how often or in which order vertices are visited.

struct Params { first: u32, rows: u32, low: u32, shift: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> colours: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
// Longer lists are scanned by the whole workgroup.
const SHORT = 96u;
// Colours that are looked at together by a workgroup: a bit each.
const WINDOW = 2048u;
const WINDOW_WORDS = 64u;

var<workgroup> longs: atomic<u32>;
var<workgroup> rowsOf: array<u32, 256>;
var<workgroup> many: u32;
var<workgroup> row: u32;
var<workgroup> blocked: atomic<u32>;
var<workgroup> taken: array<atomic<u32>, 64>;
var<workgroup> free: atomic<u32>;
var<workgroup> shown: u32;
var<workgroup> left: atomic<u32>;
var<workgroup> done: atomic<u32>;

// A bijection: hashes never tie.
fn vertexHash(v: u32) -> u32 {
  var x = v + params.shift;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  x = ((x >> 16u) ^ x) * 0x45d9f3bu;
  return (x >> 16u) ^ x;
}

fn precedes(u: u32, v: u32) -> bool {
  let other = keys[u];
  let mine = keys[v];
  if (other != mine) { return other > mine; }
  return vertexHash(u) > vertexHash(v);
}

fn blocks(u: u32, v: u32) -> bool {
  return atomicLoad(&colours[u]) == NONE && precedes(u, v);
}

// The least colour of no neighbour, 32 at a time.
fn leastFree(begin: u32, end: u32) -> u32 {
  for (var base = 0u; ; base += 32u) {
    var mask = 0u;
    for (var at = begin; at < end; at++) {
      let place = atomicLoad(&colours[targets[at]]) - base;
      if (place < 32u) { mask |= 1u << place; }
    }
    if (mask != NONE) { return base + countTrailingZeros(~mask); }
  }
}

fn visitShort(own: u32, begin: u32, end: u32) {
  let v = params.first + own;
  for (var at = begin + cursors[v - params.low]; at < end; at++) {
    if (blocks(targets[at], v)) {
      cursors[v - params.low] = at - begin;
      atomicAdd(&left, 1u);
      return;
    }
  }
  atomicStore(&colours[v], leastFree(begin, end));
  atomicAdd(&done, 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let mine = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (mine < params.rows && atomicLoad(&colours[params.first + mine]) == NONE) {
    let begin = offsets[mine];
    let end = offsets[mine + 1u];
    if (end - begin <= SHORT) { visitShort(mine, begin, end); }
    else {
      // Most still wait for the neighbour of the sweep before.
      let v = params.first + mine;
      let at = begin + cursors[v - params.low];
      if (at < end && blocks(targets[at], v)) { atomicAdd(&left, 1u); }
      else { rowsOf[atomicAdd(&longs, 1u)] = mine; }
    }
  }
  workgroupBarrier();
  if (lane == 0u) { many = atomicLoad(&longs); }
  let lists = workgroupUniformLoad(&many);
  for (var slot = 0u; slot < lists; slot++) {
    if (lane == 0u) {
      row = rowsOf[slot];
      atomicStore(&blocked, NONE);
    }
    let own = workgroupUniformLoad(&row);
    let v = params.first + own;
    let begin = offsets[own];
    let end = offsets[own + 1u];
    // The first neighbour that is waited for, a stretch of the list at a time.
    if (lane == 0u) { shown = begin + cursors[v - params.low]; }
    var stretch = workgroupUniformLoad(&shown);
    var waits = false;
    loop {
      if (stretch >= end || waits) { break; }
      let at = stretch + lane;
      if (at < end && blocks(targets[at], v)) { atomicMin(&blocked, at); }
      workgroupBarrier();
      if (lane == 0u) { shown = atomicLoad(&blocked); }
      waits = workgroupUniformLoad(&shown) != NONE;
      stretch += WORKGROUP;
    }
    if (waits) {
      if (lane == 0u) {
        cursors[v - params.low] = atomicLoad(&blocked) - begin;
        atomicAdd(&left, 1u);
      }
      continue;
    }
    var colour = NONE;
    for (var base = 0u; colour == NONE; base += WINDOW) {
      if (lane < WINDOW_WORDS) { atomicStore(&taken[lane], 0u); }
      if (lane == 0u) { atomicStore(&free, NONE); }
      workgroupBarrier();
      for (var at = begin + lane; at < end; at += WORKGROUP) {
        let place = atomicLoad(&colours[targets[at]]) - base;
        if (place < WINDOW) { atomicOr(&taken[place / 32u], 1u << (place % 32u)); }
      }
      workgroupBarrier();
      if (lane < WINDOW_WORDS) {
        let mask = atomicLoad(&taken[lane]);
        if (mask != NONE) { atomicMin(&free, base + 32u * lane + countTrailingZeros(~mask)); }
      }
      workgroupBarrier();
      if (lane == 0u) { shown = atomicLoad(&free); }
      colour = workgroupUniformLoad(&shown);
    }
    if (lane == 0u) {
      atomicStore(&colours[v], colour);
      atomicAdd(&done, 1u);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&counters[0], atomicLoad(&left));
    atomicAdd(&counters[1], atomicLoad(&done));
  }
}
