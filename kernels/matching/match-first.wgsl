// Purpose: the first round: every vertex points at its best neighbour, and mutual pointers match.
// Source:  LD-GPU (SC 2024), Algorithm 1, lines 3-10, where no vertex has a mate before.
// Reads:   kept of vertices [0, count).
// Writes:  pointers, matched; kept of those without a neighbour; counters[open]: vertices with a pointer.
// Invariant: the first candidate does not change, so both ends of a pair agree.

struct Params { count: u32, open: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> kept: array<u32>;
@group(0) @binding(2) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(3) var<storage, read_write> matched: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
const ENDED = 0x200u;

var<workgroup> bits: array<atomic<u32>, 8>;
var<workgroup> pointing: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let start = (group.y * groups.x + group.x) * WORKGROUP;
  let v = start + lane;
  let row = CANDIDATES + 1u;
  if (lane < 8u) { atomicStore(&bits[lane], 0u); }
  if (lane == 0u) { atomicStore(&pointing, 0u); }
  workgroupBarrier();
  if (v < params.count) {
    let u = kept[row * v + 1u];
    pointers[v] = u;
    if (u == NONE) { kept[row * v] = ENDED; }
    else {
      atomicAdd(&pointing, 1u);
      if (kept[row * u + 1u] == v) { atomicOr(&bits[lane / 32u], 1u << (lane % 32u)); }
    }
  }
  workgroupBarrier();
  if (lane < 8u && start + 32u * lane < params.count) { matched[start / 32u + lane] = atomicLoad(&bits[lane]); }
  if (lane == 0u) { atomicAdd(&counters[params.open], atomicLoad(&pointing)); }
}
