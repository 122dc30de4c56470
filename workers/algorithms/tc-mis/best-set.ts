import { VertexSet } from '../../graph/vertex-set.ts'

export interface BestSet {
  readonly set: VertexSet
  /** Of the set of each seed. */
  readonly sizes: readonly number[]
  /** Which of them was kept: the largest, the first of several. */
  readonly kept: number
}

/**
 * The largest of the sets that TC-MIS found, by size.
 * @param members words of 32 vertices, those of the seeds side by side
 */
export function bestSet(members: Uint32Array, vertices: number, seeds: number): BestSet {
  const segments = Math.ceil(vertices / 32)
  const sizes = new Array<number>(seeds).fill(0)
  for (let at = 0; at < segments * seeds; at++)
    for (let word = members[at]!; word !== 0; word &= word - 1) sizes[at % seeds]!++
  const kept = sizes.indexOf(Math.max(...sizes))
  const set = new VertexSet(vertices)
  for (let v = 0; v < vertices; v++) if (((members[(v >>> 5) * seeds + kept]! >>> (v & 31)) & 1) === 1) set.add(v)
  return { set, sizes, kept }
}
