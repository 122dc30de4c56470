// Purpose: a pointing phase over the open vertices of a batch. Whose pointer was matched to somebody else goes on, from its
//          cursor, to its next available neighbour; the others still wait for theirs.
// Source:  LD-GPU (SC 2024), Algorithm 1, lines 3-4, over lists in descending order, so that no weight is read and no entry twice.
// Reads:   matched; heads, tailOffsets and tails of the batch; lists at `listIn`: counters[waitIn] vertices, or the whole batch where they
//          are more than `capacity` or waitIn is NONE.
// Writes:  pointers and cursors of the batch's own vertices; at `listOut` who points at somebody (counted at waitOut, stored up to
//          `capacity`); at `changed` the pairs (vertex, pointer) that are new; at `walks` long searches, which match-walk ends; counters
//          of the round: open vertices and arcs looked at.
// Invariant: nobody is matched in this phase, so that every thread sees the same matched vertices: rounds do not depend on timing.

struct Params {
  first: u32, count: u32, own: u32, listIn: u32, listOut: u32, capacity: u32, waitIn: u32, waitOut: u32,
  changed: u32, changedCapacity: u32, walks: u32, walkCapacity: u32, round: u32
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(3) var<storage, read> matched: array<u32>;
@group(0) @binding(4) var<storage, read> heads: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> tailOffsets: array<u32>;
@group(0) @binding(6) var<storage, read> tails: array<u32>;
@group(0) @binding(7) var<storage, read_write> lists: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
const HEAD_WIDTH = 2u;
// The words of a round, and of a batch in it.
const CHANGED = 0u;
const OPEN = 1u;
const ARCS = 2u;
const WALKS = 1u;
// Looks before a search is left to a whole workgroup.
const LOOKS = 24u;

var<workgroup> listed: u32;
var<workgroup> sums: array<atomic<u32>, 4>;
var<workgroup> bases: array<u32, 2>;

fn isMatched(v: u32) -> bool {
  return ((matched[v / 32u] >> (v % 32u)) & 1u) == 1u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { listed = select(atomicLoad(&counters[params.waitIn % NONE]), NONE, params.waitIn == NONE); }
  let length = workgroupUniformLoad(&listed);
  let all = length > params.capacity;
  let total = select(length, params.count, all);
  let stride = groups.x * groups.y * WORKGROUP;
  for (var start = (group.y * groups.x + group.x) * WORKGROUP; start < total; start += stride) {
    let at = start + lane;
    var i = at;
    var pointer = NONE;
    if (at < total) {
      if (!all) { i = lists[params.listIn + at]; }
      if (!isMatched(params.first + i)) { pointer = pointers[params.first + i]; }
    }
    var waits = pointer != NONE;
    var moved = false;
    var looks = 0u;
    if (waits) { atomicAdd(&sums[2], 1u); }
    if (waits && isMatched(pointer)) {
      waits = false;
      var cursor = cursors[params.own + i] + 1u;
      var next = NONE;
      let tail = tailOffsets[i];
      let entries = HEAD_WIDTH + tailOffsets[i + 1u] - tail;
      var slot = NONE;    // of this search among the walks
      for (; cursor < entries; cursor++) {
        var entry = NONE;
        if (cursor >= HEAD_WIDTH) { entry = tails[tail + cursor - HEAD_WIDTH]; } else { entry = heads[i].y; }
        if (entry == NONE) { break; }
        if (looks == LOOKS) {
          slot = atomicAdd(&counters[params.waitOut + WALKS], 1u);
          if (slot < params.walkCapacity) {
            lists[params.walks + 2u * slot] = i;
            lists[params.walks + 2u * slot + 1u] = cursor;
            break;
          }
        }
        looks++;
        if (!isMatched(entry)) { next = entry; break; }
      }
      moved = next != NONE;
      pointers[params.first + i] = next;
      cursors[params.own + i] = cursor;
      pointer = next;
    }
    var place = 0u;
    var change = 0u;
    if (waits || moved) { place = atomicAdd(&sums[0], 1u); }
    if (moved) { change = atomicAdd(&sums[1], 1u); }
    if (looks > 0u) { atomicAdd(&sums[3], looks); }
    workgroupBarrier();
    if (lane == 0u) {
      let open = atomicExchange(&sums[2], 0u);
      let arcs = atomicExchange(&sums[3], 0u);
      let waiting = atomicExchange(&sums[0], 0u);
      let changes = atomicExchange(&sums[1], 0u);
      if (open != 0u) { atomicAdd(&counters[params.round + OPEN], open); }
      if (arcs != 0u) { atomicAdd(&counters[params.round + ARCS], arcs); }
      if (waiting != 0u) { bases[0] = atomicAdd(&counters[params.waitOut], waiting); }
      if (changes != 0u) { bases[1] = atomicAdd(&counters[params.round + CHANGED], changes); }
    }
    workgroupBarrier();
    place += bases[0];
    change += bases[1];
    if ((waits || moved) && place < params.capacity) { lists[params.listOut + place] = i; }
    if (moved && change < params.changedCapacity) {
      lists[params.changed + 2u * change] = params.first + i;
      lists[params.changed + 2u * change + 1u] = pointer;
    }
    workgroupBarrier();
  }
}
