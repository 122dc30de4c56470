import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coreFigures, coreWorks, shareCores } from '../../../../../workers/algorithms/others/k-core/k-core.ts'
import { degreesOf } from '../../../../../workers/graph/degrees.ts'
import type { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { type SmallGraph, randomSmallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'
import { valuesRun } from '../../../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)

/** Core numbers by peeling: the vertex of least degree leaves, and its core number is the largest such degree so far. */
function peeled({ vertices, neighbours }: SmallGraph): Uint32Array {
  const degrees = neighbours.map((list) => list.length)
  const left = new Set(neighbours.keys())
  const cores = new Uint32Array(vertices)
  for (let k = 0; left.size > 0;) {
    const low = [...left].filter((v) => degrees[v]! <= k)
    if (low.length === 0) k++
    for (const v of low) {
      left.delete(v)
      cores[v] = k
      for (const u of neighbours[v]!) degrees[u]!--
    }
  }
  return cores
}

it(`finds what peeling finds, in as many sweeps for any number of workers and batches, on ${GRAPHS} random graphs`, async () => {
  let deep = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 400)
    const expected = peeled(graph)
    const { folder } = writeGraphFolder(graph)
    const found: (readonly number[])[] = []
    for (const workers of [1, 1, 2 + (number % 4)]) {
      const batches = found.length === 0 ? 1 : 2 + (number % 3)
      const share = (file: GaloisGr, bounds: readonly number[]) => {
        const shared = shareCores(graph.vertices, bounds)
        shared.cores.set(degreesOf(file))
        return shared
      }
      const { shared, outcome } = await rangesHere(folder, { workers, batches, share }, coreWorks)
      expect(shared.cores, `${number} ${shape} ${workers}`).toEqual(expected)
      found.push(outcome)
    }
    expect(found[1], shape).toEqual(found[0])
    expect(found[2], shape).toEqual(found[0])
    if (found[0]!.length > 4) deep++
    rmSync(folder, { recursive: true })
  }
  expect(deep).toBeGreaterThan(GRAPHS / 10)
})

it('finds the same where processors hold all lists and peel, one alone or several', async () => {
  let deep = 0
  for (let number = 0; number < GRAPHS / 5; number++) {
    const { graph, shape } = randomSmallGraph(number, 1500)
    const expected = peeled(graph)
    const place = writeGraphFolder(graph)
    for (const device of ['cpu:0', 'cpu:0,cpu:1', 'cpu:0,cpu:1,cpu:2']) {
      const { outcome, values } = await valuesRun(place, graph.vertices, { algorithm: 'k-core', device })
      expect(values, `${number} ${shape} ${device}`).toEqual(expected)
      expect(outcome, `${number} ${shape} ${device}`).toMatchObject({ rounds: 1, verification: { verified: true } })
      const fell = expected.reduce((sum, core, v) => sum + (core < graph.neighbours[v]!.length ? 1 : 0), 0)
      expect(outcome.counters['fallen']).toBe(fell)
    }
    if (Math.max(0, ...expected) > 4) deep++
    rmSync(place.folder, { recursive: true })
  }
  expect(deep).toBeGreaterThan(GRAPHS / 50)
})

it('counts the inmost core alone', () => {
  expect(coreFigures(Uint32Array.of(1, 3, 2, 3, 0))).toEqual({ degeneracy: 3, inmost: 2 })
  expect(coreFigures(new Uint32Array(0))).toEqual({ degeneracy: 0, inmost: 0 })
})
