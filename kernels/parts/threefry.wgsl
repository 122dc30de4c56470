// Purpose: random numbers by counter and key. A part of the kernels of spins.
// Source:  Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011: Threefry-4x32 with 13 rounds.

fn rotl(x: u32, bits: u32) -> u32 {
  return (x << bits) | (x >> (32u - bits));
}

fn evenRound(x: vec4<u32>, a: u32, b: u32) -> vec4<u32> {
  let y = vec4<u32>(x.x + x.y, 0u, x.z + x.w, 0u);
  return vec4<u32>(y.x, rotl(x.y, a) ^ y.x, y.z, rotl(x.w, b) ^ y.z);
}

fn oddRound(x: vec4<u32>, a: u32, b: u32) -> vec4<u32> {
  let y = vec4<u32>(x.x + x.w, 0u, x.z + x.y, 0u);
  return vec4<u32>(y.x, rotl(x.y, b) ^ y.z, y.z, rotl(x.w, a) ^ y.x);
}

fn threefry(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  // The other half of the key is 0.
  let last = 0x1bd11bdau ^ key.x ^ key.y;
  var x = counter + vec4<u32>(key, 0u, 0u);
  x = oddRound(evenRound(x, 10u, 26u), 11u, 21u);
  x = oddRound(evenRound(x, 13u, 27u), 23u, 5u);
  x += vec4<u32>(key.y, 0u, 0u, last + 1u);
  x = oddRound(evenRound(x, 6u, 20u), 17u, 11u);
  x = oddRound(evenRound(x, 25u, 10u), 18u, 20u);
  x += vec4<u32>(0u, 0u, last, key.x + 2u);
  x = oddRound(evenRound(x, 10u, 26u), 11u, 21u);
  x = oddRound(evenRound(x, 13u, 27u), 23u, 5u);
  x += vec4<u32>(0u, last, key.x, key.y + 3u);
  return evenRound(x, 6u, 20u);
}
