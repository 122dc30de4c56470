import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeSealed } from '../../../workers/base/output-file.ts'
import { degreeDistribution } from '../../../workers/graph/degrees.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { type SmallGraph, randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

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
  [
    'a hub of many thousands',
    smallGraph(
      6000,
      Array.from({ length: 5999 }, (_, i) => [0, i + 1] as const),
    ),
  ],
])('every degree of %s is told with its vertices, as the lists of neighbours have it', (_words, graph) => {
  const { vertices, degrees } = of(graph)
  const counted = Map.groupBy(graph.neighbours, (list) => list.length)
  expect(vertices).toBe(graph.vertices)
  expect(degrees).toEqual(
    [...counted].map(([degree, lists]) => ({ degree, vertices: lists.length })).sort((a, b) => a.degree - b.degree),
  )
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

test('they are given where they cannot be kept', () => {
  const place = writeGraphFolder(star)
  mkdirSync(join(place.folder, 'degrees.json', 'taken'), { recursive: true })
  expect(degreeDistribution(place, quietJob).vertices).toBe(200)
})
