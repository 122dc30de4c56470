import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { misSweep } from '../../../kernels/mis/mis-sweep.ts'
import type { AnyKernel } from '../../../kernels/kernel.ts'
import { loadAlgorithm } from '../../../workers/algorithms/registry.ts'
import { computeWith } from '../../../workers/algorithms/run.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import type { Device } from '../../../workers/device/device.ts'
import { InterleavedDevice } from '../../support/interleaved/interleaved-device.ts'
import { randomStream, type SmallGraph, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

/** Random graphs of each case. */
const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 1)

/** Vertices of low ids have hundreds of neighbours, most of the others more than a kernel's short list. */
function hubGraph(random: () => number): SmallGraph {
  const n = 100 + Math.floor(100 * random())
  const edges = Array.from({ length: 20 * n }, (): [number, number] => [
    Math.floor(n * random() ** 2),
    Math.floor(n * random()),
  ])
  return smallGraph(n, edges)
}

/** Most vertices wait when their lists were visited, so that sweeps decide them. */
function sparseGraph(random: () => number): SmallGraph {
  const vertex = (): number => Math.floor(1000 * random())
  return smallGraph(
    1000,
    Array.from({ length: 8000 }, () => [vertex(), vertex()]),
  )
}

type Options = Partial<RunArgs> & Pick<RunArgs, 'algorithm'>

const sets: Options[] = (['hash', 'degree', 'ecl'] as const).flatMap((priority) => [
  { algorithm: 'ecl-mis', priority },
  { algorithm: 'ecl-mis', priority, batches: 3 },
])
const matchings: Options[] = (['hash', 'id', 'degree'] as const).flatMap((ties) => [
  { algorithm: 'ld-gpu', ties, weights: 'unit' },
  { algorithm: 'ld-gpu', ties, weights: 'random3', batches: 3 },
])
const others: Options[] = [
  { algorithm: 'ld-gpu', method: 'rescan', weights: 'unit' },
  { algorithm: 'mg-mis', exchange: 'paper', priority: 'hash' },
  { algorithm: 'tc-mis', priority: 'h1' },
  { algorithm: 'luby' },
  { algorithm: 'distance-mis', priority: 'random' },
  { algorithm: 'mis2-aggregates', priority: 'random' },
  { algorithm: 'colouring', priority: 'largest-first' },
  { algorithm: 'colouring', priority: 'hash', batches: 3 },
  { algorithm: 'connected-components' },
  { algorithm: 'k-core' },
  { algorithm: 'b-suitor', capacity: 3, weights: 'random3' },
  { algorithm: 'b-suitor', capacity: 40, weights: 'unit', ties: 'degree', batches: 3 },
  { algorithm: 'bfs-tree', direction: 'top-down' },
  { algorithm: 'bfs-tree', direction: 'bottom-up' },
]

const cases = [
  ...[...sets, ...matchings, ...others].map(
    (options) => [Object.values(options).join(' '), options, hubGraph, undefined] as const,
  ),
  ['ecl-mis hash, by sweeps', { algorithm: 'ecl-mis', priority: 'hash' }, sparseGraph, misSweep.name] as const,
]

/** Not run from the text: tensor cores are no part of it, and sums of pieces take a million steps. */
const isInterleaved = ({ name }: AnyKernel): boolean => name !== 'tc-counts-matrix' && name !== 'piece-sums'

async function hashOf(
  options: Options,
  dataset: ReturnType<typeof writeGraphFolder>,
  device?: Device,
): Promise<string> {
  const where = { ...dataset, device: device?.facts.id ?? 'cpu:0', resultFile: join(dataset.folder, 'result') }
  const args = { seed: 0, verify: false, ...where, ...options }
  const outcome = await computeWith(await loadAlgorithm(args.algorithm), args, quietJob, device)
  return outcome.result.hash
}

describe('one answer, however workgroups and invocations of a GPU are interleaved', () => {
  it.each(cases)('%s', async (_, options, graphOf, kernel) => {
    let launches = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const dataset = writeGraphFolder(graphOf(randomStream(seed)))
      const device = new InterleavedDevice(randomStream(seed + 1000), isInterleaved)
      const found = await hashOf(options, dataset, device)
      expect(found, `graph ${seed}`).toBe(await hashOf(options, dataset))
      for (const [name, count] of device.launched) if (kernel === undefined || name === kernel) launches += count
      rmSync(dataset.folder, { recursive: true })
    }
    expect(launches).toBeGreaterThan(GRAPHS)
  })
})
