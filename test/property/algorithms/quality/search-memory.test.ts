import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { searchBytes } from '../../../../workers/algorithms/quality/in-memory-graph.ts'
import { searchLargeSet } from '../../../../workers/algorithms/quality/near-optimal.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { VertexSet } from '../../../../workers/graph/vertex-set.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../../support/graphs.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Beside lists: blocks that are read, and tables of a fixed size. */
const SPARE_BYTES = 4 << 20
const LOOKS_A_SAMPLE = 1000

it('a search holds what its plan says: lists twice, where its reduced graph is peeled, too', async () => {
  const random = randomStream(5)
  const vertices = 3000
  const edges = Array.from(
    { length: 500 * vertices },
    (_, i) => [i % vertices, Math.floor(vertices * random())] as const,
  )
  const { folder } = writeGraphFolder(smallGraph(vertices, edges))
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  let [looks, most] = [0, 0]
  const held = (): number => {
    // The first one leaves buffers to be freed beside it.
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = held()
  const signal = {
    get aborted() {
      if (looks++ % LOOKS_A_SAMPLE === 0) most = Math.max(most, held() - before)
      return false
    },
  }
  const quality = { steps: 2000, limitMs: Infinity }
  const input = { set: new VertexSet(vertices), states: new Uint8Array(vertices), quality, seed: 1, fits: () => true }
  await searchLargeSet(graph, { ...input, from: undefined }, { ...quietJob, signal })
  const size = { vertices, arcs: graph.arcs, weighted: false, exact: true, basis: '', dataset: undefined, steps: [] }
  expect(looks).toBeGreaterThan(2 * LOOKS_A_SAMPLE)
  expect(most).toBeGreaterThan(8 * graph.arcs)
  expect(most).toBeLessThan(searchBytes(size, undefined) + SPARE_BYTES)
  graph.close()
})
