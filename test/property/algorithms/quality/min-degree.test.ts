import { expect, it } from 'vitest'
import { minDegreeSet } from '../../../../workers/algorithms/quality/greedy-set.ts'
import {
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  smallGraph,
  type SmallGraph,
} from '../../../support/graphs.ts'

function setOf({ vertices, neighbours }: SmallGraph): Set<number> {
  const starts = new Uint32Array(vertices + 1)
  neighbours.forEach((list, v) => (starts[v + 1] = starts[v]! + list.length))
  const members = minDegreeSet({ vertices, starts, targets: Uint32Array.from(neighbours.flat()) }, () => {})
  return new Set([...members.keys()].filter((v) => members[v] === 1))
}

/** With leaves first: the optimum of a tree whose parents have smaller numbers. */
function most(parents: readonly number[]): number {
  const isOut = new Uint8Array(parents.length)
  let size = 0
  for (let v = parents.length - 1; v >= 0; v--) {
    if (isOut[v] === 1) continue
    size++
    if (v > 0) isOut[parents[v]!] = 1
  }
  return size
}

it('is maximal on 300 random graphs, and the largest there is on 200 random trees', () => {
  for (let number = 0; number < 300; number++) {
    const { graph, shape } = randomSmallGraph(number, 200)
    expect(isMaximalIndependent(graph, setOf(graph)), `${number} ${shape}`).toBe(true)
  }
  for (let number = 0; number < 200; number++) {
    const random = randomStream(number)
    const vertices = 1 + Math.floor(random() * 100)
    const parents = Array.from({ length: vertices }, (_, v) => Math.floor(random() * v))
    const tree = smallGraph(
      vertices,
      parents.map((parent, v) => [parent, v] as const),
    )
    expect(setOf(tree).size).toBe(most(parents))
  }
})

it('is maximal where all vertices have hundreds of neighbours, and takes the larger side of a bipartite graph', () => {
  const dense = (vertices: number, isEdge: (u: number, v: number) => boolean): SmallGraph =>
    smallGraph(
      vertices,
      Array.from({ length: vertices }, (_, u) => u).flatMap((u) =>
        Array.from({ length: u }, (_, v) => [v, u] as const).filter(([v, w]) => isEdge(v, w)),
      ),
    )
  expect(setOf(dense(300, () => true)).size).toBe(1)
  expect(setOf(dense(640, (u, v) => u < 310 !== v < 310)).size).toBe(330)
  for (const share of [0.7, 0.95]) {
    const random = randomStream(Math.round(100 * share))
    const graph = dense(500, () => random() < share)
    const set = setOf(graph)
    expect(set.size).toBeGreaterThan(1)
    expect(isMaximalIndependent(graph, set)).toBe(true)
  }
})
