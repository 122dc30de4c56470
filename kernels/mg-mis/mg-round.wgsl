// Purpose: a local round over a batch: an undecided vertex without an undecided neighbour of higher priority joins, sets its local
//          neighbours out, and puts its remote ones into the buffers of their owners.
// Source:  MG-MIS (ICS 2025), algorithms 2 (runLocalRound) and 3 (processAllNeighbors); lines are cited below.
// Part:    parts/vertex-hash.wgsl.
// Reads:   offsets and targets of the batch; ranks where priorities are not hashes of ids.
// Writes:  states and remoteNbrIndex of own vertices; send: `capacity` words for each worker, ids to set out; counters: [0, W) words
//          wanted in each buffer, [W, 2W) neighbours kept back for it, [counter] waiting vertices, [counter + 1] members that keep back.
// Invariant: a state only gains bits. A vertex beside a member stops at it: it is local and not out, or remote and unanswered.
// Unlike algorithm 3, line 14, the first neighbour without room ends the filling: nothing is sent twice, and two vertices cannot
// displace each other round after round.

const PER_WORD = 16u;
const UNDECIDED = 0u;
const IN = 1u;
const OUT = 2u;

var<workgroup> waiting: atomic<u32>;
var<workgroup> keptBack: atomic<u32>;

fn stateOf(at: u32) -> u32 {
  return (atomicLoad(&states[at / PER_WORD]) >> ((at % PER_WORD) * 2u)) & 3u;
}

fn setState(at: u32, state: u32) {
  atomicOr(&states[at / PER_WORD], state << ((at % PER_WORD) * 2u));
}

fn isLocal(u: u32) -> bool { return u >= params.low && u < params.high; }

// The first `extra` workers own share + 1 vertices, the others `share`.
fn ownerOf(u: u32) -> u32 {
  let wide = params.extra * (params.share + 1u);
  if (u < wide) { return u / (params.share + 1u); }
  return params.extra + (u - wide) / params.share;
}

// By the id alone (section 3.1).
fn priorityOf(v: u32) -> u32 {
  if (params.ranked != 0u) { return ranks[v]; }
  return shiftedHash(v + params.shift);
}

// Algorithm 3, from neighbour `begin` on; whether neighbours were kept back.
fn processNeighbors(at: u32, start: u32, degree: u32, begin: u32) -> bool {
  var minIndex = degree;                                            // line 2
  for (var k = begin; k < degree; k++) {                             // line 3
    let u = targets[start + k];
    if (isLocal(u)) {                                               // lines 4-5
      setState(u - params.origin, OUT);
    } else {
      let owner = ownerOf(u);                                       // line 7
      if (minIndex == degree) {
        let slot = atomicAdd(&counters[owner], 1u);                 // line 9
        if (slot < params.capacity) {
          send[owner * params.capacity + slot] = u;                 // lines 10-11
        } else {
          minIndex = k;                                             // lines 13-14
        }
      } else {
        atomicAdd(&counters[params.workers + owner], 1u);
      }
    }
  }
  remoteNbrIndex[at] = minIndex;                                    // line 15
  return minIndex < degree;
}

fn each(i: u32, lane: u32) {
  if (i < params.count) {
    let at = params.first + i;
    let v = params.origin + at;                                     // algorithm 2, line 1
    let start = offsets[i];
    let degree = offsets[i + 1u] - start;
    let state = stateOf(at);
    var kept = false;
    if (state == UNDECIDED) {                                       // line 2
      let known = remoteNbrIndex[at];
      let mine = priorityOf(v);
      var k = 0u;
      for (; k < degree; k++) {                                     // line 3
        let u = targets[start + k];
        let local = isLocal(u);
        if (local) {
          if (stateOf(u - params.origin) == OUT) { continue; }      // lines 4-5
        }
        if (priorityOf(u) > mine) {                                 // line 6
          if (!local) {                                             // line 7
            if (k < known) { continue; }                            // lines 8-9
            remoteNbrIndex[at] = k;                                 // line 11
          }
          break;                                                    // line 12
        }
      }
      if (k < degree) {                                             // lines 13-14
        atomicAdd(&waiting, 1u);
      } else {
        setState(at, IN);                                           // line 16
        kept = processNeighbors(at, start, degree, 0u);             // line 17
      }
    } else if (state == IN) {                                       // line 18
      let rest = remoteNbrIndex[at];
      if (rest < degree) { kept = processNeighbors(at, start, degree, rest); }   // lines 19-20
    }
    if (kept) { atomicAdd(&keptBack, 1u); }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let left = atomicLoad(&waiting);
    if (left != 0u) { atomicAdd(&counters[params.counter], left); }
    let back = atomicLoad(&keptBack);
    if (back != 0u) { atomicAdd(&counters[params.counter + 1u], back); }
  }
}
