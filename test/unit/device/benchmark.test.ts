import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { benchmarkDevice, spreadOfRates, benchmarkDisk, dropCache } from '../../../workers/device/device-benchmark.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { machineWith } from './fake-machine.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** So little free memory that little is copied. */
const facts = { ...new CpuDevice('cpu:0').facts, memoryFreeBytes: 8 << 20 }
const cancelled = { ...quietJob, signal: { aborted: true } }

test('rates are of the times, their median between the smallest and the largest', () => {
  expect(spreadOfRates(100, [1000, 50, 100])).toEqual({ median: 1000, min: 100, max: 2000 })
  expect(spreadOfRates(100, [100, 50])).toEqual({ median: 1500, min: 1000, max: 2000 })
  expect(spreadOfRates(100, [100, 0])).toBe(null)
  expect(spreadOfRates(100, [])).toBe(null)
})

describe('a device', () => {
  test('takes at most an eighth of its free memory for each buffer', async () => {
    const figures = await benchmarkDevice(facts, (id) => Promise.resolve(new CpuDevice(id)), quietJob)
    expect(figures).toMatchObject({ id: 'cpu:0', bytes: 1 << 20, repeats: 5, problem: null })
    for (const spread of [figures.toDevice, figures.fromDevice, figures.kernel])
      expect(spread!.min <= spread!.median && spread!.median <= spread!.max && spread!.min > 0).toBe(true)
  })

  test('that cannot be opened says why, and the others are measured', async () => {
    const failure = new Failure({ code: 'device', what: 'it is lost', remedy: '' })
    const figures = await benchmarkDevice(facts, () => Promise.reject(failure), quietJob)
    expect(figures).toMatchObject({ problem: 'it is lost', toDevice: null })
  })

  test('stops when it is asked to', async () => {
    const work = benchmarkDevice(facts, (id) => Promise.resolve(new CpuDevice(id)), cancelled)
    await expect(work).rejects.toThrow(/cancelled/)
  })
})

describe('the disk', () => {
  const scratch = (): string => {
    const folder = scratchFolder('disk')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }

  test('leaves nothing behind when it stops', () => {
    const folder = scratch()
    expect(() => benchmarkDisk(folder, cancelled)).toThrow(/cancelled/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('whose folder is not there is refused in words', () => {
    expect(() => benchmarkDisk(join(scratch(), 'none'), quietJob)).toThrow(/no such file/)
  })

  test.each([
    ['no GNU dd', null, null, /takes GNU dd/],
    ['a file system in memory', '', '1000', /the file system keeps it/],
    ['a disk', '', '0', null],
    ['no fincore to ask', '', null, null],
  ])('%s', (_what, dd, fincore, note) => {
    const machine = machineWith({}, { output: (command) => (command === 'dd' ? dd : fincore) })
    const told = dropCache('/library/file', 1000, machine)
    if (note === null) expect(told).toBe(null)
    else expect(told).toMatch(note)
  })
})
