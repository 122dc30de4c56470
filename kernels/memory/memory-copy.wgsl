// Purpose: measures memory: `copied` becomes `original`.
// Source:  the copy kernel of STREAM (McCalpin, 1995): one read and one write a word.
// Reads:   original, `count` words.
// Writes:  copied, `count` words.
// Invariant: a thread writes words i, i + stride, ... below `count`: none is written twice.

fn each(first: u32, lane: u32) {
  // A row of workgroups may be longer than there are threads to start.
  if (first >= params.stride) { return; }
  for (var i = first; i < params.count; i += params.stride) {
    copied[i] = original[i];
  }
}
