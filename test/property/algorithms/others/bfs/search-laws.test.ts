import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NONE } from '../../../../../kernels/bfs/bfs-none.ts'
import { randomSmallGraph, randomStream, writeGraphFolder } from '../../../../support/graphs.ts'
import { type SearchCase, levelsFrom, searchHere } from '../../../../support/searches.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)
const grids = [
  [1, 1],
  [1, 2],
  [2, 1],
  [1, 4],
  [2, 2],
  [3, 2],
  [2, 3],
] as const
const directions = ['optimising', 'top-down', 'bottom-up'] as const

it(`finds the levels of a queue and the least parents in every grid and from both sides, on ${GRAPHS} random graphs`, async () => {
  let [deep, apart, bitmaps, lists] = [0, 0, 0, 0]
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 500)
    if (graph.vertices === 0) continue
    const random = randomStream(number)
    const root = Math.floor(random() * graph.vertices)
    const expected = levelsFrom(graph, root)
    const { folder } = writeGraphFolder(graph)
    for (let i = 0; i < 3; i++) {
      const [rows, columns] = grids[(number + i * 3) % grids.length]!
      const way: SearchCase = {
        ...{ rows, columns, direction: directions[(number + i) % 3]!, listsOnly: random() < 0.2 },
        batches: 1 + Math.floor(random() * 4),
      }
      const found = await searchHere(folder, (before) => (before === undefined ? root : undefined), way)
      const where = `${number} ${shape} ${JSON.stringify(way)}`
      expect(found.levels, where).toEqual(expected)
      const parents = Uint32Array.from(graph.neighbours, (list, v) =>
        v === root ? root : (list.find((u) => expected[v] !== NONE && expected[u] === expected[v]! - 1) ?? NONE),
      )
      expect(found.parents, where).toEqual(parents)
      const [search] = found.searches
      expect(search!.reached, where).toBe(expected.filter((level) => level !== NONE).length)
      const arcs = graph.neighbours.reduce((sum, list, v) => sum + (expected[v] === NONE ? 0 : list.length), 0)
      expect(search!.arcs, where).toBe(arcs)
      for (const report of found.reports) {
        bitmaps += report.counters['bitmapBytes']!
        lists += report.counters['listBytes']!
      }
    }
    if (Math.max(...expected.filter((level) => level !== NONE)) > 4) deep++
    if (expected.includes(NONE)) apart++
    rmSync(folder, { recursive: true })
  }
  expect(deep).toBeGreaterThan(GRAPHS / 10)
  expect(apart).toBeGreaterThan(GRAPHS / 10)
  expect(bitmaps).toBeGreaterThan(0)
  expect(lists).toBeGreaterThan(0)
})
