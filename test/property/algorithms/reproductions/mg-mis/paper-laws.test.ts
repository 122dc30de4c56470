import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../../../workers/device/cpu-device.ts'
import { EqualRanges } from '../../../../../workers/algorithms/reproductions/mg-mis/paper-shared.ts'
import { rankVertices } from '../../../../../workers/graph/set-order.ts'
import { priorities } from '../../../../../workers/contract/jobs.ts'
import type { Priority } from '../../../../../workers/contract/jobs.ts'
import { greedySet, isMaximalIndependent, randomSmallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import type { SmallGraph } from '../../../../support/graphs.ts'
import { paperSet } from '../../../../support/paper-exchange.ts'

const GRAPHS = 640

function rankingOf(graph: SmallGraph, priority: Priority, seed: number) {
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
  const column = Float64Array.from(graph.neighbours, (_, v) => (v * 7919) % 101)
  return rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed, column })
}

/** As the kernels find the owner of a vertex. */
function ownerOf(v: number, { share, extra }: EqualRanges): number {
  const wide = extra * (share + 1)
  return v < wide ? Math.floor(v / (share + 1)) : extra + Math.floor((v - wide) / share)
}

describe('the ranges of the paper exchange', () => {
  it('give every vertex exactly one owner, and differ by one vertex at most', () => {
    for (let n = 0; n < 70; n++)
      for (let workers = 1; workers <= 9; workers++) {
        const ranges = new EqualRanges(n, workers)
        const owners = Array.from({ length: n }, (_, v) =>
          Array.from({ length: workers }, (_, w) => w).filter((w) => {
            const { low, high } = ranges.of(w)
            return v >= low && v < high
          }),
        )
        owners.forEach((found, v) => expect(found).toEqual([ownerOf(v, ranges)]))
        const sizes = Array.from({ length: workers }, (_, w) => ranges.of(w).high - ranges.of(w).low)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }
  })
})

describe('MG-MIS with the exchange of the paper', () => {
  it(`makes the set of the serial loop on ${GRAPHS} random graphs: 1-8 workers on 1-4 ranks, 1-40 batches, buffers from 2 words on`, async () => {
    let members = 0
    let [overflows, acrossRanks] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, seed % 4 === 0 ? 2000 : 200)
      const { folder } = writeGraphFolder(graph)
      const priority = priorities[Math.floor(seed / 10) % priorities.length]!
      const { rank, order } = rankingOf(graph, priority, seed % 3)
      const workers = 1 + (seed % 8)
      const bufferWords = [2, 3, 8, 64, 5000][Math.floor(seed / 8) % 5]!
      const batches = 1 + (seed % 40)
      const devices = Array.from({ length: workers }, (_, w) => new CpuDevice(`cpu:${w}`))
      const streamed = seed % 2 === 0 ? {} : { arcBytes: 64_000, maxBatchBytes: 32_000 }
      const ranks = priority === 'hash' ? undefined : rank
      const across = Math.min(workers, 1 + (Math.floor(seed / 3) % 4))
      const request = { devices, bufferWords, batches, ranks, seed: seed % 3, across, ...streamed }
      const found = await paperSet(folder, request)
      const words = `${shape}, seed ${seed}, ${priority}, ${workers} workers, ${bufferWords} words, ${batches} batches`
      for (const known of found.members) expect(known, words).toEqual(greedySet(graph, order))
      const [made] = found.members
      expect(isMaximalIndependent(graph, made!), words).toBe(true)
      members += made!.size
      if (found.members.length > 1) acrossRanks++
      if (found.outcomes[0]!.rounds.some(({ need }) => need > bufferWords)) overflows++
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 30)
    expect(acrossRanks).toBeGreaterThan(GRAPHS / 4)
    expect(overflows).toBeGreaterThan(GRAPHS / 8)
  })
})
