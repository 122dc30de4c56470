import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { generateGraph } from '../../../../workers/jobs/generate-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { type RunArgs, priorities } from '../../../../workers/contract/jobs.ts'
import { readBits } from '../../../../workers/graph/vertex-set.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import { type SmallGraph, randomSmallGraph, smallGraph, writeGraphFolder } from '../../../support/graphs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function argsIn(folder: string, checksum: string, extra: Partial<RunArgs> = {}): RunArgs {
  const resultFile = join(folder, 'set.bits')
  const base = { folder, checksum, algorithm: 'mg-mis', device: 'cpu:0', priority: 'hash', seed: 0 } as const
  return { ...base, verify: true, resultFile, ...extra }
}

function argsFor(graph: SmallGraph, extra: Partial<RunArgs> = {}): RunArgs {
  const { folder, checksum } = writeGraphFolder(graph)
  folders.push(folder)
  return argsIn(folder, checksum, extra)
}

describe('MG-MIS with the exchange of the paper', () => {
  it.each(priorities.slice(0, 3))(
    'makes the verified set of ECL-MIS by %s, and tells what it sent',
    async (priority) => {
      const args = argsFor(randomSmallGraph(28, 1500).graph, { priority, exchange: 'paper', memoryBytes: 4 << 20 })
      const alone = await runAlgorithm({ ...args, algorithm: 'ecl-mis', exchange: undefined }, quietJob)
      const paper = await runAlgorithm({ ...args, bufferWords: 5 }, quietJob)
      expect(paper.result).toEqual(alone.result)
      expect(paper.verification).toMatchObject({ verified: true })
      expect(paper.options).toMatchObject({ exchange: 'paper', bufferWords: 5, priority })
      expect(paper.counters).toMatchObject({ movedPercent: 0, transfers: 0, largestBufferNeed: 0 })
      expect(paper.roundCounts.at(-1)?.undecided).toBe(0)
    },
  )

  it('keeps and excludes before everything else', async () => {
    const path = smallGraph(
      6,
      [0, 1, 2, 3, 4].map((v) => [v, v + 1]),
    )
    const args = argsFor(path, { exchange: 'paper' })
    const keepFile = join(args.folder, 'keep')
    const excludeFile = join(args.folder, 'exclude')
    writeFileSync(keepFile, '1\n')
    writeFileSync(excludeFile, '3\n5\n')
    await runAlgorithm({ ...args, keepFile, excludeFile, quality: 'swap' }, quietJob)
    expect([...readBits(args.resultFile, 6).members()]).toEqual([1, 4])
  })

  it('refuses buffers without room for a question', async () => {
    const args = argsFor(randomSmallGraph(28, 100).graph, { exchange: 'paper', bufferWords: 1 })
    await expect(runAlgorithm(args, quietJob)).rejects.toThrow(/cannot be used/)
  })
})

describe('the quality of a set', () => {
  const models = {
    uniform: { model: 'uniform' as const, vertices: 20_000, degree: 8 },
    grid: { model: 'grid' as const, rows: 120, columns: 170 },
  }

  it.each(Object.keys(models) as (keyof typeof models)[])(
    'on %s grows by a fiftieth or more with swap:3',
    async (name) => {
      const scratch = scratchFolder('quality')
      folders.push(scratch)
      const folder = join(scratch, name)
      const { checksum } = await generateGraph({ folder, seed: 2, ...models[name] }, quietJob)
      for (const algorithm of ['ecl-mis', 'mg-mis'] as const) {
        const args = argsIn(folder, checksum, { algorithm, priority: 'degree' })
        const fast = await runAlgorithm({ ...args, quality: 'fast' }, quietJob)
        const better = await runAlgorithm({ ...args, quality: 'swap:3' }, quietJob)
        if (fast.result.kind !== 'independent-set' || better.result.kind !== 'independent-set')
          throw new Error('no set')
        expect(better.verification).toMatchObject({ verified: true })
        expect(better.result.size).toBeGreaterThan(1.02 * fast.result.size)
        expect(better.result.size - fast.result.size).toBe(better.counters['swapGain'])
        expect(better.counters['swapPasses']).toBe(3)
      }
    },
  )

  it('comes near the maximum on small random graphs', async () => {
    let found = 0
    let fast = 0
    let best = 0
    for (let seed = 0; seed < 20; seed++) {
      const { graph } = randomSmallGraph(10 * seed + 7, 90)
      const exact = exactIndependence(graph.neighbours)
      if (exact === null) continue
      const args = argsFor(graph, { priority: 'degree' })
      const size = async (quality: string): Promise<number> => {
        const { result } = await runAlgorithm({ ...args, quality }, quietJob)
        if (result.kind !== 'independent-set') throw new Error('no set')
        expect(result.size).toBeLessThanOrEqual(exact)
        return result.size
      }
      fast += await size('fast')
      found += await size('swap:8')
      best += exact
    }
    expect(best).toBeGreaterThan(200)
    expect(found).toBeGreaterThan(fast)
    expect(found).toBeGreaterThan(0.97 * best)
  })
})
