// Purpose: draws the spins of listed vertices of one colour anew, given their neighbours: a heat bath for 32 replicas, a bit of a word each.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.1; Glauber, J. Math. Phys. 4, 1963.
// Reads:   order [at, at + count): vertices of [first, ...) of one colour; their lists with a coupling for each arc; thresholds: for each
//          replica 2 half + 1 words by field, up where a random word is below.
// Writes:  spins of these vertices.
// Invariant: no two of the vertices are neighbours. The bits of the random word of replica k at vertex v in sweep t are bit k of 32 words
//          that v, t and the seed define: spin-lattice draws the same ones.

const REPLICAS = 32u;
const WORDS_A_DRAW = 4u;

// Random words of each of the eight vertices of a workgroup.
var<workgroup> words: array<u32, 256>;
var<workgroup> drawn: array<atomic<u32>, 8>;

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
  workgroupBarrier();
  if (isThere) {
    let row = v - params.first;
    // The gas: a vertex is worth 1, an edge between two costs 2.
    var field = i32(params.isGas);
    for (var arc = offsets[row]; arc < offsets[row + 1u]; arc++) {
      let isUp = ((spins[targets[arc]] >> replica) & 1u) == 1u;
      let coupling = bitcast<i32>(couplings[arc]);
      if (isUp) { field += coupling; } else if (params.isGas == 0u) { field -= coupling; }
    }
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
