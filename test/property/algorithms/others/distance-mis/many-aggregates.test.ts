import { expect, it } from 'vitest'
import { loadAlgorithm } from '../../../../../workers/algorithms/registry.ts'
import { computeWith } from '../../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { withSmallCollections } from '../../../../support/small-collections.ts'
import { join } from 'node:path'

const MOST = 2 ** 14

it.each([
  ['each vertex alone', 1],
  ['pairs', 2],
  ['stars of five', 5],
])('there may be more aggregates than a Map holds: %s', async (_, each) => {
  const aggregates = MOST + 2
  const vertices = each * aggregates
  const edges = Array.from({ length: vertices }, (__, v) => [v - (v % each), v] as const)
  const { folder, checksum } = writeGraphFolder(smallGraph(vertices, edges))
  const args = { folder, checksum, device: 'cpu:0', seed: 1, verify: true, resultFile: join(folder, 'values') }
  const algorithm = await loadAlgorithm('mis2-aggregates')
  const run = () => computeWith(algorithm, { ...args, algorithm: 'mis2-aggregates' }, quietJob)
  const { result, verification } = await withSmallCollections(MOST, run)
  expect(verification).toMatchObject({ verified: true })
  expect(result).toMatchObject({ size: aggregates, figures: { aggregates, largest: each, smallest: each } })
})
