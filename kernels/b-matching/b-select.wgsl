// Purpose: every vertex with room picks its next best neighbours that have room, as many as it has room for.
// Source:  Khan, Pothen, Patwary and others, SIAM J. Sci. Comput. 38(5), 2016 (b-Suitor: proposals to the best of a list sorted by weight), in rounds.
// Reads:   lists of [first, first + rows), the greatest edge first; residual: partners that each vertex may still have.
// Writes:  pending: slots of v from starts[v] on, ascending by id; counts: how many; cursors: what of a list was looked at, EXHAUSTED at its end.
// Invariant: residual only falls, so that what a cursor passed is picked, a partner, or has no room.

const EXHAUSTED = 0xffffffffu;
// More are sorted as a heap.
const FEW = 32u;

fn insertLast(begin: u32, last: u32) {
  let u = pending[last];
  var at = last;
  while (at > begin && pending[at - 1u] > u) {
    pending[at] = pending[at - 1u];
    at--;
  }
  pending[at] = u;
}

// Lets the root of a heap of `count` slots sink.
fn sink(begin: u32, root: u32, count: u32) {
  var at = root;
  loop {
    var child = 2u * at + 1u;
    if (child >= count) { break; }
    if (child + 1u < count && pending[begin + child + 1u] > pending[begin + child]) { child++; }
    let above = pending[begin + at];
    let below = pending[begin + child];
    if (above >= below) { break; }
    pending[begin + at] = below;
    pending[begin + child] = above;
    at = child;
  }
}

fn sortAsHeap(begin: u32, count: u32) {
  for (var root = count / 2u; root > 0u; root--) { sink(begin, root - 1u, count); }
  for (var last = count - 1u; last > 0u; last--) {
    let most = pending[begin];
    pending[begin] = pending[begin + last];
    pending[begin + last] = most;
    sink(begin, 0u, last);
  }
}

fn each(row: u32, lane: u32) {
  if (row >= params.rows) { return; }
  let v = params.first + row;
  let room = residual[v];
  let before = counts[v];
  var cursor = cursors[v];
  if (before >= room || cursor == EXHAUSTED) { return; }
  let list = offsets[row];
  let length = offsets[row + 1u] - list;
  let begin = starts[v];
  var count = before;
  while (count < room && cursor < length) {
    let u = targets[list + cursor];
    cursor++;
    if (residual[u] > 0u) {
      pending[begin + count] = u;
      count++;
    }
  }
  if (count > FEW) { sortAsHeap(begin, count); }
  else { for (var k = before; k < count; k++) { insertLast(begin, begin + k); } }
  counts[v] = count;
  cursors[v] = select(cursor, EXHAUSTED, cursor == length);
}
