import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { computeWith } from '../../../../workers/algorithms/run.ts'
import { tcMis } from '../../../../workers/algorithms/tc-mis/tc-mis.ts'
import { CpuDevice } from '../../../../workers/device/cpu-device.ts'
import { rankVertices } from '../../../../workers/graph/set-order.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { Heuristic, RunArgs } from '../../../../workers/contract/jobs.ts'
import { readBits } from '../../../../workers/graph/vertex-set.ts'
import {
  type SmallGraph,
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  writeGraphFolder,
} from '../../../support/graphs.ts'

const GRAPHS = 40
const device = new CpuDevice('cpu:0')

function argsOf(folder: string, checksum: string, priority: Heuristic): RunArgs {
  const resultFile = join(folder, 'set')
  return { folder, checksum, algorithm: 'tc-mis', device: 'cpu:0', priority, seed: 0, verify: false, resultFile }
}

function serialSet(graph: SmallGraph, priority: 'hash' | 'ecl', seed: number): Set<number> {
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
  return greedySet(graph, rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed }).order)
}

const setOf = ({ resultFile }: RunArgs, { vertices }: SmallGraph): Set<number> =>
  new Set(readBits(resultFile, vertices).members())

describe('TC-MIS on the CPU device', () => {
  it(`makes the serial loop's set under h1 and h3, and a maximal one under h2, on ${GRAPHS} random graphs`, async () => {
    let members = 0
    let conflicts = 0
    for (let number = 0; number < GRAPHS; number++) {
      const { graph, shape } = randomSmallGraph(number, 2000)
      const { folder, checksum } = writeGraphFolder(graph)
      const seed = number % 3
      const place = `${shape}, graph ${number}`
      for (const [heuristic, priority] of [['h1', 'hash'] as const, ['h3', 'ecl'] as const]) {
        const args = { ...argsOf(folder, checksum, heuristic), seed }
        await computeWith(tcMis, args, quietJob, device)
        const expected = serialSet(graph, priority, seed)
        expect(setOf(args, graph), `${place}, ${heuristic}`).toEqual(expected)
        members += expected.size
      }
      const args = { ...argsOf(folder, checksum, 'h2'), seed }
      await computeWith(tcMis, args, quietJob, device)
      const tied = setOf(args, graph)
      expect(isMaximalIndependent(graph, tied), `${place}, h2`).toBe(true)
      if (tied.size !== serialSet(graph, 'ecl', seed).size) conflicts++
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 100)
    expect(conflicts).toBeGreaterThan(GRAPHS / 8)
  })

  it('does the same rounds in any batches and any memory, streaming where it is small', async () => {
    let streamed = 0
    for (const number of [8, 18, 28, 38]) {
      const { graph } = randomSmallGraph(number, 6000)
      const { folder, checksum } = writeGraphFolder(graph)
      for (const priority of ['h1', 'h2', 'h3'] as const) {
        const args = { ...argsOf(folder, checksum, priority), seeds: 2 }
        const { result, series, plan, roundCounts } = await computeWith(tcMis, args, quietJob, device)
        const other = await computeWith(tcMis, { ...args, batches: 5 }, quietJob, device)
        expect(other.result).toEqual(result)
        expect(other.series[0]).toEqual(series[0])
        expect(other.roundCounts).toEqual(roundCounts)
        const memoryBytes = Math.ceil(plan.deviceBytes * 0.75)
        const small = await computeWith(tcMis, { ...args, memoryBytes }, quietJob, device)
        expect(small.result).toEqual(result)
        expect(small.roundCounts).toEqual(roundCounts)
        expect(small.plan.deviceBytes).toBeLessThanOrEqual(memoryBytes)
        if (small.passes > 1) streamed++
      }
      rmSync(folder, { recursive: true })
    }
    expect(streamed).toBeGreaterThan(6)
  })

  it('keeps the largest of the sets that as many single runs give, and tells all sizes', async () => {
    let different = 0
    for (const number of [6, 7, 8, 18, 28]) {
      const { graph } = randomSmallGraph(number, 1500)
      const { folder, checksum } = writeGraphFolder(graph)
      for (const priority of ['h1', 'h2', 'h3'] as const) {
        const args = argsOf(folder, checksum, priority)
        const all = await computeWith(tcMis, { ...args, seed: 5, seeds: 16 }, quietJob, device)
        const single: { size: number; hash: string }[] = []
        for (let s = 0; s < 16; s++) {
          const { result } = await computeWith(tcMis, { ...args, seed: 5 + s }, quietJob, device)
          if (result.kind === 'independent-set') single.push(result)
        }
        const sizes = single.map(({ size }) => size)
        expect(all.series[0]).toEqual({ name: 'sizes', of: 'seed', unit: '', values: sizes })
        const best = sizes.indexOf(Math.max(...sizes))
        expect(all.result).toEqual(single[best])
        different += new Set(sizes).size
      }
      rmSync(folder, { recursive: true })
    }
    expect(different).toBeGreaterThan(40)
  })

  it('is not trapped by a chain of vertices that wait for one another', async () => {
    // Equal degrees make equal bytes, so that ties, and ids, decide: a circulant graph of degree 200.
    const n = 20_000
    const neighbours = Array.from({ length: n }, (_, v) =>
      Array.from({ length: 100 }, (_each, i) => [(v + i + 1) % n, (v + n - i - 1) % n])
        .flat()
        .sort((a, b) => a - b),
    )
    const graph = { vertices: n, neighbours }
    const { folder, checksum } = writeGraphFolder(graph)
    const args = argsOf(folder, checksum, 'h3')
    const { rounds } = await computeWith(tcMis, args, quietJob, device)
    expect(setOf(args, graph)).toEqual(serialSet(graph, 'ecl', 0))
    expect(rounds).toBeLessThan(120)
    rmSync(folder, { recursive: true })
  })
})
