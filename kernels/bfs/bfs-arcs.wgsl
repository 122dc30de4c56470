// Purpose: how many arcs the next frontier has: what decides the direction of the next level.
// Source:  Beamer, Asanovic, Patterson, SC 2012, section V (m_f).
// Reads:   next [0, counters[NEXT]), all in [low, low + words of degrees); degrees [v - low].
// Writes:  the sum, a low and a high word of counters.

const WORKGROUP = 256u;
const NEXT = 0u;
const ARCS = 2u;
// A workgroup adds halves of degrees, so that its own sums do not overflow before it has added 2^16 of them.
const HALF = 16u;

var<workgroup> lows: atomic<u32>;
var<workgroup> highs: atomic<u32>;

fn add(low: u32, high: u32) {
  let before = atomicAdd(&counters[ARCS], low);
  let carry = select(0u, 1u, before + low < before);
  if (high + carry > 0u) { atomicAdd(&counters[ARCS + 1u], high + carry); }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let count = atomicLoad(&counters[NEXT]);
  let stride = groups.x * groups.y * WORKGROUP;
  for (var i = (group.y * groups.x + group.x) * WORKGROUP + lane; i < count; i += stride) {
    let degree = degrees[next[i] - params.low];
    atomicAdd(&lows, degree & 0xffffu);
    if (degree > 0xffffu) { atomicAdd(&highs, degree >> HALF); }
  }
  workgroupBarrier();
  if (lane != 0u) { return; }
  let low = atomicLoad(&lows);
  let high = atomicLoad(&highs);
  if (low > 0u) { add(low, 0u); }
  if (high > 0u) { add(high << HALF, high >> HALF); }
}
