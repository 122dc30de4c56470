import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAlgorithm } from '../../../../../workers/algorithms/run.ts'
import { readMates } from '../../../../../workers/graph/matching.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { edgeTies, edgeWeights } from '../../../../../workers/contract/jobs.ts'
import { randomSmallGraph } from '../../../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, roundsOf } from '../../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 36)

it(`both methods make the matching of the serial loop in the same rounds on ${GRAPHS} random graphs, in any number of batches`, async () => {
  let pairs = 0
  for (let seed = 0; seed < GRAPHS; seed++) {
    const { shape, graph } = randomSmallGraph(seed, 300)
    const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
    const onDisk = new WeightedOnDisk(graph, weightOf)
    const { folder, checksum } = onDisk
    const [weights, ties] = [edgeWeights[Math.floor(seed / 10) % 3]!, edgeTies[Math.floor(seed / 30) % 3]!]
    // Every other graph without its light edges.
    const threshold = seed % 2 === 0 ? undefined : [0.3, 0.5, 0.75][seed % 3]
    const order = { weights, ties, seed: seed % 5, threshold }
    const edges = edgesInOrder(graph, order, weightOf)
    const mates = greedyMatching(graph.vertices, edges)
    const rounds = roundsOf(graph.vertices, edges)
    const base = { folder, checksum, algorithm: 'ld-gpu', priority: 'degree', device: 'cpu:0', verify: true } as const
    for (const choice of [
      { method: 'rescan' },
      { method: 'rescan', batches: 2 + (seed % 39) },
      { method: 'ordered' },
    ] as const) {
      const resultFile = join(folder, 'mates')
      const outcome = await runAlgorithm({ ...base, ...order, ...choice, resultFile }, quietJob)
      const what = `${shape}, seed ${seed}, ${weights}, ${ties}, ${JSON.stringify(choice)}`
      const found = readMates(resultFile, graph.vertices)
      expect(
        Array.from(found.mates, (mate) => mate | 0),
        what,
      ).toEqual(mates)
      expect(outcome.rounds, what).toBe(rounds)
      expect(outcome.verification, what).toMatchObject({ verified: true })
      pairs += found.summary().pairs
    }
    onDisk.remove()
  }
  expect(pairs).toBeGreaterThan(60 * GRAPHS)
})
