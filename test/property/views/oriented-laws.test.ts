import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inMemoryBytes } from '../../../workers/graph/views/memory-plan.ts'
import { priorities } from '../../../workers/jobs.ts'
import { randomSmallGraph, randomStream, smallGraph } from '../../support/graphs.ts'
import { Folders, MEBIBYTE, builtBytes } from '../../support/views.ts'

const folders = new Folders()

/** So many vertices and arcs that building in memory is past a mebibyte. */
function largeGraph(seed: number, vertices: number, edges: number) {
  const random = randomStream(seed)
  const skewed = (): number => Math.floor(random() ** 3 * vertices)
  return smallGraph(
    vertices,
    Array.from({ length: edges }, () => [skewed(), Math.floor(random() * vertices)] as const),
  )
}

describe('a view that is built out of core', () => {
  it.each(priorities)('has the bytes of the one built in memory, for any budget and threads: %s', (priority) => {
    for (const seed of [1, 2]) {
      const graph = largeGraph(seed, 8_000 + seed, 150_000)
      const request = { ...folders.of(graph), priority, seed: seed * 12345 }
      const random = randomStream(seed)
      const column =
        priority === 'column'
          ? Float64Array.from({ length: graph.vertices }, () => Math.round(8 * random() - 4) / 2)
          : undefined
      const whole = builtBytes({ ...request, column, budgetBytes: 2 ** 40 })
      expect(whole.length).toBeGreaterThan(400_000)
      for (const [budgetBytes, threads] of [
        [MEBIBYTE, 1],
        [MEBIBYTE, 2],
        [1.5 * MEBIBYTE, 1],
        [2 * MEBIBYTE, 3],
      ] as const)
        expect(builtBytes({ ...request, column, budgetBytes, threads }).equals(whole)).toBe(true)
      expect(readdirSync(join(request.folder, 'views'))).toHaveLength(1)
    }
  })

  it('has these bytes for graphs of every shape', () => {
    let outOfCore = 0
    for (let seed = 0; seed < 120; seed++) {
      const { graph } = randomSmallGraph(seed, 2000)
      const request = { ...folders.of(graph), priority: priorities[seed % 3]!, seed }
      const whole = builtBytes(request)
      // The least that one thread works with, beside the vertex state.
      const budgetBytes = 100_000 + 14 * graph.vertices
      if (inMemoryBytes(graph.vertices, graph.neighbours.flat().length) > budgetBytes) outOfCore++
      expect(builtBytes({ ...request, budgetBytes, threads: 1 }).equals(whole)).toBe(true)
    }
    expect(outOfCore).toBeGreaterThan(10)
  })
})
