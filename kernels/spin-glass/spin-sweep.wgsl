// Purpose: draws the spins of listed vertices of one colour anew, given their neighbours: a heat bath for 32 replicas, a bit of a word each.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.1; Glauber, J. Math. Phys. 4, 1963.
// Reads:   order [at, at + count): vertices of [first, ...) of one colour; their lists with a coupling for each arc; thresholds: for each
//          replica 2 half + 1 words by field, up where a random word is below.
// Writes:  spins of these vertices.
// Invariant: no two of the vertices are neighbours. Long lists are read by the whole workgroup; sums of integers have no order. The bits of
//          the random word of replica k at vertex v in sweep t are bit k of 32 words that v, t and the seed define: spin-lattice draws the
//          same ones.

const REPLICAS = 32u;
const WORDS_A_DRAW = 4u;
const SLOTS = 8u;
// A longer list is read by all eight slots, each an arc of eight.
const LONG = 128u;
// Loaded side by side, to hide latency.
const ABREAST = 4u;

// Random words of each of the eight vertices of a workgroup.
var<workgroup> words: array<u32, 256>;
var<workgroup> drawn: array<atomic<u32>, SLOTS>;
// What neighbours in long lists add to the fields of the replicas of each vertex.
var<workgroup> shares: array<atomic<i32>, 256>;

// What one replica feels of the arcs from begin on, each step-th of them.
fn pull(begin: u32, end: u32, step: u32, replica: u32) -> i32 {
  var field = 0;
  for (var arc = begin; arc < end; arc += ABREAST * step) {
    for (var i = 0u; i < ABREAST; i++) {
      let place = min(arc + i * step, end - 1u);
      let isUp = ((spins[targets[place]] >> replica) & 1u) == 1u;
      let coupling = bitcast<i32>(couplings[place]);
      if (arc + i * step >= end) { continue; }
      if (isUp) { field += coupling; } else if (params.isGas == 0u) { field -= coupling; }
    }
  }
  return field;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let slot = lane / REPLICAS;
  let replica = lane % REPLICAS;
  let i = (group.y * groups.x + group.x) * 8u + slot;
  let isThere = i < params.count;
  var v = 0u;
  if (isThere) { v = order[params.at + i]; }
  if (replica * WORDS_A_DRAW < 32u && isThere) {
    let draw = threefry(vec4<u32>(v, params.sweep, replica, params.stream), vec2<u32>(params.seed, 0u));
    let base = 32u * slot + WORDS_A_DRAW * replica;
    words[base] = draw.x;
    words[base + 1u] = draw.y;
    words[base + 2u] = draw.z;
    words[base + 3u] = draw.w;
  }
  for (var other = 0u; other < SLOTS && i - slot + other < params.count; other++) {
    let row = order[params.at + i - slot + other] - params.first;
    let begin = offsets[row];
    let end = offsets[row + 1u];
    if (end - begin > LONG) { atomicAdd(&shares[REPLICAS * other + replica], pull(begin + slot, end, SLOTS, replica)); }
  }
  workgroupBarrier();
  if (isThere) {
    let row = v - params.first;
    let begin = offsets[row];
    let end = offsets[row + 1u];
    // The gas: a vertex is worth 1, an edge between two costs 2.
    var field = i32(params.isGas) + atomicLoad(&shares[lane]);
    if (end - begin <= LONG) { field += pull(begin, end, 1u, replica); }
    let half = i32(params.half);
    let index = clamp(field >> params.shift, -half, half) + half;
    let threshold = thresholds[replica * (2u * params.half + 1u) + u32(index)];
    // Whether the random word is below, from its highest bit on.
    for (var place = 0u; place < 32u; place++) {
      let mine = (words[32u * slot + place] >> replica) & 1u;
      let limit = (threshold >> (31u - place)) & 1u;
      if (mine == limit) { continue; }
      if (mine < limit) { atomicOr(&drawn[slot], 1u << replica); }
      break;
    }
  }
  workgroupBarrier();
  if (isThere && replica == 0u) { spins[v] = atomicLoad(&drawn[slot]); }
}
