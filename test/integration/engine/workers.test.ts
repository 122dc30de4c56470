import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { sizeOf } from '../../../workers/jobs.ts'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/job.ts'
import type { DatasetFacts, Priority, RunArgs, RunOutcome } from '../../../workers/jobs.ts'

const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')
const hasGpu = process.env['ANTICLIQUE_GPU_TESTS'] !== 'absent'
const scratch = mkdtempSync(join(tmpdir(), 'anticlique-workers-'))
const pool = new Pool({ enginePath })
const graphs = new Map<string, DatasetFacts>()
const models = {
  rmat: { model: 'rmat' as const, scale: 13, edgeFactor: 12 },
  grid: { model: 'grid' as const, rows: 90, columns: 101 },
  uniform: { model: 'uniform' as const, vertices: 9973, degree: 8 },
}

beforeAll(async () => {
  for (const [name, model] of Object.entries(models))
    graphs.set(name, await pool.run('generate', { folder: join(scratch, name), seed: 3, ...model }, quietJob))
})
afterAll(async () => {
  await pool.close()
  rmSync(scratch, { recursive: true, force: true })
})

function run(graph: string, priority: Priority, extra: Partial<RunArgs>): Promise<RunOutcome> {
  const { checksum } = graphs.get(graph)!
  const resultFile = join(scratch, `${graph}.bits`)
  const base = {
    folder: join(scratch, graph),
    checksum,
    algorithm: 'ecl-mis' as const,
    seed: 0,
    verify: true,
    resultFile,
  }
  return pool.run('run', { ...base, device: 'cpu:0', priority, ...extra }, quietJob)
}

const ways: Partial<RunArgs>[] = [
  { device: 'cpu:0,cpu:1' },
  { device: 'cpu:0,cpu:1,cpu:2', batches: 17 },
  { device: 'cpu:0', partitions: 5, batches: 40 },
  ...(hasGpu
    ? [{ device: 'gpu:0,gpu:0' }, { device: 'gpu:0,cpu:0', batches: 9 }, { device: 'cpu:0,gpu:0', partitions: 4 }]
    : []),
]

describe.each(Object.keys(models))('several workers on %s', (graph) => {
  it.each(['ecl', 'degree', 'hash'] as const)('make the set of one, by %s', async (priority) => {
    const alone = await run(graph, priority, {})
    expect(sizeOf(alone.result)).toBeGreaterThan(1000)
    for (const way of ways) {
      const together = await run(graph, priority, way)
      expect(together.result, JSON.stringify(way)).toEqual(alone.result)
      expect(together.verification).toMatchObject({ verified: true })
      expect(together.devices.length).toBe(way.partitions ?? way.device!.split(',').length)
    }
  })
})

describe('a run', () => {
  it('writes a trace that a timeline opens: a process a worker, complete events with durations', async () => {
    const traceFile = join(scratch, 'trace.json')
    await run('rmat', 'degree', { device: 'cpu:0,cpu:1', traceFile })
    const { traceEvents } = JSON.parse(readFileSync(traceFile, 'utf8')) as { traceEvents: Record<string, unknown>[] }
    const spans = traceEvents.filter(({ ph }) => ph === 'X')
    expect(new Set(spans.map(({ pid }) => pid))).toEqual(new Set([0, 1]))
    // Whether a worker has to wait depends on timing.
    const lanes = new Set(spans.map(({ cat }) => cat)).add('wait')
    expect(lanes).toEqual(new Set(['disk read', 'copy in', 'kernel', 'copy out', 'exchange', 'wait']))
    for (const { ts, dur } of spans) expect(Number(ts) >= 0 && Number(dur) >= 0).toBe(true)
  })

  /** A run with a checkpoint after every batch whose engine is killed in this phase. */
  async function cutOff(phase: string, checkpointFile: string) {
    const keep = { checkpointFile, checkpointEveryMs: 0, batches: 12 }
    const killed = new Pool({ enginePath })
    const { checksum } = graphs.get('uniform')!
    const args = { folder: join(scratch, 'uniform'), checksum, algorithm: 'ecl-mis', device: 'cpu:0', seed: 0 } as const
    let engine = 0
    const cut = killed.run(
      'run',
      { ...args, priority: 'ecl', verify: phase === 'verify', resultFile: join(scratch, 'cut.bits'), ...keep },
      { ...quietJob, progress: (step) => step.phase === phase && process.kill(engine, 'SIGKILL') },
    )
    engine = killed.enginePid!
    const end = await cut.then(
      () => 'done',
      ({ code }: { code: string }) => code,
    )
    await killed.close()
    return { keep, end }
  }

  it('that was cut off goes on from its checkpoint to the same set, and removes it', async () => {
    const checkpointFile = join(scratch, 'states.checkpoint')
    const alone = await run('uniform', 'ecl', {})
    const { keep, end } = await cutOff('sweep', checkpointFile)
    expect(end).toMatch(/engine|done/)
    const resumed = await run('uniform', 'ecl', { ...keep, resume: true })
    expect(resumed.result).toEqual(alone.result)
    expect(resumed.verification).toMatchObject({ verified: true })
    expect(existsSync(checkpointFile)).toBe(false)
  })

  it('that was cut off while it was verified need not be computed again', async () => {
    const checkpointFile = join(scratch, 'verified.checkpoint')
    const alone = await run('uniform', 'ecl', {})
    // The kill comes by way of this process: a small graph may be verified, and its checkpoint gone, before it.
    let cut = await cutOff('verify', checkpointFile)
    for (let tries = 0; tries < 30 && !existsSync(checkpointFile); tries++) cut = await cutOff('verify', checkpointFile)
    const { keep, end } = cut
    expect(end).toBe('engine')
    expect(existsSync(checkpointFile)).toBe(true)
    const resumed = await run('uniform', 'ecl', { ...keep, resume: true })
    expect(resumed.result).toEqual(alone.result)
    const { vertices } = alone.plan
    expect(resumed.bytes.read).toBeLessThanOrEqual(8 * (vertices + 1))
    expect(resumed.bytes.read).toBeGreaterThan(0)
    expect(existsSync(checkpointFile)).toBe(false)
  })
})
