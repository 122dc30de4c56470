/** A graph by the numbers of its nodes, each edge once. */
interface Linked {
  /** Vertices that each node stands for. */
  readonly sizes: readonly number[]
  readonly sources: readonly number[]
  readonly targets: readonly number[]
  readonly weights: readonly number[]
}

/** Numbers from a seed, the same every time (G. Marsaglia, "Xorshift RNGs", 2003). */
function seeded(): () => number {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/**
 * The community of each node: 1 has the most vertices. V. Blondel and others, "Fast unfolding of communities in large networks" (2008), by graphology's
 * own implementation; the same graph has the same ones every time.
 */
export async function communitiesOf({ sizes: held, sources, targets, weights }: Linked): Promise<readonly number[]> {
  const [{ default: Graph }, { default: louvain }] = await Promise.all([
    import('graphology'),
    import('graphology-communities-louvain'),
  ])
  const graph = new Graph<object, { readonly weight: number }>({ type: 'undirected' })
  held.forEach((_, node) => graph.addNode(node))
  sources.forEach((source, i) => {
    if (source !== targets[i]) graph.mergeEdge(source, targets[i]!, { weight: weights[i]! })
  })
  const found = louvain(graph, { getEdgeWeight: 'weight', rng: seeded() })
  const sizes = new Map<number, number>()
  held.forEach((size, node) => sizes.set(found[node]!, (sizes.get(found[node]!) ?? 0) + size))
  const ranked = [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const ranks = new Map(ranked.map(([community], i) => [community, i + 1]))
  return held.map((_, node) => ranks.get(found[node]!)!)
}
