// Purpose: colours the vertices of a list of which all predecessors are coloured with the least colour that none of these has, and keeps the
//          others, each with the predecessor of the lowest priority that it waits for: most are coloured in the order of their keys.
// Source:  Jones, Plassmann, SIAM Journal on Scientific Computing 14(3), 1993, section 4; priorities by degree: Hasenplaugh, Kaler,
//          Schardl, Leiserson, SPAA 2014.
// Reads:   entries of `list`: [base, base + kept), then `admitted` from base + at on; kept is counters [slot] where it is NONE. Vertices as
//          v - low. How many predecessors each has (states [2 (v - low)]): the front of its list.
// Writes:  colours: a word for each vertex, NONE while it has none; states [2 (v - low) + 1]: one more than the predecessor waited for;
//          `rest` from word `to` on: the vertices that wait, and their number to counters [slot + 1].
// Invariant: a coloured vertex keeps its colour, and none is coloured before its predecessors: the colours do not depend on timing, nor on
//          how often or in which order vertices are visited.

const WORKGROUP = 64u;
// More predecessors are read by the whole workgroup.
const SHORT = 96u;
// Colours that a workgroup looks at together: a bit each.
const WINDOW = 2048u;
// Predecessors that an invocation reads at a time.
const STRETCH = 4u;

var<workgroup> shown: u32;
var<workgroup> longs: atomic<u32>;
var<workgroup> longOf: array<u32, 64>;
var<workgroup> waits: atomic<u32>;
var<workgroup> waitOf: array<u32, 64>;
var<workgroup> least: atomic<u32>;
var<workgroup> last: atomic<u32>;
var<workgroup> taken: array<atomic<u32>, 64>;
var<workgroup> free: atomic<u32>;

fn keepWaiting(own: u32) { waitOf[atomicAdd(&waits, 1u)] = own; }

fn visitShort(own: u32, begin: u32, end: u32) {
  // As many colours as predecessors, and one more.
  var mask = array<u32, 4>(0u, 0u, 0u, 0u);
  var waited = NONE;
  var key = 0u;
  for (var at = begin; at < end; at++) {
    let u = targets[at];
    let colour = atomicLoad(&colours[u]);
    if (colour < 128u) {
      let bit = 1u << (colour & 31u);
      for (var word = 0u; word < 4u; word++) { mask[word] |= select(0u, bit, word == colour >> 5u); }
    } else if (colour == NONE) {
      let other = keys[u];
      if (waited == NONE || precedes(waited, key, u, other)) {
        waited = u;
        key = other;
      }
    }
  }
  if (waited != NONE) {
    states[2u * own + 1u] = waited + 1u;
    keepWaiting(own);
    return;
  }
  var colour = 0u;
  for (var word = 4u; word > 0u; word--) {
    let open = ~mask[word - 1u];
    if (open != 0u) { colour = 32u * (word - 1u) + countTrailingZeros(open); }
  }
  atomicStore(&colours[params.low + own], colour);
}

// By the whole workgroup.
fn visitLong(own: u32, begin: u32, end: u32, lane: u32) {
  for (var base = 0u; ; base += WINDOW) {
    atomicStore(&taken[lane], 0u);
    if (lane == 0u) {
      atomicStore(&least, NONE);
      atomicStore(&last, NONE);
      atomicStore(&free, NONE);
    }
    workgroupBarrier();
    var waited = NONE;
    var key = NONE;
    for (var stretch = begin + lane; stretch < end; stretch += STRETCH * WORKGROUP) {
      var read: array<u32, 4>;
      for (var i = 0u; i < STRETCH; i++) { read[i] = targets[min(stretch + i * WORKGROUP, end - 1u)]; }
      for (var i = 0u; i < STRETCH; i++) {
        let u = read[i];
        let colour = atomicLoad(&colours[u]);
        let place = colour - base;
        if (colour == NONE) {
          let other = keys[u];
          if (waited == NONE || other < key) {
            waited = u;
            key = other;
          }
        } else if (place < WINDOW) { atomicOr(&taken[place / 32u], 1u << (place % 32u)); }
      }
    }
    if (waited != NONE) { atomicMin(&least, key); }
    workgroupBarrier();
    if (waited != NONE && atomicLoad(&least) == key) { atomicStore(&last, waited); }
    let mask = atomicLoad(&taken[lane]);
    if (mask != NONE) { atomicMin(&free, base + 32u * lane + countTrailingZeros(~mask)); }
    workgroupBarrier();
    if (lane == 0u) {
      if (atomicLoad(&last) != NONE) {
        states[2u * own + 1u] = atomicLoad(&last) + 1u;
        keepWaiting(own);
        shown = 1u;
      } else {
        let colour = atomicLoad(&free);
        if (colour != NONE) { atomicStore(&colours[params.low + own], colour); }
        shown = select(0u, 1u, colour != NONE);
      }
    }
    if (workgroupUniformLoad(&shown) == 1u) { return; }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { shown = params.kept; }
  if (lane == 0u && params.kept == NONE) { shown = atomicLoad(&counters[params.slot]); }
  let kept = workgroupUniformLoad(&shown);
  let count = kept + params.admitted;
  let index = group.y * groups.x + group.x;
  for (var begin = index * WORKGROUP; begin < count; begin += groups.x * groups.y * WORKGROUP) {
    let entry = begin + lane;
    if (entry < count) {
      let own = list[params.base + select(params.at + entry - kept, entry, entry < kept)];
      let waited = states[2u * own + 1u];
      let row = params.low + own - params.first;
      let preceding = states[2u * own];
      if (waited != 0u && atomicLoad(&colours[waited - 1u]) == NONE) { keepWaiting(own); }
      else if (preceding > SHORT) { longOf[atomicAdd(&longs, 1u)] = own; }
      else { visitShort(own, offsets[row], offsets[row] + preceding); }
    }
    workgroupBarrier();
    if (lane == 0u) { shown = atomicLoad(&longs); }
    let lists = workgroupUniformLoad(&shown);
    for (var slot = 0u; slot < lists; slot++) {
      if (lane == 0u) { shown = longOf[slot]; }
      let own = workgroupUniformLoad(&shown);
      let start = offsets[params.low + own - params.first];
      visitLong(own, start, start + states[2u * own], lane);
    }
    workgroupBarrier();
    if (lane == 0u) {
      let many = atomicLoad(&waits);
      if (many > 0u) { shown = params.to + atomicAdd(&counters[params.slot + 1u], many); }
    }
    let place = workgroupUniformLoad(&shown);
    if (lane < atomicLoad(&waits)) { rest[place + lane] = waitOf[lane]; }
    workgroupBarrier();
    if (lane == 0u) {
      atomicStore(&waits, 0u);
      atomicStore(&longs, 0u);
    }
    workgroupBarrier();
  }
}
