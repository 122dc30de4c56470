// Purpose: what spin-energy does, on a cubic lattice with couplings of one size: 2 for each bond that is not satisfied.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.1.
// Reads:   spins; bonds as in spin-lattice, from the sites of planes [plane, plane + planes) to the next ones.
// Writes:  energies: for each replica a low and a high word, added to.
// Invariant: an invocation counts 3 * SITES bonds in words of bits before it adds them up: fewer than 2^PLACES.

const WORKGROUP = 256u;
const SITES = 80u;
const PLACES = 8u;

var<workgroup> sums: array<atomic<u32>, 32>;
var<private> places: array<u32, 8>;

fn count(bits: u32) {
  var carry = bits;
  for (var i = 0u; i < PLACES && carry != 0u; i++) {
    let both = places[i] & carry;
    places[i] ^= carry;
    carry = both;
  }
}

fn pays(site: u32, other: u32, bond: u32) -> u32 {
  return spins[site] ^ spins[other] ^ (0u - ((bonds[bond / 32u] >> (bond % 32u)) & 1u));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let area = params.width * params.height;
  let yBonds = 32u * params.bondWords;
  let stride = groups.x * groups.y * WORKGROUP;
  let end = (params.plane + params.planes) * area;
  var site = params.plane * area + (group.y * groups.x + group.x) * WORKGROUP + lane;
  for (var n = 0u; n < SITES && site < end; n++) {
    let x = site % params.width;
    let y = (site / params.width) % params.height;
    let right = select(site + 1u, site + 1u - params.width, x + 1u == params.width);
    let under = select(site + params.width, site + params.width - area, y + 1u == params.height);
    let after = select(site + area, site - (params.depth - 1u) * area, site / area + 1u == params.depth);
    count(pays(site, right, site));
    count(pays(site, under, yBonds + site));
    count(pays(site, after, 2u * yBonds + site));
    site += stride;
  }
  for (var replica = 0u; replica < 32u; replica++) {
    var cost = 0u;
    for (var i = 0u; i < PLACES; i++) { cost += ((places[i] >> replica) & 1u) << i; }
    if (cost > 0u) { atomicAdd(&sums[replica], 2u * cost); }
  }
  workgroupBarrier();
  if (lane >= 32u) { return; }
  let low = atomicLoad(&sums[lane]);
  let before = atomicAdd(&energies[2u * lane], low);
  if (before + low < before) { atomicAdd(&energies[2u * lane + 1u], 1u); }
}
