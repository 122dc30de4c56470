// Purpose: notes where lists begin that another device collected and the host copied.
// Source:  docs/matching.md.
// Reads:   entries [0, count): vertices, and where their lists would begin if word `base` were the first; free: the lists, up to word `limit`.
// Writes:  ends of these vertices from placesAt on: where the lists begin, or 0. counters: LACKING.

struct Params { count: u32, base: u32, limit: u32, placesAt: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> entries: array<u32>;
@group(0) @binding(2) var<storage, read> free: array<u32>;
@group(0) @binding(3) var<storage, read_write> ends: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const LACKING = 7u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i >= params.count) { return; }
  let place = params.base + entries[2u * i + 1u];
  let fits = place <= params.limit && free[place - 1u] <= (params.limit - place) / (1u + WEIGHTED);
  ends[params.placesAt + entries[2u * i]] = select(0u, place, fits);
  if (!fits) { atomicAdd(&counters[LACKING], 1u); }
}
