import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { DatasetFacts, RunArgs } from '../../../workers/contract/jobs.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')
const scratch = scratchFolder('resume')
const pool = new Pool({ enginePath })
/** Engines that are killed, one after another, each under a run that goes on from where the one before was. */
const KILLS = 2
let facts: DatasetFacts
let [kills, kept] = [0, 0]

beforeAll(async () => {
  const grid = { model: 'grid', rows: 190, columns: 210 } as const
  facts = await pool.run('generate', { folder: join(scratch, 'grid'), seed: 3, ...grid }, quietJob)
})
afterAll(async () => {
  await pool.close()
})

function argsOf(extra: Partial<RunArgs>): RunArgs {
  const resultFile = join(scratch, 'result')
  const base = {
    folder: join(scratch, 'grid'),
    checksum: facts.checksum,
    algorithm: 'ld-gpu',
    device: 'cpu:0',
  } as const
  return { ...base, priority: 'degree', seed: 0, verify: true, resultFile, checkpointEveryMs: 0, ...extra }
}

/** Runs in an engine that is killed as soon as it tells of this phase. @returns whether it had not ended before */
async function killedIn(phase: string, args: RunArgs): Promise<boolean> {
  const killed = new Pool({ enginePath })
  let engine = 0
  const cut = killed.run('run', args, {
    ...quietJob,
    progress: (step) => step.phase === phase && process.kill(engine, 'SIGKILL'),
  })
  engine = killed.enginePid!
  // The kill comes by way of this process: the run may be done before it.
  const wasKilled = await cut.then(
    () => false,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'engine' })
      return true
    },
  )
  await killed.close()
  return wasKilled
}

// By id and with equal weights, pairs are made one after another: there are hundreds of rounds.
const chains = { ties: 'id', weights: 'unit' } as const
const cases: (Partial<RunArgs> & { words: string; phase: string })[] = [
  { words: 'ld-gpu, three workers', phase: 'match', device: 'cpu:0,cpu:1', partitions: 3, ...chains },
  {
    words: 'ld-gpu in little memory, two workers',
    phase: 'match',
    device: 'cpu:0,cpu:1',
    memoryBytes: 2_500_000,
    ...chains,
  },
  { words: 'ld-gpu rescan, two workers', phase: 'match', device: 'cpu:0,cpu:1', method: 'rescan', ...chains },
  { words: 'ld-gpu, augmented', phase: 'augment', device: 'cpu:0,cpu:1', weights: 'random3', quality: 'augment:20' },
  {
    words: 'mg-mis as in the paper, two workers',
    phase: 'sweep',
    algorithm: 'mg-mis',
    device: 'cpu:0,cpu:1',
    exchange: 'paper',
  },
  { words: 'ecl-mis with swaps', phase: 'swap', algorithm: 'ecl-mis', quality: 'swap:20' },
  { words: 'tc-mis of five seeds', phase: 'round', algorithm: 'tc-mis', priority: 'h2', seeds: 5 },
  ...(hasGpu
    ? [
        {
          words: 'ld-gpu on two kinds of devices',
          phase: 'match',
          device: 'gpu:0,cpu:0',
          partitions: 2,
          weights: 'random3',
        } as const,
        { words: 'tc-mis on a GPU', phase: 'verify', algorithm: 'tc-mis', priority: 'h3', device: 'gpu:0' } as const,
      ]
    : []),
]

it.each(cases)(
  `a run whose engine is killed ${KILLS} times goes on each time: $words`,
  async ({ phase, words, ...extra }) => {
    const whole = await pool.run('run', argsOf(extra), quietJob)
    expect(whole.resumed).toBeUndefined()
    const checkpointFile = join(scratch, `${words}.checkpoint`)
    const args = { ...argsOf(extra), checkpointFile }
    for (let kill = 0; kill < KILLS; kill++) if (await killedIn(phase, { ...args, resume: kill > 0 })) kills++
    const hadCheckpoint = existsSync(checkpointFile)
    if (hadCheckpoint) kept++
    const resumed = await pool.run('run', { ...args, resume: true }, quietJob)
    expect(resumed.resumed).toMatch(hadCheckpoint ? /^from the checkpoint of / : /^anew: there was no checkpoint/)
    expect(resumed.result).toEqual(whole.result)
    expect(resumed.verification).toMatchObject({ verified: true })
    expect(existsSync(checkpointFile)).toBe(false)
    if (/ld-gpu|tc-mis/.test(words)) expect(resumed.roundCounts).toEqual(whole.roundCounts)
  },
)

it('most of these engines were killed, and some left a checkpoint', () => {
  expect(kills).toBeGreaterThanOrEqual((KILLS * cases.length) / 2)
  expect(kept).toBeGreaterThanOrEqual(cases.length / 3)
})
