import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { DevicesOutcome } from '../../../workers/contract/jobs.ts'
import { CommandLine } from '../cli/command-line.ts'
import { hasGpu } from '../../support/devices-here.ts'

let cli: CommandLine
beforeAll(() => {
  cli = new CommandLine()
})

test('devices --json tells every fact of each', async () => {
  const { devices, noGpu } = await cli.json<DevicesOutcome>('devices')
  expect(devices[0]).toMatchObject({ id: 'cpu:0', memoryBytes: expect.any(Number) })
  if (!hasGpu) return
  expect(noGpu).toBe(null)
  expect(devices[1]).toMatchObject({
    id: 'gpu:0',
    maxBufferBytes: expect.any(Number),
    workgroupStorageBytes: expect.any(Number),
    features: expect.arrayContaining(['core-features-and-limits']),
    subgroupMatrices: expect.any(Array),
  })
})

test('devices --benchmark and --prove: figures for each device and for the disk, and nothing stays behind', async () => {
  const outcome = await cli.json<DevicesOutcome>('devices', '--benchmark', '--prove')
  const ids = outcome.devices.map(({ id }) => id)
  expect(outcome.benchmarks!.map(({ id }) => id)).toEqual(ids)
  for (const { toDevice, fromDevice, kernel, problem } of outcome.benchmarks!.slice(0, 2)) {
    expect(problem).toBe(null)
    for (const spread of [toDevice, fromDevice, kernel]) expect(spread!.median).toBeGreaterThan(0)
  }
  expect(outcome.proof!.map(({ id }) => id)).toEqual(ids.filter((id) => id.startsWith('gpu:')))
  expect(outcome.disk!.read!.median).toBeGreaterThan(0)
  expect(outcome.disk!.cacheDropped).toBe(outcome.disk!.note === null)
  expect(readdirSync(join(cli.library, 'datasets'))).toEqual([])
})

test.skipIf(process.platform !== 'linux')('without a driver the reason is told, and the CPU is there', async () => {
  const before = { VK_DRIVER_FILES: process.env['VK_DRIVER_FILES'], VK_ICD_FILENAMES: process.env['VK_ICD_FILENAMES'] }
  Object.assign(process.env, { VK_DRIVER_FILES: '/none.json', VK_ICD_FILENAMES: '/none.json' })
  try {
    const { devices, noGpu } = await cli.json<DevicesOutcome>('devices')
    expect(devices.map(({ id }) => id)).toEqual(['cpu:0'])
    expect(noGpu).toMatch(/^no WebGPU adapter was found: .*The CPU device works/)
    const { code, stderr } = await cli.run('run', 'nothing', '--devices', 'gpu:0')
    expect(code).not.toBe(0)
    expect(stderr).not.toMatch(/ at .*\.js/)
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
})
