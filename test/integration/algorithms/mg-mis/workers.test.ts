import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pool } from '../../../../electron/pool/pool.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { type DatasetFacts, type RunArgs, type RunOutcome, priorities } from '../../../../workers/contract/jobs.ts'
import { hasGpu } from '../../../support/devices-here.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const enginePath = resolve(import.meta.dirname, '../../../../out/main/engine.js')
const scratch = scratchFolder('mg-mis')
const pool = new Pool({ enginePath })
afterAll(async () => {
  await pool.close()
})

function run(folder: string, { checksum }: DatasetFacts, extra: Partial<RunArgs>): Promise<RunOutcome> {
  const resultFile = join(folder, 'set.bits')
  const base = { folder, checksum, algorithm: 'mg-mis', device: 'cpu:0', priority: 'hash', seed: 0 } as const
  return pool.run('run', { ...base, verify: true, resultFile, ...extra }, quietJob)
}

const ways: Partial<RunArgs>[] = [
  { device: 'cpu:0,cpu:1', exchange: 'paper' },
  { device: 'cpu:0', partitions: 7, exchange: 'paper', bufferWords: 50, batches: 40 },
  { device: 'cpu:0', partitions: 3, exchange: 'paper', memoryBytes: 4 << 20 },
  { device: 'cpu:0', partitions: 3, exchange: 'replicated', batches: 17 },
  ...(hasGpu
    ? ([
        { device: 'gpu:0,gpu:0', exchange: 'paper' },
        { device: 'gpu:0,gpu:0,gpu:0', exchange: 'replicated', batches: 13 },
        { device: 'gpu:0,cpu:0', exchange: 'paper', bufferWords: 200, batches: 9 },
        { device: 'gpu:0,gpu:0,cpu:0', exchange: 'replicated', batches: 13 },
      ] as const)
    : []),
]

describe('MG-MIS in threads', () => {
  const folder = join(scratch, 'uniform')
  let facts: DatasetFacts
  beforeAll(async () => {
    facts = await pool.run('generate', { folder, seed: 3, model: 'uniform', vertices: 9973, degree: 8 }, quietJob)
  })

  it.each(priorities.slice(0, 3))('makes the set of one worker, by %s', async (priority) => {
    const alone = await run(folder, facts, { algorithm: 'ecl-mis', priority })
    for (const way of ways) {
      const together = await run(folder, facts, { priority, ...way })
      expect(together.result, JSON.stringify(way)).toEqual(alone.result)
      expect(together.verification).toMatchObject({ verified: true })
      expect(together.devices.length).toBe(way.partitions ?? way.device!.split(',').length)
      if (way.exchange !== 'paper') continue
      expect(together.roundCounts.length).toBe(together.rounds)
      expect(together.roundCounts[0]?.undecided).toBeGreaterThan(0)
      expect(together.counters['transfers']).toBeGreaterThan(together.rounds)
      expect(together.counters['movedPercent']).toBeGreaterThan(1)
      expect(together.series.find(({ name }) => name === 'bufferNeed')?.values.length).toBe(together.rounds)
      if (way.bufferWords !== undefined) expect(together.counters['largestBufferNeed']).toBeGreaterThan(way.bufferWords)
    }
  })
})

describe('MG-MIS by the exchange of its paper', () => {
  const REPEATS = 8

  it('counts the same rounds and transfers each time: answers wait until queries have been read', async () => {
    const folder = join(scratch, 'small-rmat')
    const facts = await pool.run('generate', { folder, seed: 1, model: 'rmat', scale: 6, edgeFactor: 16 }, quietJob)
    for (const bufferWords of [4, 64]) {
      const counted = new Set<string>()
      for (let i = 0; i < REPEATS; i++) {
        const found = await run(folder, facts, { partitions: 4, exchange: 'paper', bufferWords })
        expect(found.verification).toMatchObject({ verified: true })
        expect(found.counters['transfers']).toBeGreaterThan(found.rounds)
        counted.add(JSON.stringify([found.result, found.roundCounts, found.counters]))
      }
      expect([...counted].length).toBe(1)
    }
  })
})

describe('MG-MIS on graphs with known answers', () => {
  it.each(knownGraphs())('%s', async (name, known) => {
    const folder = join(scratch, name)
    const facts = await pool.run('import', { source: graphFile(name), folder }, quietJob)
    // Each way meets several of the graphs.
    const own = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
    const onProcessors = ways.filter(({ device }) => !device!.includes('gpu'))
    for (const way of onProcessors.filter((_, i) => (i + own) % 2 === 0)) {
      const { result } = await run(folder, facts, { priority: 'ecl', ...way })
      expect(result, JSON.stringify(way)).toMatchObject(known.eclMis)
    }
  })
})

describe('MG-MIS out of core', () => {
  /** Little more than the states of all vertices and one piece of the file, which is four. */
  const LITTLE = 2500 << 10
  const folder = join(scratch, 'rmat')
  let facts: DatasetFacts
  beforeAll(async () => {
    facts = await pool.run('generate', { folder, seed: 3, model: 'rmat', scale: 15, edgeFactor: 16 }, quietJob)
  })

  it('comes to the same set, and says how much of the file it read', async () => {
    const whole = await run(folder, facts, { priority: 'degree' })
    expect(whole.counters['readPercent']).toBeGreaterThan(99)
    for (const device of ['cpu:0', 'cpu:0,cpu:1,cpu:2', ...(hasGpu ? ['gpu:0', 'gpu:0,cpu:0'] : [])]) {
      const streamed = await run(folder, facts, { priority: 'degree', memoryBytes: LITTLE, device })
      expect(streamed.result, device).toEqual(whole.result)
      expect(streamed.verification?.verified, device).toBe(true)
      expect(streamed.counters['readPercent'], device).toBeGreaterThan(99)
    }
  })

  it('excludes and keeps what the lists say', async () => {
    const excludeFile = join(scratch, 'exclude')
    const keepFile = join(scratch, 'keep')
    writeFileSync(excludeFile, Array.from({ length: 9_000 }, (_, i) => `${3 * i}\n`).join(''))
    writeFileSync(keepFile, '1\n')
    const plain = await run(folder, facts, { priority: 'degree' })
    for (const lists of [{ excludeFile }, { excludeFile, keepFile }]) {
      const whole = await run(folder, facts, { priority: 'degree', verify: true, ...lists })
      const streamed = await run(folder, facts, { priority: 'degree', memoryBytes: LITTLE, verify: true, ...lists })
      expect(streamed.result).toEqual(whole.result)
      expect(streamed.verification?.verified).toBe(true)
      expect(whole.result).not.toEqual(plain.result)
    }
  })
})
