// Purpose: the vertices whose lists may be needed once more: unmatched, with free neighbours beside their candidates.
// Source:  docs/matching.md.
// Reads:   kept, ends and matched of vertices [0, count).
// Writes:  a bit for each vertex, in words of matched from waitingAt on; counters: WAITING, and UNDECIDED, those that may yet find a mate;
//          WAITING_UNITS: arcs of waiting vertices, 16 a unit.

var<workgroup> bits: array<atomic<u32>, 8>;
var<workgroup> undecided: atomic<u32>;
var<workgroup> units: atomic<u32>;

fn each(v: u32, lane: u32) {
  let start = v - lane;
  if (lane < 8u) { atomicStore(&bits[lane], 0u); }
  if (lane == 0u) { atomicStore(&undecided, 0u); atomicStore(&units, 0u); }
  workgroupBarrier();
  if (v < params.count && ((matched[v / 32u] >> (v % 32u)) & 1u) == 0u) {
    let word = kept[(CANDIDATES + 1u) * v];
    if ((word & ENDED) == 0u) {
      atomicAdd(&undecided, 1u);
      if ((word & MORE) != 0u) {
        atomicOr(&bits[lane / 32u], 1u << (lane % 32u));
        var begin = 0u;
        if (v > 0u) { begin = ends[v - 1u]; }
        atomicAdd(&units, (ends[v] - begin + ARCS_A_UNIT - 1u) / ARCS_A_UNIT);
      }
    }
  }
  workgroupBarrier();
  if (lane < 8u && start + 32u * lane < params.count) {
    let word = atomicLoad(&bits[lane]);
    matched[params.waitingAt + start / 32u + lane] = word;
    atomicAdd(&counters[WAITING], countOneBits(word));
  }
  if (lane == 0u) {
    atomicAdd(&counters[UNDECIDED], atomicLoad(&undecided));
    atomicAdd(&counters[WAITING_UNITS], atomicLoad(&units));
  }
}
