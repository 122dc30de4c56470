import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { sizeOf } from '../../../workers/contract/result.ts'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { algorithmEntries } from '../../../workers/contract/catalogue.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { GRAPH_FILE } from '../../../workers/graph/graph-file.ts'
import { readBits } from '../../../workers/graph/vertex-set.ts'
import { type SmallGraph, randomSmallGraph, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function argsFor(graph: SmallGraph, extra: Partial<RunArgs> = {}): RunArgs {
  const { folder, checksum } = writeGraphFolder(graph)
  folders.push(folder)
  const resultFile = join(folder, 'set.bits')
  return {
    folder,
    checksum,
    algorithm: 'ecl-mis',
    device: 'cpu:0',
    priority: 'degree',
    seed: 0,
    verify: true,
    resultFile,
    ...extra,
  }
}

function listFile(folder: string, name: string, lines: readonly (string | number)[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

describe('a run', () => {
  it('stores the set that it reports, verified', async () => {
    const { graph } = randomSmallGraph(28, 1500)
    const args = argsFor(graph)
    const outcome = await runAlgorithm(args, quietJob)
    expect(outcome.verification).toMatchObject({ verified: true })
    expect(readBits(args.resultFile, graph.vertices).summary()).toEqual({
      size: sizeOf(outcome.result),
      hash: outcome.result.hash,
    })
    expect(sizeOf(outcome.result)).toBeGreaterThan(0)
  })

  it('gives the same set under any memory budget, and takes no more than that', async () => {
    const { graph } = randomSmallGraph(28, 2000)
    const args = argsFor(graph)
    const whole = await runAlgorithm(args, quietJob)
    for (const share of [0.95, 0.9, 0.8]) {
      const memoryBytes = Math.ceil(share * whole.plan.deviceBytes)
      const small = await runAlgorithm({ ...args, memoryBytes, batches: 7 }, quietJob)
      expect(small.result).toEqual(whole.result)
      expect(small.options.batches).toBe(7)
      expect(small.plan.deviceBytes).toBeLessThanOrEqual(memoryBytes)
    }
  })

  it('keeps and excludes before everything else', async () => {
    //  0 - 1 - 2 - 3 - 4 - 5
    const args = argsFor(
      smallGraph(
        6,
        [0, 1, 2, 3, 4].map((v) => [v, v + 1]),
      ),
    )
    const keepFile = listFile(args.folder, 'keep', [1])
    const excludeFile = listFile(args.folder, 'exclude', [3, 5])
    const outcome = await runAlgorithm({ ...args, keepFile, excludeFile }, quietJob)
    expect([...readBits(args.resultFile, 6).members()]).toEqual([1, 4])
    expect(outcome.verification).toMatchObject({ verified: true })
    const clash = listFile(args.folder, 'clash', [1, 2])
    await expect(runAlgorithm({ ...args, keepFile: clash }, quietJob)).rejects.toThrow(
      /1 and 2 are both kept.*neighbours/,
    )
    await expect(runAlgorithm({ ...args, keepFile, excludeFile: keepFile }, quietJob)).rejects.toThrow(
      /both kept and excluded/,
    )
    expect(existsSync(args.resultFile)).toBe(false)
  })

  it.each(algorithmEntries)('$name keeps and excludes, or refuses the lists', async ({ name, options }) => {
    const extra = { algorithm: name, priority: options.find((option) => option.name === 'priority')?.default }
    const path = smallGraph(
      5,
      [0, 1, 2, 3].map((v) => [v, v + 1]),
    )
    const args = argsFor(path, extra as Partial<RunArgs>)
    for (const [list, vertices] of [
      ['keepFile', [1]],
      ['keepFile', [2]],
      ['excludeFile', [1, 3]],
      ['excludeFile', [0, 2, 4]],
    ] as const) {
      const run = runAlgorithm({ ...args, [list]: listFile(args.folder, list, vertices) }, quietJob)
      if (options.some((option) => option.name === list)) {
        expect((await run).verification).toMatchObject({ verified: true })
        const set = readBits(args.resultFile, 5)
        expect(vertices.map((v) => set.has(v))).toEqual(vertices.map(() => list === 'keepFile'))
      } else await expect(run).rejects.toMatchObject({ code: 'usage', where: `--${list.replace('File', '')}` })
    }
  })

  it('takes a column of the user, and asks for it', async () => {
    const args = argsFor(
      smallGraph(4, [
        [0, 1],
        [1, 2],
        [2, 3],
      ]),
      { priority: 'column' },
    )
    await expect(runAlgorithm(args, quietJob)).rejects.toMatchObject({
      fixes: [
        { action: 'choose', option: 'columnFile' },
        { action: 'choose', option: 'columnName' },
      ],
    })
    const columnFile = listFile(args.folder, 'column.csv', ['vertex,value', '0,1', '1,9.5', '2,2e1', '3,-4'])
    await runAlgorithm({ ...args, columnFile }, quietJob)
    expect([...readBits(args.resultFile, 4).members()]).toEqual([0, 2])
    const gap = listFile(args.folder, 'gap.csv', ['0,1', '1,2', '3,4'])
    await expect(runAlgorithm({ ...args, columnFile: gap }, quietJob)).rejects.toThrow(
      /1 of 4 vertices have no value, the first is "2"/,
    )
  })

  it('makes a set heavy in place of large, and says so in units of weight', async () => {
    const path = smallGraph(3, [
      [0, 1],
      [1, 2],
    ])
    const args = argsFor(path, { priority: 'column', quality: 'best', searchSteps: 9 })
    const columnFile = listFile(args.folder, 'column.csv', ['0,1', '1,9', '2,2'])
    const sizes = { name: 'searchSize', of: 'pass' }
    const large = await runAlgorithm({ ...args, columnFile }, quietJob)
    expect(large.result).toMatchObject({ size: 2 })
    expect(large.series).toContainEqual({ ...sizes, unit: 'vertices', values: [2] })
    const heavy = await runAlgorithm({ ...args, columnFile, weights: 'column' }, quietJob)
    expect(heavy.result).toMatchObject({ size: 1, weight: 9 })
    expect(heavy.verification).toMatchObject({ verified: true, weight: 9, upperBound: 9 })
    expect(heavy.counters).toMatchObject({ setBound: 9 })
    expect(heavy.series).toContainEqual({ ...sizes, unit: 'weight', values: [9] })
    const negative = listFile(args.folder, 'negative.csv', ['0,1', '1,-9', '2,2'])
    await expect(runAlgorithm({ ...args, columnFile: negative, weights: 'column' }, quietJob)).rejects.toThrow(
      /vertex 1 weighs -9/,
    )
  })

  it('bounds sets that keep to its lists', async () => {
    const star = smallGraph(
      11,
      Array.from({ length: 10 }, (_, i) => [0, i + 1] as const),
    )
    const args = argsFor(star, { quality: 'better' })
    const keepFile = listFile(args.folder, 'keep.txt', ['0'])
    const { result, counters, verification } = await runAlgorithm({ ...args, keepFile }, quietJob)
    expect([result, counters]).toMatchObject([{ size: 1 }, { setBound: 1 }])
    expect(verification).toMatchObject({ verified: true, upperBound: 1 })
  })

  it('closes the device that it opened where the graph is gone', async () => {
    const close = vi.spyOn(CpuDevice.prototype, 'close')
    const args = argsFor(randomSmallGraph(28, 50).graph)
    rmSync(join(args.folder, GRAPH_FILE))
    await expect(runAlgorithm(args, quietJob)).rejects.toMatchObject({ code: 'input' })
    expect(close).toHaveBeenCalledTimes(1)
    close.mockRestore()
  })

  it('stops when it is asked to, and leaves no result', async () => {
    const args = argsFor(randomSmallGraph(28, 1500).graph)
    const stopped = { ...quietJob, signal: { aborted: true } }
    await expect(runAlgorithm(args, stopped)).rejects.toMatchObject({ code: 'cancelled' })
    expect(existsSync(args.resultFile)).toBe(false)
  })
})
