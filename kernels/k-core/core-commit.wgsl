// Purpose: makes the drafts of due vertices their bounds, and lists what changed, for other workers.
// Source:  Montresor, De Pellegrini, Miorandi, PODC 2011, Algorithm 1 (a vertex tells its new bound).
// Reads:   drafts and due bits of the vertices [low, low + count), by their place.
// Writes:  cores; changes: a vertex and its bound for each that fell; how many: counters[0].

struct Params { low: u32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> due: array<u32>;
@group(0) @binding(2) var<storage, read> drafts: array<u32>;
@group(0) @binding(3) var<storage, read_write> cores: array<u32>;
@group(0) @binding(4) var<storage, read_write> changes: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let place = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (place >= params.count || ((due[place / 32u] >> (place % 32u)) & 1u) == 0u) { return; }
  let v = params.low + place;
  let bound = drafts[place];
  if (bound == cores[v]) { return; }
  cores[v] = bound;
  let slot = atomicAdd(&counters[0], 1u);
  changes[2u * slot] = v;
  changes[2u * slot + 1u] = bound;
}
