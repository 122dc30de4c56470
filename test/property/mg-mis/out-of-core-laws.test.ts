import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import { priorities } from '../../../workers/jobs.ts'
import { greedySet, isMaximalIndependent, randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { walkedSet } from '../../support/walked-set.ts'

const GRAPHS = 300

describe('MG-MIS with heads first', () => {
  const folders: string[] = []
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

  it(`makes the set of the serial loop on ${GRAPHS} random graphs, 1-8 workers, heads that stay or pass through`, async () => {
    let members = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 600)
      const { folder, checksum } = writeGraphFolder(graph)
      folders.push(folder)
      const priority = priorities[Math.floor(seed / 10) % priorities.length]!
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const column = Float64Array.from(graph.neighbours, (_, v) => (v * 7919) % 101)
      const { order } = rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed: 0, column })
      const workers = 1 + (seed % 8)
      const view = { folder, checksum, priority, seed: 0, ...(priority === 'column' ? { column } : {}) }
      const devices = Array.from({ length: workers }, (_, w) => new CpuDevice(`cpu:${w}`))
      const stays = seed % 2 === 0
      const sizes = { shareVertices: 16, groupVertices: 16 * (1 + (seed % 5)) }
      const [device, ...others] = devices
      const { set, passes } = await walkedSet(view, device!, { sizes, stays, others, walkers: 1 })
      const found = new Set(set.members())
      const words = `${shape}, seed ${seed}, ${priority}, ${workers} workers, heads ${stays ? 'stay' : 'pass'}`
      expect(found, words).toEqual(greedySet(graph, order))
      expect(isMaximalIndependent(graph, found), words).toBe(true)
      expect(passes, words).toBe(1)
      members += found.size
    }
    expect(members).toBeGreaterThan(GRAPHS * 20)
  })
})
