import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import type { SmallGraph } from '../../../support/graphs.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { isIndependent, searched } from '../../../support/set-searches.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** Each holds a copy of what is left of the graph: two of large ones, which reductions end or nothing does. */
const branchesOf = (vertices: number): number => (vertices < 200 ? 20_000 : 2)

async function readKnown(name: string, scratch: string): Promise<SmallGraph> {
  const folder = join(scratch, name)
  await importGraph({ source: graphFile(name), folder, ignoreWeights: true }, quietJob)
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  try {
    const listOf = (v: number): number[] => {
      const { first, end } = graph.arcsOf(v)
      return [...graph.readTargets(first, end)]
    }
    return { vertices: graph.vertices, neighbours: Array.from({ length: graph.vertices }, (_, v) => listOf(v)) }
  } finally {
    graph.close()
  }
}

it('a search has a largest set of every real graph that branch and bound ends, and says so where the graph is small', async () => {
  const scratch = scratchFolder('exact')
  let [known, small] = [0, 0]
  for (const [name, { n }] of knownGraphs()) {
    const graph = await readKnown(name, scratch)
    const exact = exactIndependence(graph.neighbours, branchesOf(n))
    const { members, bound } = await searched(graph, [], { quality: { steps: 20_000, limitMs: Infinity } })
    expect(isIndependent(graph, members), name).toBe(true)
    if (exact === null) continue
    expect(members.size, name).toBe(exact)
    expect(bound, name).toBeGreaterThanOrEqual(exact)
    known++
    if (n > 200) continue
    expect(bound, name).toBe(exact)
    small++
  }
  expect(known).toBeGreaterThan(8)
  expect(small).toBeGreaterThan(6)
})
