import { expect, it } from 'vitest'
import { EccentricityBounds } from '../../../../../workers/algorithms/others/eccentricities/eccentricities.ts'
import { NONE } from '../../../../../kernels/bfs/bfs-none.ts'
import { randomSmallGraph } from '../../../../support/graphs.ts'
import { levelsFrom } from '../../../../support/searches.ts'

const depthOf = (levels: Uint32Array): number => levels.reduce((most, l) => (l === NONE ? most : Math.max(most, l)), 0)

it('bounds every eccentricity after every search, and ends with all of them', () => {
  let searches = 0
  for (let number = 0; number < 150; number++) {
    const { graph, shape } = randomSmallGraph(number, 40)
    const all = graph.neighbours.map((_, v) => levelsFrom(graph, v))
    const eccentricity = all.map(depthOf)
    const bounds = new EccentricityBounds(Uint32Array.from(graph.neighbours, (list) => list.length))
    const roots: number[] = []
    for (;;) {
      for (let v = 0; v < graph.vertices; v++) {
        expect(bounds.lower[v], shape).toBeLessThanOrEqual(eccentricity[v]!)
        expect(bounds.upper[v], shape).toBeGreaterThanOrEqual(eccentricity[v]!)
      }
      const known = bounds.figures()
      const reached = roots.length === 0 ? [0] : eccentricity.filter((_, v) => all[roots[0]!]![v] !== NONE)
      expect(known.radius, shape).toBeGreaterThanOrEqual(Math.min(...reached))
      expect(known.diameter, shape).toBeLessThanOrEqual(Math.max(0, ...eccentricity))
      const root = bounds.next()
      if (root === undefined) break
      expect(roots).not.toContain(root)
      roots.push(root)
      bounds.take(all[root]!, eccentricity[root]!)
    }
    const main = roots.length === 0 ? [] : eccentricity.filter((_, v) => all[roots[0]!]![v] !== NONE)
    const diameter = Math.max(0, ...eccentricity)
    const radius = Math.min(...(main.length === 0 ? [0] : main))
    expect(bounds.figures(), shape).toEqual({ diameter, diameterBound: diameter, radius, exact: graph.vertices })
    searches += roots.length
  }
  expect(searches).toBeGreaterThan(500)
})
