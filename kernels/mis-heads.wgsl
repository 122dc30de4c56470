// Purpose: the first sweep over a batch. Each vertex looks at its two highest entries, a bounded number of times.
// Source:  ECL-MIS (TOPC 2018, section 3.1): asynchronous, a thread reads whatever its neighbours have come to; here by pull
//          over the oriented view, so that each vertex is written by its own thread only.
// Reads:   heads, tailOffsets, and the states of higher vertices anywhere in the graph.
// Writes:  the states of vertices [first, first + count); `list` and counters[counter]: those still undecided.
// Invariant: a state only gains bits; `first` is a multiple of 16, so no state word is shared with another batch.

struct Params { first: u32, count: u32, counter: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> heads: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> tailOffsets: array<u32>;
@group(0) @binding(4) var<storage, read_write> list: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const VERTICES_PER_WORD = 16u;
const UNDECIDED = 0u;
const IN = 1u;
const OUT = 2u;
const NO_ENTRY = 0xffffffffu;
// Looks at the heads before a vertex goes to the list.
const SWEEPS = 4u;

var<workgroup> decided: array<atomic<u32>, 16>;
var<workgroup> waiting: atomic<u32>;
var<workgroup> base: u32;

fn stateOf(v: u32) -> u32 {
  return (atomicLoad(&states[v / VERTICES_PER_WORD]) >> ((v % VERTICES_PER_WORD) * 2u)) & 3u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  let v = params.first + i;
  let shift = (v % VERTICES_PER_WORD) * 2u;
  var open = false;
  var entry = vec2<u32>(NO_ENTRY);
  var first = OUT;    // state of the higher entry
  var second = OUT;
  var hasTail = false;
  if (i < params.count) {
    open = stateOf(v) == UNDECIDED;
    if (open) {
      entry = heads[i];
      first = select(UNDECIDED, OUT, entry.x == NO_ENTRY);
      second = select(UNDECIDED, OUT, entry.y == NO_ENTRY);
      if (entry.y != NO_ENTRY) { hasTail = tailOffsets[i + 1u] != tailOffsets[i]; }
    }
  }
  for (var sweep = 0u; sweep < SWEEPS; sweep++) {
    if (open) {
      if (first == UNDECIDED) { first = stateOf(entry.x); }
      if (first != IN && second == UNDECIDED) { second = stateOf(entry.y); }
      var state = UNDECIDED;
      if (first == IN || second == IN) { state = OUT; }
      else if (first == OUT && second == OUT && !hasTail) { state = IN; }
      if (state != UNDECIDED) {
        atomicOr(&decided[lane / VERTICES_PER_WORD], state << shift);
        open = false;
      }
    }
    workgroupBarrier();
    if (lane < 16u) {   // v is then in the first word of this workgroup
      let bits = atomicExchange(&decided[lane], 0u);
      if (bits != 0u) { atomicOr(&states[v / VERTICES_PER_WORD + lane], bits); }
    }
    workgroupBarrier();
  }
  var slot = 0u;
  if (open) { slot = atomicAdd(&waiting, 1u); }
  workgroupBarrier();
  if (lane == 0u) {
    let length = atomicLoad(&waiting);
    if (length != 0u) { base = atomicAdd(&counters[params.counter], length); }
  }
  workgroupBarrier();
  if (open) {
    // The second word is the cursor: entries known to be out from the highest down.
    let cursor = select(0u, select(1u, 2u, second == OUT), first == OUT);
    list[base + slot] = vec2<u32>(i, cursor);
  }
}
