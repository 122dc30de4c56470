// Purpose: what spin-sweep does, on a periodic cubic lattice with couplings of one size: 32 replicas at once, by operations on words.
// Source:  Colloquium: Large scale simulations on GPU clusters (EPJ B 2015), section 3.1 (checkerboard, multi-spin coding); Lulli, Bernaschi,
//          Parisi, Computer Physics Communications 196, 2015.
// Reads:   the sites of planes [plane, plane + planes) with x + y + z of parity `colour`; bonds: for each direction a bit a site, set where
//          the coupling to the next site is negative; limits: for each number of neighbours that pull up 32 words, bit k of word p being
//          bit 31 - p of the threshold of replica k.
// Writes:  spins of these sites.
// Invariant: the lattice has even sides: neighbours are of the other colour.

const FIELDS = 7u;

var<workgroup> bits: array<u32, 224>;

fn pull(site: u32, other: u32, bond: u32) -> u32 {
  return spins[other] ^ (0u - ((bonds[bond / 32u] >> (bond % 32u)) & 1u));
}

fn each(i: u32, lane: u32) {
  if (lane < 32u * FIELDS) { bits[lane] = limits[lane]; }
  workgroupBarrier();
  let half = params.width / 2u;
  let y = (i / half) % params.height;
  let z = params.plane + i / half / params.height;
  if (z >= params.plane + params.planes) { return; }
  let x = 2u * (i % half) + ((y + z + params.colour) & 1u);
  let area = params.width * params.height;
  let site = (z * params.height + y) * params.width + x;
  let left = select(site - 1u, site + params.width - 1u, x == 0u);
  let right = select(site + 1u, site + 1u - params.width, x + 1u == params.width);
  let above = select(site - params.width, site + area - params.width, y == 0u);
  let under = select(site + params.width, site + params.width - area, y + 1u == params.height);
  let before = select(site - area, site + (params.depth - 1u) * area, z == 0u);
  let after = select(site + area, site - (params.depth - 1u) * area, z + 1u == params.depth);
  // Bonds of a direction begin at a whole word.
  let yBonds = 32u * params.bondWords;
  let a = pull(site, left, left);
  let b = pull(site, right, site);
  let c = pull(site, above, yBonds + above);
  let d = pull(site, under, yBonds + site);
  let e = pull(site, before, 2u * yBonds + before);
  let f = pull(site, after, 2u * yBonds + site);
  // How many pull up, as three words of bits: two full adders, and their sum.
  let abSum = a ^ b;
  let low1 = abSum ^ c;
  let carry1 = (a & b) | (abSum & c);
  let deSum = d ^ e;
  let low2 = deSum ^ f;
  let carry2 = (d & e) | (deSum & f);
  let ones = low1 ^ low2;
  let carry3 = low1 & low2;
  let twos = carry1 ^ carry2 ^ carry3;
  let fours = (carry1 & carry2) | (carry3 & (carry1 ^ carry2));
  let is0 = ~(ones | twos | fours);
  let is1 = ones & ~twos & ~fours;
  let is2 = ~ones & twos & ~fours;
  let is3 = ones & twos;
  let is4 = ~ones & ~twos & fours;
  let is5 = ones & fours;
  let is6 = twos & fours;
  var drawn = 0u;
  var undecided = 0xffffffffu;
  var draw = vec4<u32>();
  for (var place = 0u; place < 32u && undecided != 0u; place++) {
    if (place % 4u == 0u) {
      draw = threefry(vec4<u32>(site, params.sweep, place / 4u, params.stream), vec2<u32>(params.seed, 0u));
    }
    let word = draw[place % 4u];
    let limit = (is0 & bits[place]) | (is1 & bits[32u + place]) | (is2 & bits[64u + place]) | (is3 & bits[96u + place])
      | (is4 & bits[128u + place]) | (is5 & bits[160u + place]) | (is6 & bits[192u + place]);
    drawn |= undecided & ~word & limit;
    undecided &= ~(word ^ limit);
  }
  spins[site] = drawn;
}
