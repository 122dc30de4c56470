// Purpose: joins the forests of two workers: a tree edge of one is an edge for the other.
// Source:  kernels/parts/union-find.wgsl; a forest has as many words as there are vertices, however many edges it stands for.
// Reads:   forest: parents by another worker's edges.
// Writes:  parents.

fn each(v: u32, lane: u32) {
  if (v < params.vertices && forest[v] != v) { link(v, forest[v]); }
}
