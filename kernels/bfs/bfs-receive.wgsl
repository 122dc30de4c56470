// Purpose: takes vertices that other workers found or visited: a list, or a bitmap that is unpacked here.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.3 and Algorithm 1 (its scan is an atomic counter here).
// Reads:   inbox [at, at + count): ids, or the bits of the vertices from `first` on.
// Writes:  those that were not visited, or all of them where isNew says that they come for the first time: their bits in visited, next behind
//          counters[NEXT], and levels [v - low] where they are in [low, high).
// Invariant: nothing comes into next twice.

struct Params { at: u32, count: u32, isList: u32, isNew: u32, first: u32, low: u32, high: u32, level: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> inbox: array<u32>;
@group(0) @binding(2) var<storage, read_write> visited: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> levels: array<u32>;
@group(0) @binding(4) var<storage, read_write> next: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;
const NEXT = 0u;

// Bits of one word of visited, whose first vertex is given.
fn take(first: u32, bits: u32) {
  let before = atomicOr(&visited[first / 32u], bits);
  var fresh = select(bits & ~before, bits, params.isNew == 1u);
  if (fresh == 0u) { return; }
  var slot = atomicAdd(&counters[NEXT], countOneBits(fresh));
  for (; fresh != 0u; fresh &= fresh - 1u) {
    let v = first + firstTrailingBit(fresh);
    if (v >= params.low && v < params.high) { levels[v - params.low] = params.level; }
    next[slot] = v;
    slot++;
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (group.y * groups.x + group.x) * WORKGROUP + lane;
  if (i >= params.count) { return; }
  let word = inbox[params.at + i];
  if (params.isList == 1u) { take(word & ~31u, 1u << (word % 32u)); } else { take(params.first + 32u * i, word); }
}
