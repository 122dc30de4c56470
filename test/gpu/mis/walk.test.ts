import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import { greedySet, randomSmallGraph, randomStream, writeGraphFolder } from '../../support/graphs.ts'
import { walkedSet } from '../../support/walked-set.ts'

const GRAPHS = 40

it.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')(
  `with heads alone on the GPU and threads beside it, ${GRAPHS} random graphs have the set of the serial loop`,
  async () => {
    const gpu = await openDevice('gpu:0')
    const second = await openDevice('gpu:0')
    let members = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const random = randomStream(seed)
      const { shape, graph } = randomSmallGraph(seed, 2000)
      const made = writeGraphFolder(graph)
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const { order } = rankVertices('degree', { vertices: graph.vertices, arcs, degrees, seed: 0 })
      const shareVertices = 16 * (1 + Math.floor(8 * random()))
      const groupVertices = shareVertices * (1 + Math.floor(6 * random()))
      const others = Array.from({ length: seed % 3 }, (_, i) => (i === 0 ? second : new CpuDevice('cpu:0')))
      const sizes = { shareVertices, groupVertices }
      const request = { sizes, walkers: 1 + (seed % 3), others, stays: seed % 4 > 1 }
      const { set } = await walkedSet({ ...made, priority: 'degree', seed: 0 }, gpu, request)
      expect(new Set(set.members()), `${shape}, seed ${seed}`).toEqual(greedySet(graph, order))
      members += set.summary().size
      rmSync(made.folder, { recursive: true })
    }
    gpu.close()
    second.close()
    expect(members).toBeGreaterThan(GRAPHS * 50)
  },
)
