import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { improveMatching } from '../../../../workers/algorithms/quality/improve-matching.ts'
import type { ComputedMatching } from '../../../../workers/algorithms/computed-matching.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { Matching } from '../../../../workers/graph/matching.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { type RunArgs, type RunOutcome, edgeWeights } from '../../../../workers/contract/jobs.ts'
import { randomSmallGraph, smallGraph } from '../../../support/graphs.ts'
import { fixturePath } from '../../../support/fixtures.ts'
import { WeightedOnDisk, edgesInOrder } from '../../../support/matching.ts'
import { matchingBound } from '../../../support/matching-bound.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const GRAPHS = 32
/** All weights are multiples of these. */
const LEAST_GAIN = { column: 1 / 4, unit: 1, random3: 1e-3 } as const
const OPTIMA = 'matching/random3-optima.json'

interface Optima {
  readonly seed: number
  /** The weight of a maximum weight matching of each graph, in thousandths. */
  readonly optima: Readonly<Record<string, number>>
}

const thousandths = (weight: number): number => Math.round(1000 * weight)

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
      // No edge is given up for nothing.
      const { augmentSwaps = 0, augmentGain = 0 } = found.outcome.counters
      expect(augmentSwaps * LEAST_GAIN[order.weights], what).toBeLessThanOrEqual(augmentGain + 1e-6)
      if (found.better > found.fast) bettered++
      gained += found.better - found.fast
      onDisk.remove()
    }
    expect(bettered).toBeGreaterThan(GRAPHS / 4)
    expect(gained).toBeGreaterThan(GRAPHS / 10)
  })

  it('gains what it says where one edge joins both targets of a swap', async () => {
    // 0 -10- 1 -9- 2 -1- 3 -9- 0
    const graph = smallGraph(
      4,
      [0, 1, 2, 3].map((v) => [v, (v + 1) % 4] as const),
    )
    const onDisk = new WeightedOnDisk(graph, (u, v) => (u + v === 1 ? 10 : u + v === 5 ? 1 : 9))
    const { fast, better, outcome } = await bothWays({ ...onDisk, weights: 'column', seed: 0 })
    expect([fast, better, outcome.counters['augmentGain']]).toEqual([11, 18, 7])
    onDisk.remove()
  })

  it('makes no pass over a graph that is too large for the memory once the time is up', () => {
    // 0 -10- 1 -9- 2 -1- 3 -9- 0
    const graph = smallGraph(
      4,
      [0, 1, 2, 3].map((v) => [v, (v + 1) % 4] as const),
    )
    const onDisk = new WeightedOnDisk(graph, (u, v) => (u + v === 1 ? 10 : u + v === 5 ? 1 : 9))
    const file = GaloisGr.open(onDisk.path)
    const args = { quality: 'best', searchSeconds: 1, memoryBytes: 1 } as RunArgs
    const order = { weights: 'column', ties: 'hash', seed: 0 } as const
    let reads = 0
    const job = { ...quietJob, progress: () => void reads++ }
    const gainAfter = (ms: number): number | undefined => {
      const computed = { matching: new Matching(Uint32Array.of(1, 0, 3, 2)) } as ComputedMatching
      const run = { args, graph: file, waitedMs: () => ms }
      return improveMatching(run, computed, order, undefined, job).augmentation?.gain
    }
    expect([gainAfter(1000), reads]).toEqual([undefined, 0])
    expect(gainAfter(0)).toBe(7)
    expect(reads).toBeGreaterThan(2)
    file.close()
    onDisk.remove()
  })

  it('closes half of the gap on real graphs, on geometric mean', async () => {
    const { seed, optima } = JSON.parse(readFileSync(fixturePath(OPTIMA), 'utf8')) as Optima
    const left: number[] = []
    const scratch = scratchFolder('augment')
    for (const [name] of knownGraphs()) {
      const folder = join(scratch, name)
      const source = graphFile(name)
      const { checksum } = await importGraph({ source, folder, ignoreWeights: true }, quietJob)
      const { fast, better } = await bothWays({ folder, checksum, weights: 'random3', seed })
      const optimum = optima[name]!
      const [gap, gapLeft] = [optimum - thousandths(fast), optimum - thousandths(better)]
      expect(gapLeft, name).toBeGreaterThanOrEqual(0)
      // Where nothing was left to gain there is no share of it. One that is closed counts as if a twentieth were left of it.
      if (gap > 0) left.push(Math.max(0.05, gapLeft / gap))
    }
    const mean = Math.exp(left.reduce((sum, share) => sum + Math.log(share), 0) / left.length)
    expect(left.length).toBeGreaterThan(8)
    expect(mean).toBeLessThanOrEqual(0.5)
  })
})
