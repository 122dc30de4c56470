import { mkdirSync, mkdtempSync, readFileSync, rmSync, openSync, writeSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/job.ts'
import { failureOf } from '../../support/ingest-cases.ts'

const hasGpu = process.env['ANTICLIQUE_GPU_TESTS'] !== 'absent'
const scratch = mkdtempSync(join(tmpdir(), 'streaming-'))
const folder = join(scratch, 'grid')
const pool = new Pool({ enginePath: join(import.meta.dirname, '../../../out/main/engine.js') })
let checksum = ''

beforeAll(async () => {
  mkdirSync(scratch, { recursive: true })
  const args = { model: 'grid', rows: 400, columns: 450, folder, seed: 3 } as const
  checksum = (await pool.run('generate', args, quietJob)).checksum
})
afterAll(async () => {
  await pool.close()
  rmSync(scratch, { recursive: true, force: true })
})

// A grid: of graphs with longer tails not all of them are read.
const base = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'hash', seed: 0, verify: true } as const
const resultFile = join(scratch, 'set')

interface TraceFile {
  readonly traceEvents: readonly { ph: string; cat?: string; ts: number; dur: number }[]
}

it('a graph that does not fit is read ahead by other threads, with the answer of one that fits', async () => {
  const whole = await pool.run('run', { ...base, folder, checksum, resultFile }, quietJob)
  const traceFile = join(scratch, 'trace.json')
  const args = { ...base, folder, checksum, resultFile, memoryBytes: 1 << 20, traceFile }
  const streamed = await pool.run('run', args, quietJob)
  expect(streamed.plan.batches).toBeGreaterThan(4)
  expect(streamed.result).toEqual(whole.result)
  expect(streamed.verification?.verified).toBe(true)
  expect(streamed.bytes.read).toBeGreaterThanOrEqual(whole.bytes.read)
  const spansOf = (lane: string) =>
    (JSON.parse(readFileSync(traceFile, 'utf8')) as TraceFile).traceEvents.filter(({ cat }) => cat === lane)
  for (const lane of ['disk read', 'copy in', 'kernel']) expect(spansOf(lane).length).toBeGreaterThan(4)
  const overlaps = (): boolean => {
    const work = [...spansOf('kernel'), ...spansOf('copy in')]
    return spansOf('disk read').some((read) =>
      work.some(({ ts, dur }) => ts < read.ts + read.dur && read.ts < ts + dur),
    )
  }
  // A busy machine may have every reading done before the first batch is taken: reading must be seen beside work in one of some runs.
  for (let more = 20; more > 0 && !overlaps(); more--) await pool.run('run', args, quietJob)
  expect(overlaps()).toBe(true)
})

it('any budget gives the same answer: regions of all sizes, read and checked by other threads, used in order', async () => {
  const whole = await pool.run('run', { ...base, folder, checksum, resultFile }, quietJob)
  for (const kibibytes of [400, 512, 700, 900, 1100, 1300, 1500]) {
    const args = { ...base, folder, checksum, resultFile, memoryBytes: kibibytes << 10, verify: false }
    const streamed = await pool.run('run', args, quietJob)
    expect(streamed.plan.batches).toBeGreaterThan(2)
    expect(streamed.result, `${kibibytes} KiB`).toEqual(whole.result)
    expect(streamed.bytes.read).toBeGreaterThanOrEqual(whole.bytes.read)
  }
})

it('several workers stream, each with reading threads of its own', async () => {
  const whole = await pool.run('run', { ...base, folder, checksum, resultFile }, quietJob)
  const args = { ...base, folder, checksum, resultFile, memoryBytes: 1 << 20, device: 'cpu:0,cpu:1,cpu:2' }
  expect((await pool.run('run', args, quietJob)).result).toEqual(whole.result)
})

it.runIf(hasGpu)('a GPU streams through its own memory, with the same answer', async () => {
  const whole = await pool.run('run', { ...base, folder, checksum, resultFile }, quietJob)
  const args = { ...base, folder, checksum, resultFile, memoryBytes: 1 << 20, device: 'gpu:0' }
  const streamed = await pool.run('run', args, quietJob)
  expect(streamed.plan.batches).toBeGreaterThan(4)
  expect(streamed.result).toEqual(whole.result)
})

it.each(['cpu:0', 'cpu:0,cpu:1,cpu:2'])(
  'damage that reading threads find on %s ends the run with the file and what to do',
  async (device) => {
    const { views } = await pool.run('views', { folder, checksum }, quietJob)
    const path = join(folder, 'views', `${views[0]!.name.replace(':', '-')}.view`)
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.from([1, 2, 3, 4]), 0, 4, 4096 + 64)
    closeSync(file)
    const args = { ...base, folder, checksum, resultFile, memoryBytes: 1 << 20, device }
    const failure = await failureOf(pool.run('run', args, quietJob))
    expect(failure).toMatchObject({ code: 'input', what: 'the view is damaged: its checksum does not match' })
    await pool.run('views', { folder, checksum, drop: 'all' }, quietJob)
    expect((await pool.run('run', args, quietJob)).verification?.verified).toBe(true)
  },
)
