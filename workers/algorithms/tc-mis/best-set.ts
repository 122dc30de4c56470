import { VertexSet } from '../../graph/vertex-set.ts'

export interface BestSet {
  readonly set: VertexSet
  /** Of the set of each seed. */
  readonly sizes: readonly number[]
  /** Which of them was kept: the largest, the first of several. */
  readonly kept: number
}

/**
 * The largest of the sets that TC-MIS found, by vertices of the graph.
 * @param members words of 32 positions, those of the seeds side by side
 * @param vertexAt the vertex at each position; undefined: the graph's own order
 */
export function bestSet(
  members: Uint32Array,
  vertices: number,
  seeds: number,
  vertexAt: Uint32Array | undefined,
): BestSet {
  const segments = Math.ceil(vertices / 32)
  const sizes = new Array<number>(seeds).fill(0)
  for (let at = 0; at < segments * seeds; at++)
    for (let word = members[at]!; word !== 0; word &= word - 1) sizes[at % seeds]!++
  const kept = sizes.indexOf(Math.max(...sizes))
  const set = new VertexSet(vertices)
  for (let p = 0; p < vertices; p++)
    if (((members[(p >>> 5) * seeds + kept]! >>> (p & 31)) & 1) === 1)
      set.add(vertexAt === undefined ? p : vertexAt[p]!)
  return { set, sizes, kept }
}
