// Purpose: the ends of the adjacency lists.
// Source:  docs/matching.md.
// Reads:   raw: the end offsets of vertices [first, first + count), `words` words each, from word `begin` on.
// Writes:  ends of these vertices, modulo 2^32. counters: DAMAGE where ends descend, LONGEST_LIST.

var<workgroup> longest: atomic<u32>;

fn each(i: u32, lane: u32) {
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
