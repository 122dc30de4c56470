import { describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import type { Priority } from '../../../workers/jobs.ts'
import { greedySet, isMaximalIndependent, randomSmallGraph } from '../../support/graphs.ts'
import { GraphOnDisk } from '../../support/independent-set.ts'

const GRAPHS = 1000
const priorities: readonly Priority[] = ['degree', 'ecl', 'hash', 'column']

describe('ECL-MIS on the CPU device', () => {
  it(`makes the set of the serial loop, independent and maximal, on ${GRAPHS} random graphs, in any number of batches`, async () => {
    const device = new CpuDevice('cpu:0')
    let members = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 2000)
      const onDisk = new GraphOnDisk(graph)
      const priority = priorities[Math.floor(seed / 10) % priorities.length]!
      const column = Float64Array.from(graph.neighbours, (_, v) => (v * 7919) % 101)
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const { order } = rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed: seed % 3, column })
      const expected = greedySet(graph, order)
      const hashes = new Set<string>()
      for (const batches of [1, 3, 17]) {
        const request = { priority, seed: seed % 3, batches, ...(priority === 'column' ? { column } : {}) }
        const found = await onDisk.independentSet(device, request)
        expect(isMaximalIndependent(graph, found.members), `${shape}, seed ${seed}, ${priority}`).toBe(true)
        expect(found.members, `${shape}, seed ${seed}, ${priority}, ${batches} batches`).toEqual(expected)
        hashes.add(found.hash)
        members += found.members.size
      }
      expect(hashes.size).toBe(1)
      onDisk.remove()
    }
    expect(members).toBeGreaterThan(GRAPHS * 100)
  })
})
