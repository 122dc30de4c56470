import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rankVertices } from '../../../../workers/graph/set-order.ts'
import type { Device } from '../../../../workers/device/device.ts'
import { priorities } from '../../../../workers/contract/jobs.ts'
import { type SetCase, computedSet } from '../../../support/computed-set.ts'
import { type SmallGraph, greedySet, randomSmallGraph, smallGraph, writeGraphFolder } from '../../../support/graphs.ts'
import { localRanks } from '../../../support/local-ranks.ts'
import { TwinDevice } from '../../../support/twin-device.ts'

const GRAPHS = 24

function caseOf(graph: SmallGraph, seed: number) {
  const priority = priorities[Math.floor(seed / 10) % priorities.length]!
  const column = Float64Array.from(graph.neighbours, (_, v) => ((v * 7919) % 101) - 50)
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
  const { order } = rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed, column })
  const request: SetCase = { priority, seed, column: priority === 'column' ? column : undefined }
  return { request, expected: greedySet(graph, order) }
}

const onProcessors = () => ['cpu:0']

/** What rank 0 has. */
async function acrossRanks(
  graph: SmallGraph,
  request: SetCase,
  ranks: number,
  workersOf: (rank: number) => readonly (string | Device)[],
) {
  const { folder } = writeGraphFolder(graph)
  const exchanges = localRanks(ranks, ranks % 3)
  const path = join(folder, 'graph.gr')
  const all = await Promise.all(
    exchanges.map((exchange) => computedSet(path, workersOf(exchange.rank), { ...request, exchange })),
  )
  rmSync(folder, { recursive: true })
  const { states, ranks: published, finished } = all[0]!
  return { set: new Set(states.members().members()), rounds: published!.rounds, finished }
}

describe('a set across ranks', () => {
  it(`is that of the serial loop on ${GRAPHS} random graphs: 1 to 9 ranks, some with nothing to do`, async () => {
    let [members, rounds, finished] = [0, 0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, seed % 4 === 0 ? 2000 : 200)
      const { request, expected } = caseOf(graph, seed)
      const rooms = [undefined, { records: 0, poolWords: 0 }, { records: 3, poolWords: 7 }]
      const ranks = 1 + (seed % 9)
      const words = `${shape}, seed ${seed}, ${request.priority}, ${ranks} ranks`
      const wanted = { ...request, threads: 1, batches: 1 + (seed % 40), limits: rooms[seed % 3] }
      const made = await acrossRanks(graph, wanted, ranks, onProcessors)
      expect(made.set, words).toEqual(expected)
      members += made.set.size
      rounds += made.rounds
      finished += made.finished
    }
    expect(members).toBeGreaterThan(GRAPHS * 100)
    expect(rounds).toBeGreaterThan(GRAPHS)
    expect(finished).toBeGreaterThan(GRAPHS)
  })

  it(`is that of the serial loop where ranks have a GPU, all or some, on ${GRAPHS} random graphs`, async () => {
    let [members, rounds] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, seed % 4 === 0 ? 2000 : 200)
      const { request, expected } = caseOf(graph, seed)
      const rooms = [undefined, { records: 0, poolWords: 0 }, { records: 3, poolWords: 7 }, undefined]
      const ranks = 1 + (seed % 5)
      const wanted = { ...request, threads: 1, batches: 1 + (seed % 40), limits: rooms[seed % 4] }
      const without = seed % 3
      const workersOf = (rank: number) => (rank % 2 === without ? ['cpu:0'] : [new TwinDevice('gpu:0')])
      const made = await acrossRanks(graph, wanted, ranks, workersOf)
      expect(made.set, `${shape}, seed ${seed}, ${request.priority}, ${ranks} ranks`).toEqual(expected)
      members += made.set.size
      rounds += made.rounds
    }
    expect(members).toBeGreaterThan(GRAPHS * 30)
    expect(rounds).toBeGreaterThan(GRAPHS / 2)
  })

  it('chains from rank to rank end: a path of ascending values, and one that jumps to and fro', async () => {
    const n = 30_000
    const path = smallGraph(
      n,
      Array.from({ length: n - 1 }, (_, v) => [v, v + 1] as const),
    )
    const half = n / 2
    const jumps = smallGraph(
      n,
      Array.from(
        { length: n - 1 },
        (_, i) => [(i % 2) * half + (i >> 1), ((i + 1) % 2) * half + ((i + 1) >> 1)] as const,
      ),
    )
    for (const [graph, value] of [
      [path, (v: number) => v],
      [jumps, (v: number) => 2 * (v % half) + Math.floor(v / half)],
    ] as const) {
      const column = Float64Array.from({ length: n }, (_, v) => value(v))
      const wanted = { priority: 'column', column, threads: 1 } as const
      const { set, rounds } = await acrossRanks(graph, wanted, 4, onProcessors)
      expect(set.size).toBe(n / 2)
      expect(rounds).toBeLessThan(40)
    }
  })
})
