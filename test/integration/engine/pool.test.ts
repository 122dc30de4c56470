import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { type Progress, quietJob } from '../../../workers/base/job.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const enginePath = resolve(import.meta.dirname, '../../../out/main/engine.js')
const scratch = scratchFolder('pool')
let pool = new Pool({ enginePath })
afterEach(async () => {
  await pool.close()
  pool = new Pool({ enginePath })
})

const grid = (name: string, side: number) => ({
  folder: join(scratch, name),
  seed: 0,
  model: 'grid' as const,
  rows: side,
  columns: side,
})

describe('the pool', () => {
  it('runs a job in the engine and hears of its progress', async () => {
    const seen: Progress[] = []
    const facts = await pool.run('generate', grid('small', 300), { ...quietJob, progress: (each) => seen.push(each) })
    expect(facts).toMatchObject({ vertices: 90_000, arcs: 4 * 300 * 299, maxDegree: 4 })
    expect(seen.length).toBeGreaterThan(0)
  })

  it('turns a failure in the engine into the same failure here', async () => {
    const job = pool.run('import', { source: join(scratch, 'absent.txt'), folder: join(scratch, 'x') }, quietJob)
    await expect(job).rejects.toMatchObject({ code: 'input', remedy: expect.stringContaining('path') })
  })

  it('leaves of an import that it ends by closing what can be resumed', async () => {
    const source = join(scratch, 'edges.txt')
    const line = (_: unknown, i: number): string => `${(i * 7919) % 200_011} ${(i * i) % 300_007}\n`
    writeFileSync(source, Array.from({ length: 1_000_000 }, line).join(''))
    const args = {
      source,
      folder: join(scratch, 'closed'),
      format: 'edge-list',
      memoryBytes: 1 << 20,
      threads: 1,
    } as const
    let closed: Promise<void> | undefined
    const end = ({ phase }: Progress): void => {
      if (phase === 'partition') closed ??= pool.close()
    }
    await expect(pool.run('import', args, { ...quietJob, progress: end })).rejects.toMatchObject({ code: 'cancelled' })
    await closed
    pool = new Pool({ enginePath })
    const seen: string[] = []
    const resuming = { ...quietJob, progress: ({ phase }: Progress) => void seen.push(phase) }
    const facts = await pool.run('import', { ...args, resume: true }, resuming)
    expect(facts.vertices).toBeGreaterThan(200_000)
    expect(seen).not.toContain('parse')
  })

  it('says so when the engine dies, and starts a fresh one for the next job', async () => {
    await pool.run('generate', grid('before', 10), quietJob)
    const first = pool.enginePid!
    const job = pool.run('generate', grid('killed', 3000), quietJob)
    process.kill(first, 'SIGKILL')
    await expect(job).rejects.toMatchObject({ code: 'engine', what: expect.stringContaining('SIGKILL') })
    await expect(pool.run('generate', grid('after', 10), quietJob)).resolves.toMatchObject({ vertices: 100 })
    expect(pool.enginePid).not.toBe(first)
  })

  it('does not wait for ever for an engine that has done its work and does not end', async () => {
    const stuck = join(scratch, 'stuck.mjs')
    const answer = "process.on('message', ({ type, job }) => type === 'start' && process.send({ type: 'done', job }))"
    writeFileSync(stuck, `${answer}\nprocess.on('disconnect', () => {})\nsetInterval(() => {}, 1000)\n`)
    const stuckPool = new Pool({ enginePath: stuck, quitPatienceMs: 100 })
    await stuckPool.run('generate', grid('stuck', 10), quietJob)
    const engine = stuckPool.enginePid!
    expect(process.kill(engine, 0)).toBe(true)
    await stuckPool.close()
    expect(() => process.kill(engine, 0)).toThrow(/ESRCH/)
  })

  it('cancels a job that is at work, which leaves nothing behind', async () => {
    const signal = { aborted: false }
    const job = pool.run('generate', grid('cancelled', 3000), {
      ...quietJob,
      signal,
      progress: () => (signal.aborted = true),
    })
    await expect(job).rejects.toMatchObject({ code: 'cancelled' })
    expect(readdirSync(scratch).filter((name) => name.startsWith('cancelled'))).toEqual([])
  })

  it('does several jobs at a time', async () => {
    const jobs = ['a', 'b', 'c'].map((name) => pool.run('generate', grid(name, 50), quietJob))
    expect((await Promise.all(jobs)).map(({ vertices }) => vertices)).toEqual([2500, 2500, 2500])
  })
})
