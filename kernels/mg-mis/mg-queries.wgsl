// Purpose: undecided vertices ask the owner of the remote neighbour that blocks them whether it is out.
// Source:  MG-MIS (ICS 2025), algorithm 5 (prepareRemoteNbrQueries).
// Reads:   states, remoteNbrIndex, offsets, targets.
// Writes:  send: pairs <requester, remote vertex> into the buffer of each owner; counters [0, W): words wanted there.
// Invariant: pairs are whole or absent. Only the window asks: places [open, open + width) of the `owned` vertices from `skip` on, modulo
//          `owned`; where every pair has room it is all of them, as in the paper.

const PER_WORD = 16u;
const UNDECIDED = 0u;

fn ownerOf(u: u32) -> u32 {
  let wide = params.extra * (params.share + 1u);
  if (u < wide) { return u / (params.share + 1u); }
  return params.extra + (u - wide) / params.share;
}

fn each(i: u32, lane: u32) {
  if (i >= params.count) { return; }
  let at = params.first + i;                                        // line 1
  if (((states[at / PER_WORD] >> ((at % PER_WORD) * 2u)) & 3u) != UNDECIDED) { return; }   // line 3
  var place = at - params.skip;
  if (place < params.open) { place += params.owned - params.open; } else { place -= params.open; }
  if (place >= params.width) { return; }
  let r = remoteNbrIndex[at];                                       // line 4
  let start = offsets[i];
  if (start + r >= offsets[i + 1u]) { return; }                     // lines 2 and 5
  let u = targets[start + r];                                       // line 6
  if (u >= params.low && u < params.high) { return; }               // line 7
  let owner = ownerOf(u);                                           // line 8
  let index = atomicAdd(&counters[owner], 2u);                      // line 10
  if (index + 1u < params.capacity) {                               // line 11
    send[owner * params.capacity + index] = params.low - params.skip + at;   // line 12
    send[owner * params.capacity + index + 1u] = u;                 // line 13
  }
}
