// Purpose: one visit of a vertex with at most 32 neighbours. A part of mis-scan and mis-visit.
// Source:  ECL-MIS (TOPC 2018, section 3.1).
// Reads:   targets, and what vertex-order.wgsl reads.

const JOINS = 1u;
const LOSES = 2u;
const WAITS = 3u;
// Loaded side by side, to hide latency.
const ABREAST = 4u;

struct Visit {
  verdict: u32,
  // A bit for each undecided neighbour of higher priority; all of them only where the visit is thorough.
  blockers: u32,
}

// Decides v, whose list is targets [begin, end), if it can be; a visit that is not thorough ends where v has to wait.
fn visit(v: u32, begin: u32, end: u32, mine: u32, isThorough: bool) -> Visit {
  var blockers = 0u;
  var undecided = 0u;
  for (var at = begin; at < end; at += ABREAST) {
    var neighbours = vec4<u32>(targets[at], 0u, 0u, 0u);
    if (at + 1u < end) { neighbours.y = targets[at + 1u]; }
    if (at + 2u < end) { neighbours.z = targets[at + 2u]; }
    if (at + 3u < end) { neighbours.w = targets[at + 3u]; }
    var codes = vec4<u32>(stateOf(neighbours.x), OUT, OUT, OUT);
    if (at + 1u < end) { codes.y = stateOf(neighbours.y); }
    if (at + 2u < end) { codes.z = stateOf(neighbours.z); }
    if (at + 3u < end) { codes.w = stateOf(neighbours.w); }
    if (any(codes == vec4<u32>(IN))) {
      setOut(v);
      return Visit(LOSES, 0u);
    }
    for (var i = 0u; i < ABREAST; i++) {
      let code = codes[i];
      let bit = 1u << (at - begin + i);
      if (code != OUT) { undecided |= bit; }
      if (code >= mine && blocks(neighbours[i], code, v, mine)) { blockers |= bit; }
    }
    if (!isThorough && blockers != 0u) { return Visit(WAITS, blockers); }
  }
  if (blockers != 0u) { return Visit(WAITS, blockers); }
  setIn(v);
  for (var rest = undecided; rest != 0u; rest &= rest - 1u) { setOut(targets[begin + firstTrailingBit(rest)]); }
  return Visit(JOINS, 0u);
}
