// Purpose: opens every vertex for every seed, and makes the members found so far the candidates, so that the next product
//          finds the vertices that have a member beside them.
// Source:  TC-MIS (arXiv 2605.29604), Algorithm 2, line 3: all vertices are alive.
// Reads:   members.
// Writes:  open, cands: a word for 32 vertices and a seed, seeds side by side; openAny, candsAny: over all seeds; counters[record].
// Invariant: each thread owns the words of its 32 vertices; counters[record] was zero.

struct Params { vertices: u32, seeds: u32, record: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> open: array<u32>;
@group(0) @binding(2) var<storage, read_write> openAny: array<u32>;
@group(0) @binding(3) var<storage, read> members: array<u32>;
@group(0) @binding(4) var<storage, read_write> cands: array<u32>;
@group(0) @binding(5) var<storage, read_write> candsAny: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (segment >= (params.vertices + 31u) / 32u) { return; }
  let left = params.vertices - 32u * segment;
  var alive = 0xffffffffu;
  if (left < 32u) { alive = (1u << left) - 1u; }
  var asked = 0u;
  for (var seed = 0u; seed < params.seeds; seed++) {
    let at = segment * params.seeds + seed;
    open[at] = alive;
    cands[at] = members[at];
    asked |= members[at];
  }
  openAny[segment] = alive;
  candsAny[segment] = asked;
  if (segment == 0u) { atomicStore(&counters[params.record], params.vertices * params.seeds); }
}
