// Purpose: no vertex has a level, or a parent.
// Writes:  words [0, count).

const NONE = 0xffffffffu;

fn each(i: u32, lane: u32) {
  if (i < params.count) { words[i] = NONE; }
}
