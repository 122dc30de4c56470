import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { rankVertices } from '../../../../../workers/graph/set-order.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { greedySet, randomSmallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { paperSet } from '../../../../support/paper-exchange.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 16)

describe.runIf(hasGpu)('the paper exchange on GPU devices', () => {
  // A device of its own for each worker, as in a run.
  const all: Device[] = []
  beforeAll(async () => {
    for (let w = 0; w < 4; w++) all.push(await openDevice(w === 2 ? 'cpu:0' : 'gpu:0'))
  })
  afterAll(() => all.forEach((device) => device.close()))

  it(`makes the set of the serial loop on ${GRAPHS} random graphs, alone and beside the processor`, async () => {
    let members = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 1000)
      const { folder } = writeGraphFolder(graph)
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const priority = seed % 2 === 0 ? 'hash' : 'degree'
      const { rank, order } = rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed: 0 })
      const devices = all.slice(0, 1 + (seed % 4))
      const bufferWords = [2, 32, 5000][Math.floor(seed / 4) % 3]!
      const ranks = priority === 'hash' ? undefined : rank
      const found = await paperSet(folder, { devices, bufferWords, batches: 1 + (seed % 5), ranks })
      const words = `${shape}, seed ${seed}, ${priority}, ${devices.length} workers, ${bufferWords} words`
      expect(found.members, words).toEqual([greedySet(graph, order)])
      members += found.members[0]!.size
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 30)
  })
})
