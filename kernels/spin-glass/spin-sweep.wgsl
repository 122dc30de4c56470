// Purpose: draws the spins of listed vertices of one colour anew, given their neighbours: a heat bath for 32 replicas, a bit of a word each.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.1; Glauber, J. Math. Phys. 4, 1963.
// Reads:   order [at, at + count): vertices of [first, ...) of one colour; their lists with a coupling for each arc; thresholds: for each
//          replica 2 half + 1 words by field, up where a random word is below.
// Writes:  spins of these vertices.
// Invariant: no two of the vertices are neighbours; sums of integers have no order. Bits of the random word of replica k at vertex v in sweep t
//          are bit k of 32 words that v, t and the seed define: spin-lattice draws the same ones.

const REPLICAS = 32u;
const WORDS_A_DRAW = 4u;
const SLOTS = 8u;
// A longer list is staged, and each of the eight slots sums an eighth of it.
const LONG = 128u;
// Loaded side by side, to hide latency.
const ABREAST = 4u;

// Random words of each of the eight vertices of a workgroup.
var<workgroup> words: array<u32, 256>;
var<workgroup> drawn: array<atomic<u32>, SLOTS>;
// What neighbours in long lists add to the fields of the replicas of each vertex.
var<workgroup> shares: array<atomic<i32>, 256>;

// What a neighbour adds to the field of a replica.
fn pull(near: u32, coupling: i32, replica: u32) -> i32 {
  if (((near >> replica) & 1u) == 1u) { return coupling; }
  return select(-coupling, 0, params.isGas == 1u);
}

fn pullOfShort(begin: u32, end: u32, replica: u32) -> i32 {
  var field = 0;
  for (var arc = begin; arc < end; arc += ABREAST) {
    for (var i = 0u; i < ABREAST; i++) {
      let place = min(arc + i, end - 1u);
      let share = pull(spins[targets[place]], bitcast<i32>(couplings[place]), replica);
      if (arc + i < end) { field += share; }
    }
  }
  return field;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let slot = lane / REPLICAS;
  let replica = lane % REPLICAS;
  let base = (group.y * groups.x + group.x) * SLOTS;
  let i = base + slot;
  let isThere = i < params.count;
  var v = 0u;
  if (isThere) { v = order[params.at + i]; }
  if (replica * WORDS_A_DRAW < 32u && isThere) {
    let draw = threefry(vec4<u32>(v, params.sweep, replica, params.stream), vec2<u32>(params.seed, 0u));
    let to = 32u * slot + WORDS_A_DRAW * replica;
    words[to] = draw.x;
    words[to + 1u] = draw.y;
    words[to + 2u] = draw.z;
    words[to + 3u] = draw.w;
  }
  for (var other = 0u; other < SLOTS && base + other < params.count; other++) {
    let row = order[params.at + base + other] - params.first;
    let end = offsets[row + 1u];
    if (end - offsets[row] <= LONG) { continue; }
    var share = 0;
    for (var begin = offsets[row]; begin < end; begin += STAGED) {
      let count = stage(begin, end, 0xffffffffu, lane);
      workgroupBarrier();
      for (var k = slot; k < count; k += SLOTS) { share += pull(near[k], pulls[k], replica); }
      workgroupBarrier();
    }
    atomicAdd(&shares[REPLICAS * other + replica], share);
  }
  workgroupBarrier();
  if (isThere) {
    let row = v - params.first;
    let begin = offsets[row];
    let end = offsets[row + 1u];
    // The gas: a vertex is worth 1, an edge between two costs 2.
    var field = i32(params.isGas) + atomicLoad(&shares[lane]);
    if (end - begin <= LONG) { field += pullOfShort(begin, end, replica); }
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
