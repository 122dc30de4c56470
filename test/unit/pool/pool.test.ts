import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { type JobContext, quietJob } from '../../../workers/base/job.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('pool')
let pools: Pool[] = []
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  pools = []
})

/** A pool whose engine is this script, which can `answer` a job. */
function poolOf(name: string, script: string): Pool {
  const enginePath = join(folder, `${name}.mjs`)
  const lines = [
    'const answer = (job, result = {}) => process.send({ type: "done", job, result })',
    'process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))',
    script,
  ]
  writeFileSync(enginePath, lines.join('\n'))
  const pool = new Pool({ enginePath, cancelPatienceMs: 100, quitPatienceMs: 100 })
  pools.push(pool)
  return pool
}

const deaf = 'process.on("message", ({ type, job, name }) => type === "start" && name !== "preview" && answer(job))'
/** Told at once, and asked to stop. */
function stopped(): JobContext {
  return { ...quietJob, signal: { aborted: true } }
}
const preview = { source: 'x' } as const
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a job that does not stop is cancelled all the same, its engine goes, and the next job has another', async () => {
  const pool = poolOf('deaf', deaf)
  const job = pool.run('preview', preview, stopped())
  const engine = pool.enginePid!
  await expect(job).rejects.toMatchObject({ code: 'cancelled' })
  expect(isAlive(engine)).toBe(false)
  await pool.run('devices', {}, quietJob)
  expect(pool.enginePid).not.toBe(engine)
})

test('other jobs of that engine come to their end first', async () => {
  // It answers when the file is there.
  const go = join(folder, 'go')
  const pool = poolOf(
    'two',
    `import { existsSync } from "node:fs"
    process.on("message", ({ type, job, name }) => {
      if (type !== "start" || name !== "devices") return
      const look = setInterval(() => {
        if (!existsSync(${JSON.stringify(go)})) return
        clearInterval(look)
        answer(job, { devices: [], noGpu: null })
      }, 5)
    })`,
  )
  const job = pool.run('preview', preview, stopped())
  const other = pool.run('devices', {}, quietJob)
  const engine = pool.enginePid!
  await expect(job).rejects.toMatchObject({ code: 'cancelled' })
  expect(isAlive(engine)).toBe(true)
  writeFileSync(go, '')
  expect(await other).toEqual({ devices: [], noGpu: null })
  await expect.poll(() => isAlive(engine)).toBe(false)
})

test('an engine that a signal to the whole group ends was cancelled, if this program hears of the signal too', async () => {
  const pool = poolOf('group', 'process.on("message", () => process.kill(process.pid, "SIGTERM"))')
  const signal = { aborted: false }
  const job = pool.run('preview', preview, { ...quietJob, signal })
  setTimeout(() => (signal.aborted = true), 150)
  await expect(job).rejects.toMatchObject({ code: 'cancelled' })
  await expect(pool.run('preview', preview, quietJob)).rejects.toMatchObject({
    code: 'engine',
    what: expect.stringContaining('SIGTERM'),
  })
})

test('what a listener throws ends its job and nothing else', async () => {
  const progress = '{ phase: "parse", done: 1, unit: "bytes" }'
  const tell = `process.on("message", ({ type, job }) => type === "start" && process.send({ type: "progress", job, progress: ${progress} }))`
  const pool = poolOf('telling', tell)
  const full = new Failure({ code: 'storage', what: 'the disk is full', remedy: 'Free some space.' })
  const hear = (): never => {
    throw full
  }
  await expect(pool.run('preview', preview, { ...quietJob, progress: hear })).rejects.toBe(full)
})

test('closing waits for no job that does not stop', async () => {
  const pool = poolOf('closing', deaf)
  const job = pool.run('preview', preview, quietJob)
  const ended = expect(job).rejects.toMatchObject({ code: 'engine' })
  await pool.close()
  await ended
})

test('a program that exits takes its engine along', async () => {
  const before = process.listeners('exit')
  const job = poolOf('leaving', deaf).run('preview', preview, quietJob)
  const [leave] = process.listeners('exit').filter((listener) => !before.includes(listener))
  leave!(0)
  await expect(job).rejects.toMatchObject({ code: 'engine', what: expect.stringContaining('SIGKILL') })
  expect(process.listeners('exit')).toEqual(before)
})

test('a program that ends with its pool does not wait for an engine without a job', async () => {
  const enginePath = join(folder, 'brief.mjs')
  const answers =
    'process.on("message", ({ type, job }) => type === "start" && process.send({ type: "done", job, result: {} }))'
  // It does not end with its connection.
  writeFileSync(enginePath, `${answers}\nsetInterval(() => {}, 1000)`)
  const pool = new Pool({ enginePath, isLast: true })
  await pool.run('devices', {}, quietJob)
  const engine = pool.enginePid!
  await pool.close()
  expect(isAlive(engine)).toBe(true)
  process.kill(engine, 'SIGKILL')
  await expect.poll(() => isAlive(engine)).toBe(false)
})

test('a pool that was closed starts no engine any more', async () => {
  const pool = poolOf('closed', deaf)
  await pool.run('devices', {}, quietJob)
  await pool.close()
  await expect(pool.run('devices', {}, quietJob)).rejects.toMatchObject({ code: 'cancelled' })
  expect(pool.enginePid).toBeUndefined()
})
