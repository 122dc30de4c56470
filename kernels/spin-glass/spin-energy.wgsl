// Purpose: what every replica pays: twice the coupling of each edge that is not satisfied; of the gas: 1 for a vertex that is down, 2 for an edge
//          between two that are up.
// Source:  the Hamiltonian of Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), equation 1, above its least conceivable value.
// Reads:   spins; the lists and couplings of [first, first + rows).
// Writes:  energies: for each replica a low and a high word, added to.

const REPLICAS = 32u;
const ROWS_A_WORKGROUP = 8u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let replica = lane % REPLICAS;
  let stride = groups.x * groups.y * ROWS_A_WORKGROUP;
  var low = 0u;
  var high = 0u;
  for (var row = (group.y * groups.x + group.x) * ROWS_A_WORKGROUP + lane / REPLICAS; row < params.rows; row += stride) {
    let v = params.first + row;
    let own = (spins[v] >> replica) & 1u;
    var cost = 0u;
    if (params.isGas == 1u) { cost = 1u - own; }
    // Neighbours ascend: each edge from its larger end.
    for (var arc = offsets[row]; arc < offsets[row + 1u] && targets[arc] < v; arc++) {
      let other = (spins[targets[arc]] >> replica) & 1u;
      let coupling = bitcast<i32>(couplings[arc]);
      if (params.isGas == 1u) { cost += 2u * (own & other); }
      else if ((own == other) != (coupling > 0)) { cost += 2u * u32(abs(coupling)); }
    }
    low += cost;
    if (low < cost) { high++; }
  }
  let before = atomicAdd(&energies[2u * replica], low);
  if (before + low < before) { high++; }
  if (high > 0u) { atomicAdd(&energies[2u * replica + 1u], high); }
}
