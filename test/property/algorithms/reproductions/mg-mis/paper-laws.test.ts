import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../../../workers/device/cpu-device.ts'
import { EqualRanges } from '../../../../../workers/algorithms/reproductions/mg-mis/paper-shared.ts'
import { rankVertices } from '../../../../../workers/graph/set-order.ts'
import { priorities, type Priority } from '../../../../../workers/contract/jobs.ts'
import {
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  smallGraph,
  writeGraphFolder,
  type SmallGraph,
} from '../../../../support/graphs.ts'
import { paperSet } from '../../../../support/paper-exchange.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 128)
/** Graphs with rounds in which no vertex of the windows of queries had anything to ask. */
const metWithoutRoom = [64, 126, 288, 495, 527, 724, 783, 909, 920, 1128, 1146]

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

  it('takes rounds that only wait for room for no damage: sparse graphs, buffers of 2 to 4 words', async () => {
    const graphs = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 30)
    let narrow = 0
    for (const seed of [...metWithoutRoom, ...Array(graphs).keys()]) {
      const random = randomStream(seed)
      const vertices = 40 + Math.floor(random() * 560)
      const edges = Math.floor(vertices * (0.05 + 0.6 * random()))
      const end = (): number => Math.floor(random() * vertices)
      const graph = smallGraph(
        vertices,
        Array.from({ length: edges }, () => [end(), end()] as const),
      )
      const { folder } = writeGraphFolder(graph)
      const { rank: ranks, order } = rankingOf(graph, 'ecl', 0)
      const devices = Array.from({ length: 2 + (seed % 3) }, (_, w) => new CpuDevice(`cpu:${w}`))
      const bufferWords = 2 + (Math.floor(seed / 3) % 3)
      const { members, outcomes } = await paperSet(folder, { devices, bufferWords, batches: 1 + (seed % 4), ranks })
      expect(members[0], `seed ${seed}`).toEqual(greedySet(graph, order))
      if (outcomes[0]!.rounds.some(({ need }) => need > bufferWords)) narrow++
      rmSync(folder, { recursive: true })
    }
    expect(narrow).toBeGreaterThan(graphs / 2)
  })

  it('ends on arcs without their equals within twice as many rounds as vertices, and says so', async () => {
    // Every vertex waits for the next, as far as no answer says that it is out; members tell nobody who asks.
    const ring = { vertices: 90, neighbours: Array.from({ length: 90 }, (_, v) => [(v + 1) % 90]) }
    const { folder } = writeGraphFolder(ring)
    for (const workers of [1, 2, 3, 5])
      for (const bufferWords of [2, 3, 4, 64]) {
        const devices = Array.from({ length: workers }, (_, w) => new CpuDevice(`cpu:${w}`))
        const ends = paperSet(folder, { devices, bufferWords, batches: 2 })
        const words = await ends.then(
          () => 'a set',
          (error: unknown) => String(error),
        )
        expect(words, `${workers} workers, ${bufferWords} words`).toMatch(/what round \d+ met is not as in a canonical/)
        expect(Number(/round (\d+)/.exec(words)![1])).toBeLessThan(3 * ring.vertices + 32)
      }
    rmSync(folder, { recursive: true })
  })
})
