import { MAX_DEGREE, MAX_SCANNED } from './reduction.ts'
import type { Adjacency } from './residual-graph.ts'

/** Vertices that are looked at, spread over the graph, and those of them that suffice. */
const LOOKS = 4096
const ENOUGH = 4

/** Whether reductions find anything in a graph that is worth to number the rest anew. Small graphs are not looked at. */
export function isReducible(adjacency: Adjacency): boolean {
  if (adjacency.vertices < LOOKS) return true
  let found = 0
  for (let i = 0; i < LOOKS && found < ENOUGH; i++)
    if (isReduced(adjacency, Math.floor((i * adjacency.vertices) / LOOKS))) found++
  return found === ENOUGH
}

/** By a degree of 2 at most, or as it dominates a neighbour; see {@link Reduction}. */
function isReduced({ starts, targets }: Adjacency, u: number): boolean {
  const list = targets.subarray(starts[u]!, starts[u + 1]!)
  if (list.length <= 2 || list.length > MAX_DEGREE) return list.length <= 2
  const around = new Set([u, ...list])
  return list.some((v) => {
    const others = targets.subarray(starts[v]!, starts[v + 1]!)
    if (others.length < list.length || others.length > MAX_SCANNED) return false
    let met = 0
    for (const w of others) if (around.has(w)) met++
    return met === list.length
  })
}
