import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/job.ts'
import { sizeOf } from '../../../workers/jobs.ts'
import type { DatasetFacts, RunArgs, RunOutcome } from '../../../workers/jobs.ts'

const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')
const scratch = mkdtempSync(join(tmpdir(), 'anticlique-read-ahead-'))
const folder = join(scratch, 'uniform')
const pool = new Pool({ enginePath })
/** Entries of more than 32 MiB, which threads read ahead for a device with memory of its own. */
const model = { model: 'uniform', vertices: 150_000, degree: 64 } as const

describe('a matching whose entries come to the devices', () => {
  let facts: DatasetFacts
  beforeAll(async () => {
    facts = await pool.run('generate', { folder, seed: 6, ...model }, quietJob)
  })
  afterAll(async () => {
    await pool.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  const run = (device: string, choice: Partial<RunArgs> = {}): Promise<RunOutcome> =>
    pool.run(
      'run',
      {
        folder,
        checksum: facts.checksum,
        algorithm: 'ld-gpu',
        device,
        priority: 'degree',
        seed: 0,
        weights: 'random3',
        verify: false,
        resultFile: join(folder, 'mates'),
        ...choice,
      },
      quietJob,
    )

  it.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')('is the same, and all of the view is read', async () => {
    const onCpu = await run('cpu:0', { verify: true })
    expect(onCpu.verification).toMatchObject({ verified: true })
    expect(sizeOf(onCpu.result)).toBeGreaterThan(50_000)
    expect(onCpu.plan.viewBytes).toBeGreaterThan(36 << 20)
    const onGpu = await run('gpu:0')
    expect(onGpu.result).toEqual(onCpu.result)
    expect(onGpu.bytes.read).toBeGreaterThan(0.9 * onCpu.plan.viewBytes)
    expect(onGpu.bytes.read).toBe(onCpu.bytes.read)
  })

  it.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent').each([
    ['gpu:0', [2.8, 2]],
    ['gpu:0,gpu:0', [4, 3]],
  ] as const)('is the same where the devices have the heads, or nothing that stays: %s', async (device, memories) => {
    const whole = await run('cpu:0')
    const partitions = device.split(',').length
    const taken: number[] = []
    for (const memory of memories) {
      const memoryBytes = memory * 2 ** 20
      const found = await run(device, { partitions, memoryBytes })
      expect(found.result).toEqual(whole.result)
      expect(found.rounds).toBe(whole.rounds)
      expect(found.roundCounts).toEqual(whole.roundCounts)
      expect(found.counters['arcsTouched']).toBe(whole.counters['arcsTouched'])
      expect(found.plan.deviceBytes).toBeLessThanOrEqual(memoryBytes / partitions)
      taken.push(found.plan.deviceBytes)
      expect(found.counters['viewReadPercent']).toBeLessThan(70)
    }
    // Heads and the lists of those who move take some.
    expect(taken[0]).toBeGreaterThan(1.15 * taken[1]!)
  })

  it.each(['cpu:0', 'cpu:0,cpu:1'])('is not made of entries that are damaged: %s', async (device) => {
    await run(device, { partitions: device.split(',').length })
    const [name] = readdirSync(join(folder, 'views')).filter((each) => each.startsWith('weight-ordered-'))
    const path = join(folder, 'views', name!)
    const bytes = readFileSync(path)
    const { tails } = JSON.parse(bytes.toString('utf8', 0, 4096)) as { tails: { at: number } }
    const at = tails.at + 4 * 100_001
    writeFileSync(path, bytes.with(at, bytes[at]! ^ 1))
    const damaged = run(device, { partitions: device.split(',').length })
    await expect(damaged).rejects.toMatchObject({ code: 'input', where: path })
    writeFileSync(path, bytes)
  })
})
