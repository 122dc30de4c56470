// Purpose: the first pointing phase: every vertex of a batch points at its greatest neighbour, the first entry of its list.
// Source:  LD-GPU (SC 2024), Algorithm 1, lines 3-4, where all neighbours are available still.
// Reads:   heads of the batch.
// Writes:  pointers of [first, first + count), their cursors (0), counters[round + OPEN]: how many of them have a neighbour.
// Invariant: each thread writes its own vertex only; a vertex with no neighbour points at NONE for good.

struct Params { first: u32, count: u32, own: u32, round: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(3) var<storage, read> heads: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const NONE = 0xffffffffu;
const OPEN = 1u;

var<workgroup> opened: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i < params.count) {
    let pointer = heads[i].x;
    pointers[params.first + i] = pointer;
    cursors[params.own + i] = 0u;
    if (pointer != NONE) { atomicAdd(&opened, 1u); }
  }
  workgroupBarrier();
  if (lane == 0u) { atomicAdd(&counters[params.round + OPEN], atomicLoad(&opened)); }
}
