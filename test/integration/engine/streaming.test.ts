import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pool } from '../../../electron/pool/pool.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { flipByte } from '../../support/damage.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { failureOf } from '../../support/ingest-cases.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const scratch = scratchFolder('streaming')
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
})

const base = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'hash', seed: 0, verify: true } as const
const resultFile = join(scratch, 'set')
/** Little more than the states of all vertices and one piece of the file, which is five. */
const LITTLE = 2700 << 10
const run = (extra: Partial<RunArgs> = {}) =>
  pool.run('run', { ...base, folder, checksum, resultFile, ...extra }, quietJob)

interface TraceFile {
  readonly traceEvents: readonly { ph: string; cat?: string; ts: number; dur: number }[]
}

const spansIn = (traceFile: string, lane: string) =>
  (JSON.parse(readFileSync(traceFile, 'utf8')) as TraceFile).traceEvents.filter(({ cat }) => cat === lane)

it('a graph that does not fit is read piece by piece, with the answer of one that fits', async () => {
  const whole = await run()
  const traceFile = join(scratch, 'trace.json')
  const streamed = await run({ memoryBytes: LITTLE, traceFile })
  expect(streamed.plan.batches).toBeGreaterThan(2)
  expect(streamed.plan.deviceBytes).toBeLessThanOrEqual(LITTLE)
  expect(streamed.result).toEqual(whole.result)
  expect(streamed.verification?.verified).toBe(true)
  expect(streamed.bytes.read).toBeGreaterThanOrEqual(whole.bytes.read)
  for (const lane of ['disk read', 'kernel']) expect(spansIn(traceFile, lane).length).toBeGreaterThan(4)
})

it('any budget gives the same answer', async () => {
  const whole = await run()
  for (const kibibytes of [2650, 2700, 2900, 3300, 4000, 6000]) {
    const streamed = await run({ memoryBytes: kibibytes << 10, verify: false })
    expect(streamed.result, `${kibibytes} KiB`).toEqual(whole.result)
    expect(streamed.plan.deviceBytes, `${kibibytes} KiB`).toBeLessThanOrEqual(kibibytes << 10)
  }
})

it('several workers stream, with the answer of one', async () => {
  const whole = await run()
  for (const algorithm of ['ecl-mis', 'mg-mis'] as const) {
    const together = await run({ algorithm, memoryBytes: LITTLE, device: 'cpu:0,cpu:1,cpu:2' })
    expect(together.result).toEqual(whole.result)
    expect(together.devices.length).toBe(3)
  }
})

it.runIf(hasGpu)(
  'a GPU streams through its own memory, with several reads under way, and has the same answer',
  async () => {
    const whole = await run()
    const traceFile = join(scratch, 'trace-gpu.json')
    const streamed = await run({ memoryBytes: 6 << 20, device: 'gpu:0', traceFile })
    expect(streamed.plan.batches).toBeGreaterThan(2)
    expect(streamed.result).toEqual(whole.result)
    const copies = spansIn(traceFile, 'copy in').toSorted((a, b) => a.ts - b.ts)
    expect(copies.some(({ ts }, i) => i > 0 && ts < copies[i - 1]!.ts + copies[i - 1]!.dur)).toBe(true)
  },
)

const everywhere = ['cpu:0', 'cpu:0,cpu:1,cpu:2', ...(hasGpu ? ['gpu:0', 'gpu:0,cpu:0'] : [])]
const path = join(folder, 'graph.gr')
const DAMAGED = /^the graph is damaged: |^what stands at byte \d+ .* not as in a canonical graph$/
describe.each(everywhere)('damage that %s reads', (device) => {
  it.each([
    ['among the offsets', () => 32 + 8 * 70_000 + 2],
    ['in the middle of the lists', (bytes: number) => bytes >>> 1],
    ['in the last list', (bytes: number) => bytes - 6],
  ] as const)('%s ends the run with the file and what to do', async (_where, placeIn) => {
    const at = placeIn(statSync(path).size)
    const args = { algorithm: device.includes(',') ? 'mg-mis' : 'ecl-mis', memoryBytes: 4 << 20, device } as const
    flipByte(path, at, 16)
    rmSync(resultFile, { force: true })
    const failure = await failureOf(run(args))
    flipByte(path, at, 16)
    const what = expect.stringMatching(DAMAGED)
    expect(failure).toMatchObject({ code: 'input', where: path, what })
    expect(failure.remedy).toMatch(/import (?:it|the graph) again/i)
    expect(existsSync(resultFile)).toBe(false)
    expect((await run(args)).verification?.verified).toBe(true)
  })
})

it.each(hasGpu ? ['cpu:0', 'gpu:0'] : ['cpu:0'])(
  '%s sums up every piece: lists that stay canonical are told as damaged, too',
  async (device) => {
    const vertices = 400 * 450
    const file = readFileSync(path)
    const endOf = (v: number): number => Number(file.readBigUInt64LE(32 + 8 * v))
    const pieces = new Set<number>()
    for (let v = 450; v < vertices; v++) {
      // The first neighbour is the one of the row above: one more or less leaves the list in order.
      const at = 32 + 8 * vertices + 4 * endOf(v - 1)
      if (pieces.has(at >>> 20)) continue
      pieces.add(at >>> 20)
      flipByte(path, at, 16)
      const args = { memoryBytes: 6 << 20, device, verify: false } as const
      const failure = await failureOf(run(args))
      flipByte(path, at, 16)
      const what = expect.stringMatching(DAMAGED)
      expect(failure, `piece ${at >>> 20}`).toMatchObject({ code: 'input', where: path, what })
    }
    expect(pieces.size).toBeGreaterThan(2)
  },
)
