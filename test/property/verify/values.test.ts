import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadAlgorithm } from '../../../workers/algorithms/registry.ts'
import { computeWith } from '../../../workers/algorithms/run.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { openLabels } from '../../../workers/graph/labels.ts'
import { readValues } from '../../../workers/graph/result-file.ts'
import type { AlgorithmName } from '../../../workers/contract/catalogue.ts'
import { randomSmallGraph, randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 24)
const names: readonly AlgorithmName[] = [
  'bfs',
  'bfs-tree',
  'connected-components',
  'k-core',
  'eccentricities',
  'spin-glass',
]

it.each(names)(
  `%s: what it finds is verified, and not when a value is changed, on ${GRAPHS} random graphs`,
  async (name) => {
    const algorithm = await loadAlgorithm(name)
    let changed = 0
    for (let number = 0; number < GRAPHS; number++) {
      const { graph, shape } = randomSmallGraph(number, 120)
      const { folder, checksum } = writeGraphFolder(graph)
      const resultFile = `${folder}/values`
      const args = { folder, checksum, algorithm: name, device: 'cpu:0', seed: 1, verify: true, resultFile }
      const { verification, result, options } = await computeWith(
        algorithm,
        { ...args, checkpointEveryMs: 0, ...(name === 'spin-glass' && { sweeps: 20 }) },
        quietJob,
      )
      expect(verification, shape).toMatchObject({ verified: true })
      const random = randomStream(number)
      const values = readValues(resultFile, graph.vertices)
      const v = Math.floor(random() * graph.vertices)
      const other = Math.floor(random() * (graph.vertices + 2)) - 1
      const before = values[v]
      if (before === undefined || before === other >>> 0) continue
      const file = GaloisGr.inFolder(folder)
      const stored = { graph: file, labels: openLabels(folder, graph.vertices), bytes: new Uint8Array(values.buffer) }
      const oversized = { ...result, size: 1e9 } as typeof result
      const onSize = await algorithm.verifier!.verify({ ...stored, result: oversized, options }, quietJob)
      expect(onSize, `${shape}, its size`).toMatchObject({ verified: false, law: 'as claimed' })
      values[v] = other
      const verdict = await algorithm.verifier!.verify({ ...stored, result, options }, quietJob)
      expect(verdict, `${shape} ${v}: ${before} -> ${other}`).toMatchObject({ verified: false, law: 'as claimed' })
      changed++
      file.close()
      rmSync(folder, { recursive: true })
    }
    expect(changed).toBeGreaterThan(GRAPHS / 2)
  },
)

it('eccentricities: bounds of a component by its size are verified, too', async () => {
  // A star, and a path whose ends a search from its middle bounds less closely than its four vertices do.
  const star = [1, 2, 3, 4].map((v) => [0, v] as const)
  const graph = smallGraph(9, [...star, [5, 6], [6, 7], [7, 8]])
  const { folder, checksum } = writeGraphFolder(graph)
  const args = { folder, checksum, device: 'cpu:0', seed: 1, verify: true, resultFile: `${folder}/values`, searches: 3 }
  const algorithm = await loadAlgorithm('eccentricities')
  const { verification, result } = await computeWith(algorithm, { ...args, algorithm: 'eccentricities' }, quietJob)
  expect(result).toMatchObject({ figures: { diameterBound: 3 } })
  expect(verification).toMatchObject({ verified: true })
  rmSync(folder, { recursive: true })
})
