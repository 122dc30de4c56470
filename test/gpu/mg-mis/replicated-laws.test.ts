import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import { greedySet, randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { replicatedSet } from '../../support/replicated-exchange.ts'

const GRAPHS = 60

describe.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')('replicated states on GPU devices', () => {
  // A device of its own for each worker, as in a run.
  const all: Device[] = []
  beforeAll(async () => {
    for (let w = 0; w < 4; w++) all.push(await openDevice(w === 2 ? 'cpu:0' : 'gpu:0'))
  })
  afterAll(() => all.forEach((device) => device.close()))

  it(`makes the set of the serial loop on ${GRAPHS} random graphs, alone and beside the processor`, async () => {
    let members = 0
    let lists = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 1000)
      const { folder, checksum } = writeGraphFolder(graph)
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const priority = seed % 2 === 0 ? 'hash' : 'degree'
      const { order } = rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed: 0 })
      const devices = all.slice(0, 1 + (seed % 4))
      const batches = 1 + (seed % 13)
      const residual = seed % 3 === 0 ? 100 : 0
      const view = { folder, checksum, priority, seed: 0 } as const
      const headBytes = Math.floor(seed / 4) % 2 === 0 ? {} : { headBytes: seed % 3 === 0 ? Infinity : 0 }
      const { set, counts } = await replicatedSet(view, {
        devices,
        batches,
        residual,
        inStep: seed % 5 < 2,
        ...headBytes,
      })
      const words = `${shape}, seed ${seed}, ${priority}, ${devices.length} workers, ${batches} batches`
      expect(new Set(set.members()), words).toEqual(greedySet(graph, order))
      members += set.summary().size
      lists += counts.filter(({ listBytes }) => listBytes > 0).length
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 30)
    expect(lists).toBeGreaterThan(5)
  })
})
