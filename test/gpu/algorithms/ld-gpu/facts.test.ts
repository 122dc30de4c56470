import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { RunArgs, RunOutcome } from '../../../../workers/contract/jobs.ts'
import { devicesHere } from '../../../support/devices-here.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const scratch = scratchFolder('matchings')

async function imported(name: string, as = name): Promise<(choice: Partial<RunArgs>) => Promise<RunOutcome>> {
  const folder = join(scratch, as)
  const { checksum } = await importGraph({ source: graphFile(name), folder, ignoreWeights: true }, quietJob)
  const base = { folder, checksum, algorithm: 'ld-gpu', priority: 'degree', seed: 0, ties: 'id' } as const
  const file = { resultFile: join(folder, 'mates'), verify: true, device: 'cpu:0' }
  return (choice) => runAlgorithm({ ...base, ...file, ...choice }, quietJob)
}

describe('graphs with known answers', () => {
  it.each(knownGraphs())('%s: pairs, weight and rounds of the authors’ rule for ties', async (name, facts) => {
    const run = await imported(name)
    for (const weights of ['unit', 'random3'] as const) {
      const hashes = new Set<string>()
      for (const [device, choice] of [
        ['cpu:0', {}],
        ['cpu:0', { batches: 7 }],
        // In software hundreds of rounds take minutes.
        ...devicesHere.slice(1, facts.ldGpu[weights].rounds > 50 ? 1 : 2).map((gpu) => [gpu, { batches: 3 }] as const),
      ] as const) {
        const { result, rounds, verification } = await run({ weights, device, ...choice })
        if (result.kind !== 'matching') throw new Error('this is no matching')
        const { pairs, weight, hash } = result
        expect({ pairs, weight, rounds }, `${weights} on ${device}`).toEqual(facts.ldGpu[weights])
        expect(verification).toMatchObject({ verified: true, size: pairs, weight, hash })
        expect(verification!.upperBound).toBeGreaterThanOrEqual(weight)
        hashes.add(hash)
      }
      expect(hashes.size).toBe(1)
    }
  })

  it.each(['4elt.graph', 'airfoil1.graph'])('%s: ties by hash take at most 1/20 of the rounds', async (name) => {
    const run = await imported(name, `${name}-rounds`)
    const { rounds } = await run({ weights: 'unit', ties: 'hash' })
    const byId = await run({ weights: 'unit', ties: 'id' })
    expect(rounds).toBeGreaterThan(0)
    expect(rounds).toBeLessThanOrEqual(byId.rounds / 20)
  })
})
