import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { importGraph } from '../../../workers/ingest/import-graph.ts'
import { quietJob } from '../../../workers/job.ts'
import { edgeWeights } from '../../../workers/jobs.ts'
import type { RunArgs, RunOutcome } from '../../../workers/jobs.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder } from '../../support/matching.ts'
import { matchingBound } from '../../support/matching-bound.ts'
import { hasSharedGraphs, sharedFacts, sharedGraphs } from '../../support/shared-graphs.ts'

const GRAPHS = 200

function weightOf(outcome: RunOutcome): number {
  if (outcome.result.kind !== 'matching') throw new Error('this is no matching')
  expect(outcome.verification).toMatchObject({ verified: true })
  return outcome.result.weight
}

async function bothWays(args: Pick<RunArgs, 'folder' | 'checksum' | 'weights' | 'seed'>) {
  const fixed = { algorithm: 'ld-gpu', priority: 'degree', device: 'cpu:0', verify: true } as const
  const base = { ...args, ...fixed, resultFile: join(args.folder, 'mates') }
  const fast = await runAlgorithm(base, quietJob)
  const better = await runAlgorithm({ ...base, quality: 'augment:3' }, quietJob)
  return { fast: weightOf(fast), better: weightOf(better), outcome: better }
}

describe('--quality augment', () => {
  it(`never makes a matching lighter, nor heavier than any can be, on ${GRAPHS} random graphs`, async () => {
    let [gained, bettered] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 150)
      const weigh = (u: number, v: number): number => (1 + ((u * v + u + v) % 7)) / 4
      const onDisk = new WeightedOnDisk(graph, weigh)
      const order = { weights: edgeWeights[Math.floor(seed / 10) % 3]!, ties: 'hash', seed: seed % 5 } as const
      const found = await bothWays({ ...onDisk, ...order })
      const what = `${shape}, seed ${seed}, ${order.weights}`
      expect(found.better, what).toBeGreaterThanOrEqual(found.fast)
      const bound = matchingBound(graph.vertices, edgesInOrder(graph, order, weigh), 1e-3)
      expect(found.better, what).toBeLessThanOrEqual(bound + 1e-6)
      expect(found.outcome.counters['augmentGain'], what).toBeCloseTo(found.better - found.fast, 6)
      if (found.better > found.fast) bettered++
      gained += found.better - found.fast
      onDisk.remove()
    }
    expect(bettered).toBeGreaterThan(GRAPHS / 4)
    expect(gained).toBeGreaterThan(GRAPHS / 10)
  })

  it.skipIf(!hasSharedGraphs)('closes half of the gap on the shared graphs, on geometric mean', async () => {
    const left: number[] = []
    const scratch = mkdtempSync(join(tmpdir(), 'anticlique-augment-'))
    for (const [name] of sharedFacts()) {
      const folder = join(scratch, name)
      const { checksum } = await importGraph(
        { source: join(sharedGraphs, name), folder, ignoreWeights: true },
        quietJob,
      )
      const order = { weights: 'random3', ties: 'hash', seed: 0 } as const
      const { fast, better } = await bothWays({ folder, checksum, ...order })
      const graph = inMemory(folder)
      const bound = matchingBound(
        graph.vertices,
        edgesInOrder(graph, order, () => 1),
        2e-4,
      )
      // The bound is at least the optimum, so the gap to the optimum closed at least as far.
      left.push(Math.max(0.05, (bound - better) / (bound - fast)))
      console.info(
        `${name}: ${fast} became ${better}, at most ${bound.toFixed(3)}; of the gap ${left.at(-1)!.toFixed(3)} is left`,
      )
    }
    rmSync(scratch, { recursive: true })
    const mean = Math.exp(left.reduce((sum, share) => sum + Math.log(share), 0) / left.length)
    console.info(`geometric mean: ${mean.toFixed(3)}`)
    expect(left.length).toBeGreaterThan(10)
    expect(mean).toBeLessThan(0.5)
  })
})

function inMemory(folder: string): SmallGraph {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const offsets = graph.readOffsets(0, graph.vertices)
  const targets = graph.readTargets(0, graph.arcs)
  graph.close()
  const neighbours = Array.from({ length: graph.vertices }, (_, v) => [...targets.subarray(offsets[v], offsets[v + 1])])
  return { vertices: graph.vertices, neighbours }
}
