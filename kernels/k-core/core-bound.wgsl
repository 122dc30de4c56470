// Purpose: lowers the bound on the core number of every due vertex to the h-index of its neighbours' bounds: the greatest k of which k
//          neighbours have k or more.
// Source:  Lu, Zhou, Zhang, Stanley, Nature Communications 7:10168, 2016 (bounds begin as degrees and end as core numbers); Montresor,
//          De Pellegrini, Miorandi, PODC 2011.
// Reads:   cores: bounds of all vertices; the due bits of those in [first, first + rows), and their lists.
// Writes:  drafts [v - low] of due vertices; marks: a bit for each neighbour that a lowered bound may lower, and for what was lowered: of
//          its neighbours some may have fallen below its new bound.
// Invariant: bounds never are below core numbers.

// Longer lists are counted by the whole workgroup.
const SHORT = 64u;

var<workgroup> longs: atomic<u32>;
var<workgroup> vertices: array<u32, 256>;
var<workgroup> many: u32;
var<workgroup> vertex: u32;
var<workgroup> counted: atomic<u32>;
var<workgroup> high: u32;
var<workgroup> total: u32;

fn setMark(v: u32) {
  atomicOr(&marks[v / 32u], 1u << (v % 32u));
}

fn markIfCounted(u: u32, before: u32, after: u32) {
  if (cores[u] > after && cores[u] <= before) { setMark(u); }
}

fn countShort(begin: u32, end: u32, k: u32) -> u32 {
  var count = 0u;
  for (var at = begin; at < end; at++) { if (cores[targets[at]] >= k) { count++; } }
  return count;
}

// The greatest k <= before of which k neighbours have k or more; their count falls as k rises.
fn boundShort(begin: u32, end: u32, before: u32) -> u32 {
  if (countShort(begin, end, before) >= before) { return before; }
  var lowest = 0u;
  var highest = before - 1u;
  while (lowest < highest) {
    let middle = (lowest + highest + 1u) / 2u;
    if (countShort(begin, end, middle) >= middle) { lowest = middle; } else { highest = middle - 1u; }
  }
  return lowest;
}

fn each(row: u32, lane: u32) {
  let v = params.first + row;
  let place = v - params.low;
  if (row < params.rows && ((due[place / 32u] >> (place % 32u)) & 1u) == 1u) {
    let begin = offsets[row];
    let end = offsets[row + 1u];
    if (end - begin > SHORT) { vertices[atomicAdd(&longs, 1u)] = row; }
    else {
      let before = cores[v];
      let after = boundShort(begin, end, before);
      drafts[place] = after;
      if (after < before) {
        setMark(v);
        for (var at = begin; at < end; at++) { markIfCounted(targets[at], before, after); }
      }
    }
  }
  workgroupBarrier();
  if (lane == 0u) { many = atomicLoad(&longs); }
  let lists = workgroupUniformLoad(&many);
  for (var slot = 0u; slot < lists; slot++) {
    if (lane == 0u) { vertex = vertices[slot]; }
    let own = workgroupUniformLoad(&vertex);
    let begin = offsets[own];
    let end = offsets[own + 1u];
    let before = cores[params.first + own];
    if (lane == 0u) { high = before; }
    var lowest = 0u;
    var highest = workgroupUniformLoad(&high);
    // The first step asks whether the bound stays.
    var middle = highest;
    loop {
      if (lowest >= highest) { break; }
      if (lane == 0u) { atomicStore(&counted, 0u); }
      workgroupBarrier();
      var mine = 0u;
      for (var at = begin + lane; at < end; at += WORKGROUP) { if (cores[targets[at]] >= middle) { mine++; } }
      if (mine > 0u) { atomicAdd(&counted, mine); }
      workgroupBarrier();
      if (lane == 0u) { total = atomicLoad(&counted); }
      if (workgroupUniformLoad(&total) >= middle) { lowest = middle; } else { highest = middle - 1u; }
      middle = (lowest + highest + 1u) / 2u;
    }
    if (lane == 0u) { drafts[params.first + own - params.low] = lowest; }
    if (lowest < before) {
      if (lane == 0u) { setMark(params.first + own); }
      for (var at = begin + lane; at < end; at += WORKGROUP) { markIfCounted(targets[at], before, lowest); }
    }
  }
}
