// Purpose: the first sweep over a batch. Each vertex walks its entries from the highest down until one decides it.
// Source:  ECL-MIS (TOPC 2018, section 3.1): asynchronous, a thread reads whatever its neighbours have come to; here by pull
//          over the oriented view in priority order, so that each vertex is written by its own thread only.
// Reads:   heads, tailOffsets, tails, and the states of entries, which all stand before their vertex.
// Writes:  the states of positions [first, first + count); counters[counter]: how many are still undecided; `list`: as many
//          of them as it holds. The host sees by the count that there are more; they wait for the next pass.
// Invariant: a state only gains bits, so a load that is late sends a vertex to the list and does nothing worse; `first` is a
//          multiple of 16, so no state word is shared with another batch.

struct Params { first: u32, count: u32, counter: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> heads: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> tailOffsets: array<u32>;
@group(0) @binding(4) var<storage, read> tails: array<u32>;
@group(0) @binding(5) var<storage, read_write> list: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const UNDECIDED = 0u;
const IN = 1u;
const OUT = 2u;
const HEAD_WIDTH = 2u;
const NO_ENTRY = 0xffffffffu;
// Walks before a vertex goes to the list; after the first, nearly all it waited for are decided.
const SWEEPS = 3u;
// Entries of a tail that are looked at here; longer walks would hold up the workgroup.
const TAIL_LOOKS = 16u;

var<workgroup> decided: array<atomic<u32>, 16>;
var<workgroup> waiting: atomic<u32>;
var<workgroup> base: u32;

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
  var cursor = 0u;    // entries known to be out, from the highest down
  for (var sweep = 0u; sweep < SWEEPS; sweep++) {
    if (open) {
      var state = IN;    // unless an entry says otherwise
      if (cursor == 0u && pair.x != NO_ENTRY) {
        let seen = stateOf(pair.x);
        if (seen == OUT) { cursor = 1u; } else { state = select(UNDECIDED, OUT, seen == IN); }
      }
      if (cursor == 1u && pair.y != NO_ENTRY) {
        let seen = stateOf(pair.y);
        if (seen == OUT) { cursor = 2u; } else { state = select(UNDECIDED, OUT, seen == IN); }
      }
      if (cursor >= HEAD_WIDTH) {
        let tail = tailOffsets[i];
        let entries = HEAD_WIDTH + tailOffsets[i + 1u] - tail;
        let limit = cursor + TAIL_LOOKS;
        while (cursor < entries) {
          if (cursor == limit) { state = UNDECIDED; break; }
          let seen = stateOf(tails[tail + cursor - HEAD_WIDTH]);
          if (seen != OUT) { state = select(UNDECIDED, OUT, seen == IN); break; }
          cursor++;
        }
      }
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
  var slot = 0u;
  if (open) { slot = atomicAdd(&waiting, 1u); }
  workgroupBarrier();
  if (lane == 0u) {
    let length = atomicLoad(&waiting);
    if (length != 0u) { base = atomicAdd(&counters[params.counter], length); }
  }
  workgroupBarrier();
  if (open && base + slot < arrayLength(&list)) { list[base + slot] = vec2<u32>(i, cursor); }
}
