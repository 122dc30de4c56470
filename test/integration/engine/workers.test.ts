import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { PIECE_BYTES } from '../../../workers/base/sums.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { sizeOf } from '../../../workers/contract/result.ts'
import type { Priority, RunArgs, RunOutcome } from '../../../workers/contract/jobs.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { EngineGraphs } from '../../support/engine-graphs.ts'

const models = {
  rmat: { model: 'rmat', scale: 13, edgeFactor: 12 },
  grid: { model: 'grid', rows: 90, columns: 101 },
  uniform: { model: 'uniform', vertices: 9973, degree: 8 },
} as const
/** A graph of which a run reads several pieces. */
const pieces = { model: 'uniform', vertices: 90_000, degree: 14 } as const
const graphs = new EngineGraphs({ ...models, pieces })
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
  it.each(['cpu:0,cpu:1', ...(hasGpu ? ['gpu:0,cpu:0'] : [])])(
    'writes a trace that a timeline opens: a process a worker, complete events with durations, on %s',
    async (device) => {
      const traceFile = join(scratch, 'trace.json')
      await run('rmat', 'degree', { device, batches: 6, traceFile })
      const { traceEvents } = JSON.parse(readFileSync(traceFile, 'utf8')) as { traceEvents: Record<string, unknown>[] }
      const processes = traceEvents.filter(({ name }) => name === 'process_name')
      expect(processes.map(({ pid, args }) => ({ pid, args }))).toEqual(
        device.split(',').map((id, pid) => ({ pid, args: { name: `worker ${pid} on ${id}` } })),
      )
      const spans = traceEvents.filter(({ ph }) => ph === 'X')
      // Which worker gets a piece, and whether one has to wait, depends on timing.
      for (const { pid } of spans) expect([0, 1]).toContain(pid)
      const lanes = new Set(spans.map(({ cat }) => cat)).add('wait')
      const ofGpu = device.includes('gpu') ? ['copy in', 'exchange'] : []
      expect([...lanes].sort()).toEqual([...ofGpu, 'disk read', 'kernel', 'wait'].sort())
      for (const { ts, dur } of spans) expect(Number(ts) >= 0 && Number(dur) >= 0).toBe(true)
    },
  )

  /** A run with a checkpoint after every unit, whose engine is killed in this phase, once it has left one. */
  async function cutOff(phase: string, checkpointFile: string) {
    const keep = { checkpointFile, checkpointEveryMs: 0 }
    const own = { verify: phase === 'verify', resultFile: join(scratch, 'cut.bits'), ...keep }
    const args = graphs.argsOf('pieces', { algorithm: 'ecl-mis', priority: 'ecl', ...own })
    // The kill comes by way of this process: a run may be done, and its checkpoint gone, before it; or none written yet.
    for (let tries = 0; tries < 40; tries++) {
      const killed = new Pool({ enginePath })
      let isThere = false
      const cut = killed.run('run', args, {
        ...quietJob,
        progress: (step) => (isThere ||= step.phase === phase),
      })
      const engine = killed.enginePid!
      const look = setInterval(() => isThere && existsSync(checkpointFile) && process.kill(engine, 'SIGKILL'))
      const end = await cut.then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )
      clearInterval(look)
      await killed.close()
      if (end === 'engine' && existsSync(checkpointFile)) break
    }
    expect(existsSync(checkpointFile)).toBe(true)
    return keep
  }

  it('that was cut off goes on from its checkpoint to the same set, and removes it', async () => {
    const checkpointFile = join(scratch, 'states.checkpoint')
    const alone = await run('pieces', 'ecl', {})
    const keep = await cutOff('scan', checkpointFile)
    const resumed = await run('pieces', 'ecl', { ...keep, resume: true })
    expect(resumed.resumed).toMatch(/^from the checkpoint of /)
    expect(resumed.result).toEqual(alone.result)
    expect(resumed.verification).toMatchObject({ verified: true })
    expect(existsSync(checkpointFile)).toBe(false)
  })

  it('that was cut off while it was verified need not be computed again', async () => {
    const checkpointFile = join(scratch, 'verified.checkpoint')
    const alone = await run('pieces', 'ecl', {})
    const keep = await cutOff('verify', checkpointFile)
    const resumed = await run('pieces', 'ecl', { ...keep, resume: true })
    expect(resumed.resumed).toMatch(/^from the checkpoint of /)
    expect(resumed.result).toEqual(alone.result)
    // The piece of the offsets alone is read; no list is.
    expect(alone.bytes.read).toBeGreaterThan(4 * PIECE_BYTES)
    expect(resumed.bytes.read).toBeLessThanOrEqual(PIECE_BYTES)
    expect(existsSync(checkpointFile)).toBe(false)
  })
})
