// Purpose: a forest of vertices that are known to be connected. A part of the kernels of components.
// Source:  ECL-CC (Jaiganesh, Burtscher, HPDC 2018): the larger root is hooked under the smaller by compare and swap; finds halve their paths.
// Writes:  parents, which only ever fall: the root of a finished tree is its least vertex, whatever the order of links.

fn rootOf(v: u32) -> u32 {
  var at = v;
  loop {
    let up = atomicLoad(&parents[at]);
    if (up == at) { return at; }
    let over = atomicLoad(&parents[up]);
    if (over == up) { return up; }
    atomicMin(&parents[at], over);
    at = over;
  }
}

fn link(u: u32, v: u32) {
  var a = rootOf(u);
  var b = rootOf(v);
  loop {
    if (a == b) { return; }
    let high = max(a, b);
    b = min(a, b);
    let before = atomicCompareExchangeWeak(&parents[high], high, b);
    if (before.exchanged) { return; }
    a = rootOf(high);
  }
}
