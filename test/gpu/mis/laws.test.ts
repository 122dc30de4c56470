import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import type { Priority } from '../../../workers/jobs.ts'
import { isMaximalIndependent, randomSmallGraph } from '../../support/graphs.ts'
import { GraphOnDisk } from '../../support/independent-set.ts'

/** On a graphics processor a second; in software, on a busy machine, minutes. */
const GRAPHS = 1000
const priorities: readonly Priority[] = ['degree', 'ecl', 'hash', 'column']

describe.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')('ECL-MIS on the GPU device', () => {
  let gpu: Device
  const cpu = new CpuDevice('cpu:0')
  beforeAll(async () => {
    gpu = await openDevice('gpu:0')
    console.log(`GPU tests run on ${gpu.facts.name} (${gpu.facts.driver})`)
  })
  afterAll(() => gpu.close())

  it(`makes the set that the CPU device makes, on ${GRAPHS} random graphs, in any number of batches`, async () => {
    let members = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 2000)
      const onDisk = new GraphOnDisk(graph)
      const priority = priorities[Math.floor(seed / 10) % priorities.length]!
      const column =
        priority === 'column' ? { column: Float64Array.from(graph.neighbours, (_, v) => (v * 7919) % 101) } : {}
      const expected = await onDisk.independentSet(cpu, { priority, ...column })
      const batches = [1, 3, 17][seed % 3]!
      const found = await onDisk.independentSet(gpu, { priority, batches, ...column })
      expect(isMaximalIndependent(graph, found.members), `${shape}, seed ${seed}, ${priority}`).toBe(true)
      expect(found.hash, `${shape}, seed ${seed}, ${priority}, ${batches} batches`).toBe(expected.hash)
      members += found.members.size
      onDisk.remove()
    }
    expect(members).toBeGreaterThan(GRAPHS * 30)
  }, 600_000)
})
