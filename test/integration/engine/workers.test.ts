import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/job.ts'
import { sizeOf } from '../../../workers/jobs.ts'
import type { Priority, RunArgs, RunOutcome } from '../../../workers/jobs.ts'
import { EngineGraphs } from '../../support/engine-graphs.ts'

const hasGpu = process.env['ANTICLIQUE_GPU_TESTS'] !== 'absent'
const models = {
  rmat: { model: 'rmat', scale: 13, edgeFactor: 12 },
  grid: { model: 'grid', rows: 90, columns: 101 },
  uniform: { model: 'uniform', vertices: 9973, degree: 8 },
} as const
const graphs = new EngineGraphs(models)
const { scratch, enginePath } = graphs
const run = (graph: string, priority: Priority, extra: Partial<RunArgs>): Promise<RunOutcome> =>
  graphs.run(graph, { algorithm: 'ecl-mis', priority, ...extra })

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
    const own = { verify: phase === 'verify', resultFile: join(scratch, 'cut.bits'), ...keep }
    const args = graphs.argsOf('uniform', { algorithm: 'ecl-mis', priority: 'ecl', ...own })
    let engine = 0
    const cut = killed.run('run', args, {
      ...quietJob,
      progress: (step) => step.phase === phase && process.kill(engine, 'SIGKILL'),
    })
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
