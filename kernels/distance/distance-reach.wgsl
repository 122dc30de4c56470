// Purpose: carries the least word of each neighbourhood one edge further; in the last step of a round, decides: a vertex that reaches a
//          member is out, one whose own word is the least that it reaches is in.
// Source:  Kelley, Rajamanickam, IPDPS 2022, Algorithm 1 (columns, then rows) for distance 2; further steps reach further.
// Reads:   nearest of all vertices after the step before (the words themselves before the first), the lists of [first, first + rows).
// Writes:  reached of these vertices: what they reach, or, where `decides` is 1, their words: IN, OUT or as they are; counters[0]: vertices
//          that may change in this step of a later round.
// Invariant: IN = 0 is the least word: what has reached a member keeps it. What reaches nothing undecided stays OUT = 2^32 - 1.

const IN = 0u;
const OUT = 0xffffffffu;
// Longer lists are scanned by the whole workgroup.
const SHORT = 96u;

var<workgroup> longs: atomic<u32>;
var<workgroup> rowsOf: array<u32, 256>;
var<workgroup> many: u32;
var<workgroup> row: u32;
var<workgroup> least: atomic<u32>;
var<workgroup> open: atomic<u32>;

fn settle(v: u32, least: u32) {
  var word = least;
  if (params.decides == 1u) {
    word = reached[v];
    if (least == IN) { word = OUT; }
    else if (least == word) { word = IN; }
  }
  reached[v] = word;
  if (word != IN && word != OUT) { atomicAdd(&open, 1u); }
}

fn each(mine: u32, lane: u32) {
  let v = params.first + mine;
  if (mine < params.rows && reached[v] != IN && reached[v] != OUT) {
    let begin = offsets[mine];
    let end = offsets[mine + 1u];
    if (end - begin > SHORT) { rowsOf[atomicAdd(&longs, 1u)] = mine; }
    else {
      var word = nearest[v];
      for (var at = begin; at < end; at++) { word = min(word, nearest[targets[at]]); }
      settle(v, word);
    }
  }
  workgroupBarrier();
  if (lane == 0u) { many = atomicLoad(&longs); }
  let lists = workgroupUniformLoad(&many);
  for (var slot = 0u; slot < lists; slot++) {
    if (lane == 0u) {
      row = rowsOf[slot];
      atomicStore(&least, nearest[params.first + rowsOf[slot]]);
    }
    let own = workgroupUniformLoad(&row);
    var word = OUT;
    for (var at = offsets[own] + lane; at < offsets[own + 1u]; at += WORKGROUP) { word = min(word, nearest[targets[at]]); }
    atomicMin(&least, word);
    workgroupBarrier();
    if (lane == 0u) { settle(params.first + own, atomicLoad(&least)); }
    workgroupBarrier();
  }
  if (lane == 0u) { atomicAdd(&counters[0], atomicLoad(&open)); }
}
