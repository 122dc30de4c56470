// Purpose: as match-best.wgsl, for vertices with long lists, a workgroup each.
// Source:  LD-GPU (SC 2024), Algorithm 3, whose warps reduce likewise.
// Reads:   longs [0, counters[LONG]); and as there.
// Writes:  kept, as there.

struct Params {
  origin: u32, weightsAt: u32, allFree: u32, keptFirst: u32,
  weights: u32, ties: u32, seedLow: u32, seedHigh: u32, least: u32
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ends: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> weightBits: array<u32>;
@group(0) @binding(4) var<storage, read> matched: array<u32>;
@group(0) @binding(5) var<storage, read_write> kept: array<u32>;
@group(0) @binding(6) var<storage, read> longs: array<u32>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 128u;
const LONG = 3u;

var<workgroup> total: u32;
// The best of each lane that are not taken yet, and which lane has the best of all.
var<workgroup> heads: array<Key, 128>;
var<workgroup> lanes: array<u32, 128>;
var<workgroup> found: array<u32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { total = atomicLoad(&counters[LONG]); }
  let vertices = workgroupUniformLoad(&total);
  for (var place = group.y * groups.x + group.x; place < vertices; place += groups.x * groups.y) {
    let v = longs[place];
    var begin = 0u;
    if (v > 0u) { begin = ends[v - 1u]; }
    let length = ends[v] - begin;
    forget();
    for (var k = lane; k < length; k += WORKGROUP) {
      let u = targets[begin - params.origin + k];
      if (params.allFree == 1u || isFree(u)) { keep(keyOf(v, u, begin - params.weightsAt + k)); }
    }
    found[lane] = seen;
    var next = 0u;
    for (var candidate = 0u; candidate < CANDIDATES; candidate++) {
      heads[lane] = NOTHING;
      if (next < CANDIDATES) { heads[lane] = at(next); }
      lanes[lane] = lane;
      for (var step = WORKGROUP / 2u; step > 0u; step /= 2u) {
        workgroupBarrier();
        if (lane < step) {
          if (comesBefore(heads[lane + step], heads[lane])) {
            heads[lane] = heads[lane + step];
            lanes[lane] = lanes[lane + step];
          }
          if (candidate == 0u) { found[lane] += found[lane + step]; }
        }
      }
      workgroupBarrier();
      if (lanes[0] == lane) { next++; }
      if (lane == 0u) { kept[(CANDIDATES + 1u) * (v - params.keptFirst) + 1u + candidate] = heads[0].vertex; }
      workgroupBarrier();
    }
    if (lane == 0u) { kept[(CANDIDATES + 1u) * (v - params.keptFirst)] = select(0u, MORE, found[0] > CANDIDATES); }
    workgroupBarrier();
  }
}
