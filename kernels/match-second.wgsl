// Purpose: a pointing phase where the device has the first two entries of each list. Whose pointer was matched to somebody else goes on to
//          the second entry, if that is free; else it points at nobody and waits for entries that are not here.
// Source:  LD-GPU (SC 2024), Algorithm 1, lines 3-4, over lists in descending order, as far as their heads lead.
// Reads:   matched; heads of the batch.
// Writes:  pointers of the batch's own vertices; `moved`: the round in which a pointer was given up last, 0 for one that is the first still;
//          at `changed` the pairs (vertex, pointer) that are new; counters of the round: open vertices, arcs looked at.
// Invariant: nobody is matched in this phase, so that every thread sees the same matched vertices: rounds do not depend on timing.

struct Params { first: u32, count: u32, own: u32, changed: u32, changedCapacity: u32, round: u32, number: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read_write> moved: array<u32>;
@group(0) @binding(3) var<storage, read> matched: array<u32>;
@group(0) @binding(4) var<storage, read> heads: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> lists: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
const CHANGED = 0u;
const OPEN = 1u;
const ARCS = 2u;

var<workgroup> sums: array<atomic<u32>, 3>;
var<workgroup> base: u32;

fn isMatched(v: u32) -> bool {
  return ((matched[v / 32u] >> (v % 32u)) & 1u) == 1u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  var pointer = NONE;
  if (i < params.count && !isMatched(params.first + i)) { pointer = pointers[params.first + i]; }
  var next = NONE;
  if (pointer != NONE) {
    atomicAdd(&sums[OPEN], 1u);
    if (isMatched(pointer)) {
      if (moved[params.own + i] == 0u) {
        let second = heads[i].y;
        if (second != NONE) {
          atomicAdd(&sums[ARCS], 1u);
          if (!isMatched(second)) { next = second; }
        }
      }
      pointers[params.first + i] = next;
      moved[params.own + i] = params.number;
    }
  }
  var change = 0u;
  if (next != NONE) { change = atomicAdd(&sums[CHANGED], 1u); }
  workgroupBarrier();
  if (lane == 0u) {
    let open = atomicLoad(&sums[OPEN]);
    let arcs = atomicLoad(&sums[ARCS]);
    let changes = atomicLoad(&sums[CHANGED]);
    if (open != 0u) { atomicAdd(&counters[params.round + OPEN], open); }
    if (arcs != 0u) { atomicAdd(&counters[params.round + ARCS], arcs); }
    if (changes != 0u) { base = atomicAdd(&counters[params.round + CHANGED], changes); }
  }
  workgroupBarrier();
  change += base;
  if (next != NONE && change < params.changedCapacity) {
    lists[params.changed + 2u * change] = params.first + i;
    lists[params.changed + 2u * change + 1u] = next;
  }
}
