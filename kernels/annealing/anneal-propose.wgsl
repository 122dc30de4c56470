// Purpose: visits of simulated annealing of an independent set: vertices of a piece propose to join it, by the set as it is.
// Source:  Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, Science 220, 1983.
// Part:    parts/vertex-hash.wgsl.
// Reads:   members: a bit a vertex. Lists of vertices outside, of words [first, past).
// Writes:  proposing, of these words. Lists: neighbours that are members come to the front, as far as a visit looked.
// Invariant: one with no member next to it proposes; one with a single one does at even odds, one with two where what is drawn for it is
//          below the threshold. What is drawn follows from the word and from `draws`; the order of a list changes nothing.

const GOLDEN = 0x9e3779b9u;
const MOST = 2u;

var<workgroup> bits: array<atomic<u32>, WORKGROUP / 32u>;

fn isMember(v: u32) -> bool {
  return ((members[v / 32u] >> (v % 32u)) & 1u) == 1u;
}

// Whether the word that is drawn for a vertex is below the threshold: it has a bit of each of 32 words, from the highest on.
fn isBelow(key: u32, bit: u32) -> bool {
  for (var place = 0u; place < 32u; place++) {
    let limit = (params.threshold >> (31u - place)) & 1u;
    if (((shiftedHash(key + (place + 1u) * GOLDEN) >> bit) & 1u) != limit) { return limit == 1u; }
  }
  return false;
}

fn proposes(v: u32, key: u32, bit: u32) -> bool {
  var most = 1u;
  if (isBelow(key, bit)) { most = MOST; }
  let start = starts[v];
  let end = starts[v + 1u];
  var front = start;
  for (var at = start; at < end; at++) {
    let u = targets[at];
    if (!isMember(u)) { continue; }
    if (at != front) {
      targets[at] = targets[front];
      targets[front] = u;
    }
    front++;
    if (front - start > most) { return false; }
  }
  return front - start != 1u || ((shiftedHash(key) >> bit) & 1u) == 1u;
}

fn each(i: u32, lane: u32) {
  if (lane < WORKGROUP / 32u) { atomicStore(&bits[lane], 0u); }
  workgroupBarrier();
  let word = params.first + i / 32u;
  let bit = i % 32u;
  let v = 32u * word + bit;
  if (word < params.past && v < params.vertices && !isMember(v)) {
    if (proposes(v, shiftedHash(word ^ params.draws), bit)) { atomicOr(&bits[lane / 32u], 1u << bit); }
  }
  workgroupBarrier();
  let own = params.first + (i - lane) / 32u + lane;
  if (lane < WORKGROUP / 32u && own < params.past) { proposing[own] = atomicLoad(&bits[lane]); }
}
