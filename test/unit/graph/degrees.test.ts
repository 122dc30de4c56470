import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeSealed } from '../../../workers/base/sealed-json.ts'
import { binStarts, degreeDistribution } from '../../../workers/graph/degrees.ts'
import { quietJob } from '../../../workers/job.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import type { SmallGraph } from '../../support/graphs.ts'

const of = (graph: SmallGraph) => degreeDistribution(writeGraphFolder(graph), quietJob)

const random = randomStream(3)
const star = smallGraph(
  200,
  Array.from({ length: 199 }, (_, i) => [0, i + 1] as const),
)
const scattered = smallGraph(
  500,
  Array.from({ length: 4000 }, () => [Math.floor(500 * random() ** 3), Math.floor(500 * random())] as const),
)

test.each([
  ['a star', star],
  ['a random graph with hubs', scattered],
  ['no edge at all', smallGraph(7, [])],
  ['no vertex at all', smallGraph(0, [])],
])('every vertex of %s is counted once, and in the bin of its degree', (_words, graph) => {
  const { vertices, bins, exact } = of(graph)
  const degrees = graph.neighbours.map((list) => list.length)
  const isolated = exact.find(({ degree }) => degree === 0)?.vertices ?? 0
  expect(vertices).toBe(graph.vertices)
  expect(bins.reduce((sum, bin) => sum + bin.vertices, isolated)).toBe(graph.vertices)
  for (const { from, to, vertices: inside } of bins)
    expect(degrees.filter((degree) => degree >= from && degree <= to)).toHaveLength(inside)
  for (const { degree, vertices: inside } of exact) expect(degrees.filter((d) => d === degree)).toHaveLength(inside)
})

test('bins leave no gap and no overlap', () => {
  const starts = binStarts(1000)
  expect(starts.slice(0, 14)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24])
  expect(starts.at(-1)!).toBeGreaterThan(1000)
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
})

test('the second time it is read, unless the graph is another', () => {
  const { folder, checksum } = writeGraphFolder(star)
  const first = degreeDistribution({ folder, checksum }, quietJob)
  const file = join(folder, 'degrees.json')
  const kept = { ...first, vertices: 201 }
  writeSealed(file, { graph: checksum, distribution: kept })
  expect(degreeDistribution({ folder, checksum }, quietJob)).toEqual(kept)
  writeSealed(file, { graph: 'another', distribution: kept })
  expect(degreeDistribution({ folder, checksum }, quietJob)).toEqual(first)
})

test('kept figures are never told when they are damaged', () => {
  const place = writeGraphFolder(star)
  const first = degreeDistribution(place, quietJob)
  const file = join(place.folder, 'degrees.json')
  const sound = readFileSync(file)
  for (let at = 0; at < sound.length; at += 7) {
    const damaged = Buffer.from(sound)
    damaged[at]! ^= 1
    writeFileSync(file, damaged)
    expect(degreeDistribution(place, quietJob)).toEqual(first)
  }
})
