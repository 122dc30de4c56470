import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NONE } from '../../../../../kernels/bfs/bfs-none.ts'
import {
  componentWorks,
  shareChunks,
  shareForests,
} from '../../../../../workers/algorithms/others/connected-components/connected-components.ts'
import type { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { type SmallGraph, randomSmallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'
import { levelsFrom } from '../../../../support/searches.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)

/** The least vertex that reaches each. */
function leastReaching(graph: SmallGraph): Uint32Array {
  const found = new Uint32Array(graph.vertices).fill(NONE)
  for (let v = 0; v < graph.vertices; v++) {
    if (found[v] !== NONE) continue
    levelsFrom(graph, v).forEach((level, u) => level !== NONE && (found[u] = v))
  }
  return found
}

it(`names every component by its least vertex, for any number of workers and batches, on ${GRAPHS} random graphs`, async () => {
  let several = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 400)
    const expected = leastReaching(graph)
    const { folder } = writeGraphFolder(graph)
    const many = 2 + (number % 4)
    for (const [workers, forests] of [
      [1, 1],
      [many, many],
      [many, 1],
    ] as const) {
      const batches = 1 + (number % 3)
      const share = (file: GaloisGr) => ({
        forests: shareForests(graph.vertices, forests),
        chunks: forests === 1 ? shareChunks(file, workers) : undefined,
      })
      const { shared } = await rangesHere(folder, { workers, batches, share }, componentWorks)
      expect(shared.forests[0], `${number} ${shape} ${workers} ${forests}`).toEqual(expected)
    }
    if (new Set(expected).size > 3) several++
    rmSync(folder, { recursive: true })
  }
  expect(several).toBeGreaterThan(GRAPHS / 4)
})
