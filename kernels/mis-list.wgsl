// Purpose: a sweep over the vertices that are still undecided, each from its cursor on, a bounded number of looks.
// Source:  ECL-MIS (TOPC 2018, section 3.1), by pull over the oriented view; the cursor passes an entry that is out for good.
// Reads:   listIn [0, counters[counterIn]) as far as the list goes, heads, tailOffsets, tails, the states of higher vertices.
// Writes:  the states of vertices of the list; listOut and counters[counterOut]: those still undecided, with their cursors.
// Invariant: a state only gains bits; every vertex stands in the list at most once, so only its own thread sets its state.

struct Params { first: u32, counterIn: u32, counterOut: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> heads: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> tailOffsets: array<u32>;
@group(0) @binding(4) var<storage, read> tails: array<u32>;
@group(0) @binding(5) var<storage, read> listIn: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> listOut: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const PER_WORD = 16u;
const UNDECIDED = 0u;
const IN = 1u;
const OUT = 2u;
const HEAD_WIDTH = 2u;
// Looks at an undecided entry before a vertex gives up for this sweep.
const PATIENCE = 8u;
// Entries after the undecided one that are looked at for a member.
const LOOK_AHEAD = 2u;

var<workgroup> length: u32;
var<workgroup> waiting: atomic<u32>;
var<workgroup> base: u32;

fn stateOf(p: u32) -> u32 {
  return (atomicLoad(&states[p / PER_WORD]) >> ((p % PER_WORD) * 2u)) & 3u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { length = min(atomicLoad(&counters[params.counterIn]), arrayLength(&listIn)); }
  let total = workgroupUniformLoad(&length);
  for (var start = group.x * WORKGROUP; start < total; start += groups.x * WORKGROUP) {
    let at = start + lane;
    var open = at < total;
    var item = vec2<u32>(0u);
    var cursor = 0u;
    if (open) {
      item = listIn[at];
      cursor = item.y;
      let i = item.x;
      let pair = heads[i];
      let tail = tailOffsets[i];
      let entries = HEAD_WIDTH + tailOffsets[i + 1u] - tail;
      var state = IN;   // unless an entry says otherwise
      var looks = 0u;
      while (cursor < entries) {
        var entry = pair.x;
        if (cursor == 1u) { entry = pair.y; }
        if (cursor >= HEAD_WIDTH) { entry = tails[tail + cursor - HEAD_WIDTH]; }
        if (entry == 0xffffffffu) { break; }
        let seen = stateOf(entry);
        if (seen == IN) { state = OUT; break; }
        if (seen == OUT) { cursor++; continue; }
        looks++;
        if (looks > PATIENCE) { state = UNDECIDED; break; }
      }
      if (state == UNDECIDED) {
        for (var ahead = cursor + 1u; ahead < min(cursor + 1u + LOOK_AHEAD, entries); ahead++) {
          var entry = pair.y;
          if (ahead >= HEAD_WIDTH) { entry = tails[tail + ahead - HEAD_WIDTH]; }
          if (entry == 0xffffffffu) { break; }
          if (stateOf(entry) == IN) { state = OUT; }
        }
      }
      if (state != UNDECIDED) {
        let p = params.first + i;
        atomicOr(&states[p / PER_WORD], state << ((p % PER_WORD) * 2u));
        open = false;
      }
    }
    if (lane == 0u) { atomicStore(&waiting, 0u); }
    workgroupBarrier();
    var slot = 0u;
    if (open) { slot = atomicAdd(&waiting, 1u); }
    workgroupBarrier();
    if (lane == 0u) {
      let left = atomicLoad(&waiting);
      if (left != 0u) { base = atomicAdd(&counters[params.counterOut], left); }
    }
    workgroupBarrier();
    if (open) { listOut[base + slot] = vec2<u32>(item.x, cursor); }
    workgroupBarrier();
  }
}
