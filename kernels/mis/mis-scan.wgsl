// Purpose: the first visit of the undecided vertices of a batch with the shortest lists.
// Source:  ECL-MIS (TOPC 2018, section 3.1): a vertex joins when no neighbour of higher priority is undecided, and pushes "out" to all
//          neighbours.
// Reads:   targets from arc `origin` on: the lists of vertices [first, first + count); ends, states, column.
// Writes:  states; longs [0, counters[LONG]): vertices with more than `longer` neighbours. More than `shorter`: left to mis-visit.wgsl.
// Invariant: a state changes once, to in or out; a thread that reads the older one only waits longer.

struct Params { first: u32, count: u32, origin: u32, shorter: u32, longer: u32, order: u32, shift: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ends: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> column: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> longs: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const LONG = 3u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (index >= params.count) { return; }
  let v = params.first + index;
  let mine = stateOf(v);
  if (isDecided(mine)) { return; }
  let begin = startOf(v) - params.origin;
  let degree = ends[v] - params.origin - begin;
  if (degree > params.longer) { longs[atomicAdd(&counters[LONG], 1u)] = v; }
  if (degree <= params.shorter) { visit(v, begin, begin + degree, mine, false); }
}
