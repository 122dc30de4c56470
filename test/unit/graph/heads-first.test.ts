import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Part } from '../../../workers/algorithms/ecl-mis.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { UNDECIDED, stateOf } from '../../../workers/graph/vertex-states.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { walkedSet } from '../../support/walked-set.ts'

it('a run goes on from the states of any moment, out of core, to the same set', async () => {
  const random = randomStream(11)
  const vertices = 2000
  const pick = (): number => Math.floor(random() * vertices)
  const edges = Array.from({ length: 24_000 }, () => [pick(), pick()] as const)
  const { folder, checksum } = writeGraphFolder(smallGraph(vertices, edges))
  const view = { folder, checksum, priority: 'degree', seed: 0 } as const
  const checkpoints: Uint32Array[] = []
  const run = async (states: Uint32Array | undefined): Promise<string> => {
    const afterStep: Part['afterStep'] = async (_, read) => void checkpoints.push(await read())
    const sizes = { groupVertices: 160, shareVertices: 32 }
    const { set } = await walkedSet(view, new CpuDevice('cpu:0'), { sizes, walkers: 2, states, afterStep })
    return set.summary().hash
  }
  const hash = await run(undefined)
  const left = (states: Uint32Array): number =>
    Array.from({ length: vertices }, (_, p) => stateOf(states, p)).filter((state) => state === UNDECIDED).length
  const found = checkpoints.splice(0).filter((states) => left(states) > 0)
  expect(found.length).toBeGreaterThan(5)
  for (const states of found) expect(await run(states), `${left(states)} undecided`).toBe(hash)
  rmSync(folder, { recursive: true })
})
