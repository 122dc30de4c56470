// Purpose: takes pointers that were found by other workers, where so many are new that a bit for each vertex says whose.
// Source:  LD-GPU (SC 2024), Algorithm 2, line 7 (the reduction of pointers), of what changed alone.
// Reads:   updates: `words` words of bits, the first bit that of vertex `first`; for each 256 of them, how many bits are set before; then a
//          pointer for each bit that is set.
// Writes:  pointers of these vertices; at `changed` pairs (vertex, pointer) of them (counters[round + CHANGED]).

struct Params { first: u32, words: u32, changed: u32, changedCapacity: u32, round: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;
@group(0) @binding(2) var<storage, read> updates: array<u32>;
@group(0) @binding(3) var<storage, read_write> lists: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const CHANGED = 0u;

/** In turn, of each lane: bits that are set in words of this workgroup up to its own. */
var<workgroup> sums: array<array<u32, 256>, 2>;
var<workgroup> base: u32;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let block = group.y * groups.x + group.x;
  let at = block * WORKGROUP + lane;
  var bits = 0u;
  if (at < params.words) { bits = updates[at]; }
  let own = countOneBits(bits);
  sums[0][lane] = own;
  var turn = 0u;
  for (var step = 1u; step < WORKGROUP; step *= 2u) {
    workgroupBarrier();
    var sum = sums[turn][lane];
    if (lane >= step) { sum += sums[turn][lane - step]; }
    turn = 1u - turn;
    sums[turn][lane] = sum;
  }
  let before = sums[turn][lane] - own;
  if (lane == WORKGROUP - 1u && before + own > 0u) { base = atomicAdd(&counters[params.round + CHANGED], before + own); }
  workgroupBarrier();
  if (bits == 0u) { return; }
  var value = params.words + (params.words + WORKGROUP - 1u) / WORKGROUP + updates[params.words + block] + before;
  var change = base + before;
  for (; bits != 0u; bits &= bits - 1u) {
    let v = params.first + 32u * at + firstTrailingBit(bits);
    let pointer = updates[value];
    pointers[v] = pointer;
    if (change < params.changedCapacity) {
      lists[params.changed + 2u * change] = v;
      lists[params.changed + 2u * change + 1u] = pointer;
    }
    value++;
    change++;
  }
}
