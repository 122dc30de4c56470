import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { randomStream, smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { levelsFrom, searchHere } from '../../../../support/searches.ts'

/** More than one thread takes at a time. */
const VERTICES = 30_000
const SEARCHES = 8
const directions = ['optimising', 'top-down', 'bottom-up'] as const

it('finds the same levels, parents and totals with 1, 2 and 3 threads', async () => {
  for (const [number, direction] of directions.entries()) {
    const random = randomStream(number)
    // Many neighbours for few vertices, few for most, none for some.
    const skewed = (): number => Math.floor(VERTICES * random() ** 3)
    const uniform = (): number => Math.floor(VERTICES * random())
    const edges = Array.from({ length: 4 * VERTICES }, () => [skewed(), uniform()] as const)
    const graph = smallGraph(VERTICES, edges)
    const { folder } = writeGraphFolder(graph)
    const roots = Array.from({ length: SEARCHES }, uniform)
    for (const columns of [1, 2]) {
      const found = await Promise.all(
        [1, 2, 3].map((threads) =>
          searchHere(folder, (_, done) => roots[done], { rows: 1, columns, direction, batches: 1 + number, threads }),
        ),
      )
      expect(found[0]!.levels).toEqual(levelsFrom(graph, roots.at(-1)!))
      const answers = found.map(({ levels, parents, searches }) => ({
        ...{ levels, parents },
        searches: searches.map(({ levels: each, reached, arcs }) => ({ each, reached, arcs })),
      }))
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    }
    rmSync(folder, { recursive: true })
  }
})
