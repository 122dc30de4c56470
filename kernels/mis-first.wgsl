// Purpose: a sweep over a batch by its heads alone, where the tails are not on the device.
// Source:  ECL-MIS (TOPC 2018, section 3.1), by pull over the oriented view; the first entries decide nearly every vertex.
// Reads:   heads, and the states of entries, which all stand before their vertex.
// Writes:  the states of positions [first, first + count), where the heads say enough: one of them is in, or there are no more.
// Invariant: a state only gains bits; `first` is a multiple of 16, so no state word is shared with another batch.

struct Params { first: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> heads: array<vec2<u32>>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const UNDECIDED = 0u;
const IN = 1u;
const OUT = 2u;
const NO_ENTRY = 0xffffffffu;
// Looks at entries of the same launch, which others may be deciding meanwhile.
const SWEEPS = 3u;

var<workgroup> decided: array<atomic<u32>, 16>;

fn stateOf(p: u32) -> u32 {
  return (atomicLoad(&states[p / PER_WORD]) >> ((p % PER_WORD) * 2u)) & 3u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  let p = params.first + i;
  var open = false;
  var pair = vec2<u32>(NO_ENTRY);
  if (i < params.count) {
    open = stateOf(p) == UNDECIDED;
    if (open) { pair = heads[i]; }
  }
  for (var sweep = 0u; sweep < SWEEPS; sweep++) {
    if (open) {
      var first = OUT;
      var second = OUT;
      if (pair.x != NO_ENTRY) { first = stateOf(pair.x); }
      if (pair.y != NO_ENTRY) { second = stateOf(pair.y); }
      var state = UNDECIDED;
      if (first == IN || second == IN) { state = OUT; }
      else if (first == OUT && pair.y == NO_ENTRY) { state = IN; }
      if (state != UNDECIDED) {
        atomicOr(&decided[lane / PER_WORD], state << ((lane % PER_WORD) * 2u));
        open = false;
      }
    }
    workgroupBarrier();
    if (lane < 16u) {
      let bits = atomicExchange(&decided[lane], 0u);
      if (bits != 0u) { atomicOr(&states[p / PER_WORD + lane], bits); }   // p is in the first word of the workgroup
    }
    workgroupBarrier();
  }
}
