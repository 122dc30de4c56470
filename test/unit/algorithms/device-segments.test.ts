import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { computedMatching } from '../../support/computed-matching.ts'
import { writeGraphFolder } from '../../support/graphs.ts'

const LEAVES = 350_000
const HUBS = [0, 75_000, 250_000]
const order = { weights: 'unit', ties: 'id', seed: 0 } as const
const MiB = 2 ** 20
let path = ''
beforeAll(() => {
  const isHub = new Set(HUBS)
  const all = Array.from({ length: LEAVES }, (_, v) => v)
  const others = all.filter((v) => !isHub.has(v))
  // The lists of leaves are short, and share segments; those of hubs, 1.3 MiB each, begin in one piece of the file and end in another.
  const neighbours = all.map((v) => (isHub.has(v) ? others : HUBS))
  path = join(writeGraphFolder({ vertices: LEAVES, neighbours }).folder, 'graph.gr')
})
afterAll(() => rmSync(join(path, '..'), { recursive: true }))

/** A processor whose buffers are as small as those of some GPUs. */
class NarrowDevice extends CpuDevice {
  override readonly maxBufferBytes: number
  readonly lists: number[] = []

  constructor(maxBufferBytes: number) {
    super('cpu:0')
    this.maxBufferBytes = maxBufferBytes
  }

  override allocate(...[label, words]: Parameters<CpuDevice['allocate']>): ReturnType<CpuDevice['allocate']> {
    if (label.startsWith('lists ')) this.lists.push(4 * words)
    return super.allocate(label, words)
  }
}

async function matched(maxBufferBytes: number) {
  const device = new NarrowDevice(maxBufferBytes)
  const workers = [{ device: 'gpu:0', gpu: 'rounds' as const, deviceBytes: 0, budgetBytes: 0 }]
  const { matching } = await computedMatching(path, [device], { order, changed: { workers } })
  return { lists: device.lists, summary: matching.summary() }
}

test('lists are cut into as many buffers as the device allows bytes, and the matching is the same', async () => {
  const whole = await matched(2 ** 32)
  expect(whole.lists).toHaveLength(1)
  expect(whole.lists[0]!).toBeGreaterThan(7 * MiB)
  expect(whole.summary.pairs).toBe(HUBS.length)
  const { lists, summary } = await matched(3 * MiB)
  expect(lists.length).toBeGreaterThan(4)
  expect(Math.max(...lists)).toBeLessThanOrEqual(3 * MiB)
  expect(summary).toEqual(whole.summary)
})
