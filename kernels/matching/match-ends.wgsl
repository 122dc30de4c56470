// Purpose: the ends of the adjacency lists.
// Source:  docs/matching.md.
// Reads:   raw: the end offsets of vertices [first, first + count), `words` words each, from word `begin` on.
// Writes:  ends of these vertices, modulo 2^32. counters: DAMAGE where ends descend, LONGEST_LIST.

struct Params { first: u32, count: u32, begin: u32, before: u32, words: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> raw: array<u32>;
@group(0) @binding(2) var<storage, read_write> ends: array<u32>;
@group(0) @binding(3) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const DAMAGE = 0u;
const LONGEST_LIST = 1u;

var<workgroup> longest: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (lane == 0u) { atomicStore(&longest, 0u); }
  workgroupBarrier();
  if (i < params.count) {
    var before = params.before;
    if (i > 0u) { before = raw[params.begin + (i - 1u) * params.words]; }
    let end = raw[params.begin + i * params.words];
    ends[params.first + i] = end;
    // The offsets descend.
    if (end - before > 0x7fffffffu) { atomicOr(&counters[DAMAGE], 1u); }
    atomicMax(&longest, end - before);
  }
  workgroupBarrier();
  if (lane == 0u) { atomicMax(&counters[LONGEST_LIST], atomicLoad(&longest)); }
}
