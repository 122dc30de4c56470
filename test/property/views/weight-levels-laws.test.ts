import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../../../workers/graph/oriented-view.ts'
import type { OrientedView } from '../../../workers/graph/oriented-view.ts'
import type { EdgeOrder } from '../../../workers/graph/views/edge-order.ts'
import { manageViews } from '../../../workers/graph/views/manage-views.ts'
import { prepareWeightOrdered } from '../../../workers/graph/views/prepare-weight-ordered.ts'
import { quietJob } from '../../../workers/job.ts'
import { edgeTies, edgeWeights } from '../../../workers/jobs.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk } from '../../support/matching.ts'
import { Folders, addWeights, filesOfAllWays, readWholeView } from '../../support/views.ts'

const folders = new Folders()

/** The tails by vertex again: entries 3 to 6 of all open lists, then 7 to 14, and so on; at last the lists of mutual first entries. */
function tailsByVertex({ heads, tailOffsets, tails }: OrientedView): Uint32Array {
  const vertices = heads.length / HEAD_WIDTH
  const first = (v: number): number => heads[HEAD_WIDTH * v]!
  const restored = new Uint32Array(tails.length)
  let at = 0
  const move = (v: number, from: number, until: number): void => {
    const [start, end] = [tailOffsets[v]! + from, Math.min(tailOffsets[v + 1]!, tailOffsets[v]! + until)]
    for (let place = start; place < end; place++) restored[place] = tails[at++]!
  }
  const all = Array.from({ length: vertices }, (_, v) => v)
  const isClosed = (v: number): boolean => first(v) !== NO_ENTRY && first(first(v)) === v
  for (let from = 0, width = 4; from < tails.length; from += width, width *= 2)
    for (const v of all) if (!isClosed(v)) move(v, from, from + width)
  for (const v of all) if (isClosed(v)) move(v, 0, Infinity)
  expect(at).toBe(tails.length)
  return restored
}

describe('the weight-ordered view in levels', () => {
  const orders = edgeWeights.flatMap((weights) => edgeTies.map((ties) => ({ weights, ties })))
  it.each(orders)('has the lists of the view by vertex: $weights, $ties', ({ weights, ties }) => {
    let [entries, moved] = [0, 0]
    for (let seed = 0; seed < 20; seed++) {
      const { graph } = randomSmallGraph(seed, 400)
      const made = addWeights(folders.of(graph), graph, (u, v) => (1 + ((u * v + u + v) % 5)) / 4)
      const threshold = seed % 3 === 0 ? 0.75 : undefined
      const order: EdgeOrder = { weights, ties, seed, threshold }
      const [byVertex, inLevels] = (['weight-ordered', 'weight-levels'] as const).map((kind) => {
        const prepared = prepareWeightOrdered({ ...made, order, kind }, quietJob)
        const view = readWholeView(prepared)
        prepared.view.close()
        return view
      })
      expect(inLevels!.heads).toEqual(byVertex!.heads)
      expect(inLevels!.tailOffsets).toEqual(byVertex!.tailOffsets)
      expect(tailsByVertex(inLevels!)).toEqual(byVertex!.tails)
      entries += byVertex!.tails.length
      if (byVertex!.tails.some((entry, place) => entry !== inLevels!.tails[place])) moved++
    }
    expect(entries).toBeGreaterThan(10_000)
    expect(moved).toBeGreaterThan(5)
  })

  it('has the same bytes for any budget and number of threads', () => {
    const bytes = filesOfAllWays(folders, 'weight-levels')
    expect(bytes[0]!.length).toBeGreaterThan(40_000)
    for (const other of bytes) expect(other.equals(bytes[0]!)).toBe(true)
  })

  it('is built, listed and checked by name; a wrong byte is found', async () => {
    const { graph } = randomSmallGraph(8, 3000)
    const disk = new WeightedOnDisk(graph, () => 1)
    const { folder, checksum } = disk
    const views = manageViews({ folder, checksum, build: 'weight-levels:random3-hash', check: true }, quietJob).views
    expect(views).toMatchObject([{ kind: 'weight-levels', order: 'random3-hash-0', state: 'valid' }])
    const order = { weights: 'random3', ties: 'hash', seed: 0 } as const
    const prepared = prepareWeightOrdered({ folder, checksum, order, kind: 'weight-levels' }, quietJob)
    const { heads, tails } = prepared.view.header
    prepared.view.close()
    expect(tails.at % 4096).toBe(0)
    const whole = readFileSync(prepared.view.path)
    for (const at of [heads.at, tails.at]) {
      // An entry that is no vertex.
      const damaged = Buffer.from(whole)
      damaged.fill(0xfe, at, at + 800)
      writeFileSync(prepared.view.path, damaged)
      expect(manageViews({ folder, checksum, check: true }, quietJob).views).toMatchObject([{ state: 'damaged' }])
      const match = disk.match(new CpuDevice('cpu:0'), order, 1, 'none')
      await expect(match).rejects.toMatchObject({ code: 'input', what: expect.stringContaining('damaged') as unknown })
    }
    disk.remove()
  })
})
