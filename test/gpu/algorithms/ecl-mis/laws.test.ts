import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from '../../../../workers/device/device.ts'
import { openDevice } from '../../../../workers/device/open-device.ts'
import { priorities } from '../../../../workers/contract/jobs.ts'
import { hasGpu } from '../../../support/devices-here.ts'
import { computedSet } from '../../../support/computed-set.ts'
import {
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  smallGraph,
  writeGraphFolder,
  writePath,
} from '../../../support/graphs.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 20)

describe.runIf(hasGpu)('a set in one pass on the GPU', () => {
  let gpu: Device
  beforeAll(async () => {
    gpu = await openDevice('gpu:0')
    console.log(`GPU tests run on ${gpu.facts.name} (${gpu.facts.driver})`)
  })
  afterAll(() => gpu.close())

  it(`is that of a processor on ${GRAPHS} random graphs, alone and with others, in any number of batches`, async () => {
    let [members, exchanged] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 3000)
      const { folder } = writeGraphFolder(graph)
      const path = join(folder, 'graph.gr')
      const priority = priorities[Math.floor(seed / 10) % priorities.length]!
      const column = priority === 'column' ? Float64Array.from(graph.neighbours, (_, v) => (v * 7919) % 101) : undefined
      const request = { priority, column, seed: seed % 3 }
      const expected = await computedSet(path, ['cpu:0'], request)
      const batches = [1, 3, 17, 40][seed % 4]!
      const others = [[], [], ['cpu:0'], []][seed % 4]!
      const limits = [undefined, undefined, undefined, { records: 20, poolWords: 50 }][seed % 4]
      const found = await computedSet(path, [gpu, ...others], { ...request, batches, limits })
      const set = found.states.members()
      const words = `${shape}, seed ${seed}, ${priority}, ${batches} batches`
      expect(isMaximalIndependent(graph, new Set(set.members())), words).toBe(true)
      expect(set.summary(), words).toEqual(expected.states.members().summary())
      members += set.summary().size
      exchanged += found.workers[0]!.exchanged
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 30)
    expect(exchanged).toBeGreaterThan(0)
  })

  it('visits long lists, and those that reach past their piece', async () => {
    const random = randomStream(5)
    const n = 100_000
    const edges = Array.from({ length: 2 * n }, (_, i): [number, number] =>
      i < n ? [i % 40, i] : [Math.floor(n * random()), Math.floor(n * random())],
    )
    const { folder } = writeGraphFolder(smallGraph(n, edges))
    const path = join(folder, 'graph.gr')
    for (const priority of ['hash', 'degree'] as const) {
      const expected = await computedSet(path, ['cpu:0'], { priority })
      for (const memoryBytes of [undefined, 8 << 20]) {
        const { states } = await computedSet(path, [gpu], { priority, memoryBytes })
        expect(states.members().summary()).toEqual(expected.states.members().summary())
      }
    }
    rmSync(folder, { recursive: true })
  })

  it('a path whose vertices wait for one another is no trap', async () => {
    const n = 60_000
    const folder = writePath(n)
    const column = Float64Array.from({ length: n }, (_, v) => v)
    const { states, finished } = await computedSet(join(folder, 'graph.gr'), [gpu], { priority: 'column', column })
    expect(states.members().summary().size).toBe(n / 2)
    expect(finished).toBeGreaterThan(n / 2)
    rmSync(folder, { recursive: true })
  })
})
