import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { exportSet } from '../../../workers/export/export-set.ts'
import { addWeights } from '../../support/dataset-folders.ts'
import { randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { valuesRun } from '../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 30)

it(`has a line for each edge between two aggregates, of ${GRAPHS} random graphs`, async () => {
  let lines = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(2000 + number, 120)
    const isWeighted = number % 2 === 1
    const weightOf = (u: number, v: number): number => (isWeighted ? 1 + ((u + v) % 7) : 1)
    const plain = writeGraphFolder(graph)
    const place = isWeighted ? addWeights(plain, graph, weightOf) : plain
    const run = { algorithm: 'mis2-aggregates', partitions: 1 + (number % 3) } as const
    const { outcome, values } = await valuesRun(place, graph.vertices, run)
    const files = { resultFile: join(place.folder, 'result'), output: join(place.folder, 'coarse.mtx') }
    const { hash } = outcome.result
    await exportSet({ ...place, ...files, ...run, kind: 'values', hash, format: 'quotient' }, quietJob)
    const [, sizes, ...found] = readFileSync(files.output, 'utf8').trimEnd().split('\n')
    const expected = graph.neighbours.flatMap((list, v) =>
      list
        .filter((u) => u < v && values[u] !== values[v])
        .map((u) => {
          const [a, b] = [values[u]! + 1, values[v]! + 1]
          return `${Math.max(a, b)} ${Math.min(a, b)} ${weightOf(u, v)}`
        }),
    )
    expect(found.sort(), shape).toEqual(expected.sort())
    const count = new Set(values).size
    expect(sizes, shape).toBe(`${count} ${count} ${expected.length}`)
    lines += expected.length
    rmSync(place.folder, { recursive: true })
  }
  expect(lines).toBeGreaterThan(GRAPHS)
})
