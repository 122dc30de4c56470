import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { eclMis } from '../../../workers/algorithms/ecl-mis.ts'
import type { Part } from '../../../workers/algorithms/ecl-mis.ts'
import { BatchStore } from '../../../workers/device/batch-store.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { HeadStore } from '../../../workers/device/head-store.ts'
import { TailStore } from '../../../workers/device/tail-store.ts'
import { noExchange } from '../../../workers/exchange/exchange.ts'
import { planBatches } from '../../../workers/graph/batches.ts'
import { prepareView } from '../../../workers/graph/prepare-view.ts'
import { UNDECIDED, stateOf } from '../../../workers/graph/vertex-states.ts'
import { quietJob } from '../../../workers/job.ts'
import { releaseStores } from '../../../workers/partition/follow.ts'
import { Trace } from '../../../workers/trace.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

it('a run goes on from the states of any batch, out of core, to the same set', async () => {
  const random = randomStream(11)
  const vertices = 2000
  const pick = (): number => Math.floor(random() * vertices)
  const edges = Array.from({ length: 24_000 }, () => [pick(), pick()] as const)
  const { folder, checksum } = writeGraphFolder(smallGraph(vertices, edges))
  const prepared = prepareView({ folder, checksum, priority: 'degree', seed: 0 }, quietJob)
  const { view, tailOffsets } = prepared
  const checkpoints: Uint32Array[] = []
  const run = async (states: Uint32Array | undefined): Promise<string> => {
    const device = new CpuDevice('cpu:0')
    const batches = planBatches(tailOffsets, { batches: 12, maxBufferBytes: Infinity, maxBatchBytes: Infinity })
    const store = new BatchStore(device, view, tailOffsets, Infinity)
    const outOfCore = { heads: new HeadStore(device, view, batches, 0), tails: new TailStore(view), tailOffsets }
    const afterStep: Part['afterStep'] = async (_, read) => void checkpoints.push(await read())
    const base = { device, store, batches, vertices, exchange: noExchange, residual: 0, trace: new Trace(false) }
    const part: Part = { ...base, states, outOfCore, afterStep, positions: 500 }
    const { set } = await eclMis(part, prepared, quietJob)
    await releaseStores(part)
    return set.summary().hash
  }
  const hash = await run(undefined)
  const left = (states: Uint32Array): number =>
    Array.from({ length: vertices }, (_, p) => stateOf(states, p)).filter((state) => state === UNDECIDED).length
  const found = checkpoints.splice(0).filter((states) => left(states) > 0)
  expect(found.length).toBeGreaterThan(5)
  for (const states of found) expect(await run(states), `${left(states)} undecided`).toBe(hash)
  view.close()
  rmSync(folder, { recursive: true })
})
