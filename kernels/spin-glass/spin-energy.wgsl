// Purpose: what every replica pays: twice the coupling of each edge that is not satisfied; of the gas: 1 for a vertex that is down, 2 for an edge
//          between two that are up.
// Source:  the Hamiltonian of Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), equation 1, above its least conceivable value.
// Reads:   spins; the lists and couplings of [first, first + rows).
// Writes:  energies: for each replica a low and a high word, added to.

const REPLICAS = 32u;
const ROWS_A_WORKGROUP = 8u;
// A longer list is staged, and the lanes of each row sum an eighth of it.
const LONG = 128u;

// What a replica pays for an edge.
fn price(own: u32, other: u32, coupling: i32) -> u32 {
  if (params.isGas == 1u) { return 2u * (own & other); }
  return select(0u, 2u * u32(abs(coupling)), (own == other) != (coupling > 0));
}

// Neighbours ascend: each edge is counted from its larger end.
fn priceOfShort(v: u32, own: u32, begin: u32, end: u32, replica: u32) -> u32 {
  var cost = 0u;
  for (var arc = begin; arc < end && targets[arc] < v; arc++) {
    cost += price(own, (spins[targets[arc]] >> replica) & 1u, bitcast<i32>(couplings[arc]));
  }
  return cost;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let replica = lane % REPLICAS;
  let stride = groups.x * groups.y * ROWS_A_WORKGROUP;
  var low = 0u;
  var high = 0u;
  let slot = lane / REPLICAS;
  for (var base = (group.y * groups.x + group.x) * ROWS_A_WORKGROUP; base < params.rows; base += stride) {
    for (var i = 0u; i < ROWS_A_WORKGROUP && base + i < params.rows; i++) {
      let v = params.first + base + i;
      let begin = offsets[base + i];
      let end = offsets[base + i + 1u];
      let own = (spins[v] >> replica) & 1u;
      var cost = 0u;
      if (params.isGas == 1u && i == slot) { cost = 1u - own; }
      if (end - begin <= LONG) {
        if (i == slot) { cost += priceOfShort(v, own, begin, end, replica); }
      } else {
        for (var at = begin; at < end && targets[at] < v; at += STAGED) {
          let count = stage(at, end, v, lane);
          workgroupBarrier();
          for (var k = slot; k < count; k += ROWS_A_WORKGROUP) { cost += price(own, (near[k] >> replica) & 1u, pulls[k]); }
          workgroupBarrier();
        }
      }
      low += cost;
      if (low < cost) { high++; }
    }
  }
  let before = atomicAdd(&energies[2u * replica], low);
  if (before + low < before) { high++; }
  if (high > 0u) { atomicAdd(&energies[2u * replica + 1u], high); }
}
