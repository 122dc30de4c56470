import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attempt } from '../../../../workers/algorithms/plan-request.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { planSet } from '../../../../workers/algorithms/ecl-mis/plan-set.ts'
import { rankVertices } from '../../../../workers/graph/set-order.ts'
import { IN, OUT, setState, stateWords } from '../../../../workers/graph/vertex-set.ts'
import { priorities } from '../../../../workers/contract/jobs.ts'
import { type SetCase, computedSet } from '../../../support/computed-set.ts'
import {
  type SmallGraph,
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  smallGraph,
  writeGraphFolder,
  writePath,
} from '../../../support/graphs.ts'
import { MeasuredDevice } from '../../../support/measured-device.ts'
import { TwinDevice } from '../../../support/twin-device.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 96)

/** The set of the serial loop, and how a run is asked for it. */
function caseOf(graph: SmallGraph, seed: number) {
  const priority = priorities[Math.floor(seed / 10) % priorities.length]!
  const column = Float64Array.from(graph.neighbours, (_, v) => ((v * 7919) % 101) - 50)
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
  // The largest seed, too: it is multiplied.
  const wanted = seed % 7 === 0 ? 2 ** 32 - 1 : seed % 3
  const { order } = rankVertices(priority, { vertices: graph.vertices, arcs, degrees, seed: wanted, column })
  const request: SetCase = { priority, seed: wanted, column: priority === 'column' ? column : undefined }
  return { request, expected: greedySet(graph, order), order }
}

describe('a set in one pass', () => {
  it(`is that of the serial loop on ${GRAPHS} random graphs: 1 to 3 processors, 1 to 40 batches, any residual`, async () => {
    let [members, finished, passes] = [0, 0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, seed % 4 === 0 ? 2000 : 200)
      const { folder } = writeGraphFolder(graph)
      const { request, expected } = caseOf(graph, seed)
      const batches = 1 + (seed % 40)
      const room = [
        undefined,
        { records: 0, poolWords: 0 },
        { records: 3, poolWords: 7 },
        { records: 40, poolWords: 90 },
      ]
      const limits = room[seed % 4]
      const workers = Array.from({ length: seed % 25 === 0 ? 1 + (seed % 3) : 1 }, (_, i) => `cpu:${i}`)
      const threads = seed % 25 === 1 ? 2 : 1
      const words = `${shape}, seed ${seed}, ${request.priority}, ${batches} batches, ${workers.length} workers`
      const made = await computedSet(join(folder, 'graph.gr'), workers, { ...request, batches, limits, threads })
      const found = new Set(made.states.members().members())
      expect(isMaximalIndependent(graph, found), words).toBe(true)
      expect(found, words).toEqual(expected)
      members += found.size
      finished += made.finished
      passes += made.passes
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 20)
    expect(finished).toBeGreaterThan(GRAPHS)
    expect(passes).toBeGreaterThanOrEqual(GRAPHS)
  })

  it.each([
    ['processor', ['cpu:0']],
    ['GPU', [new TwinDevice('gpu:0')]],
    ['GPU beside a processor', [new TwinDevice('gpu:0'), 'cpu:0']],
  ])('takes as many passes as little room needs, and ends: a %s', async (_, devices) => {
    const n = 60_000
    const graph = smallGraph(
      n,
      Array.from({ length: 4 * n }, (_, i): [number, number] => [i % n, (i * 7919 + (i >>> 4)) % n]),
    )
    const { folder } = writeGraphFolder(graph)
    const { request, expected } = caseOf(graph, 1)
    const limits = { records: 8, poolWords: 8 }
    const path = join(folder, 'graph.gr')
    const made = await computedSet(path, devices, { ...request, limits, batches: 20 })
    expect(new Set(made.states.members().members())).toEqual(expected)
    expect(made.passes).toBeGreaterThan(1)
    // Whatever is decided already, the first pass reads all, and others what is left.
    const read = made.workers.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    expect(read).toBeGreaterThan(1.2 * statSync(path).size)
    rmSync(folder, { recursive: true })
  })

  it('takes on a GPU what is planned for it, byte for byte, with much room or little', async () => {
    let [whole, tight] = [0, 0]
    for (let seed = 0; seed < 40; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 2000)
      const { folder } = writeGraphFolder(graph)
      const { request, expected } = caseOf(graph, seed)
      const path = join(folder, 'graph.gr')
      const { file } = GaloisGr.open(path)
      const size = { ...file, weighted: false, hasColumn: request.priority === 'column' }
      for (const share of [1, 0.8]) {
        const device = new MeasuredDevice('gpu')
        const [{ deviceBytes: asked } = { deviceBytes: 0 }] = planSet(size, {}, [device.facts]).workers
        const wishes = { batches: 1 + (seed % 5), ...(share < 1 && { memoryBytes: Math.ceil(share * asked) }) }
        const { plan } = attempt(() => planSet(size, wishes, [device.facts]))
        // The states of the vertices alone take more.
        if (plan === undefined) continue
        const [planned] = plan.workers
        const made = await computedSet(path, [device], { ...request, ...wishes })
        expect(new Set(made.states.members().members()), shape).toEqual(expected)
        expect(device.mostBytes, `${shape}, seed ${seed}, ${share} of the memory`).toBe(planned!.deviceBytes)
        expect(planned!.deviceBytes).toBeLessThanOrEqual(planned!.budgetBytes)
        if (share === 1) whole += device.mostBytes
        else tight += device.mostBytes
        device.close()
      }
      rmSync(folder, { recursive: true })
    }
    expect(tight).toBeGreaterThan(whole / 10)
    expect(tight).toBeLessThan(whole)
  })

  it.each([
    ['ascending', (v: number) => v],
    ['descending', (v: number) => -v],
  ])('a path of many vertices with %s values is no trap', async (_, value) => {
    for (const [n, limits] of [
      [300_000, undefined],
      [100_000, { records: 100, poolWords: 100 }],
    ] as const) {
      const folder = writePath(n)
      const column = Float64Array.from({ length: n }, (__, v) => value(v))
      const { states } = await computedSet(join(folder, 'graph.gr'), ['cpu:0'], { priority: 'column', column, limits })
      const set = states.members()
      const first = value(1) > value(0) ? n - 1 : 0
      expect(set.summary().size).toBe(n / 2)
      expect(set.has(first) && !set.has(first === 0 ? 1 : n - 2)).toBe(true)
      rmSync(folder, { recursive: true })
    }
  })

  it('goes on from states: what was decided stays', async () => {
    let [kept, members] = [0, 0]
    for (let seed = 0; seed < 100; seed++) {
      const { graph } = randomSmallGraph(seed, 400)
      const { folder } = writeGraphFolder(graph)
      const { request, expected, order } = caseOf(graph, seed)
      // What the serial loop has decided after a part of its vertices.
      const initial = new Uint32Array(stateWords(graph.vertices))
      for (let i = order.length - 1; i >= order.length * ((seed % 5) / 5); i--) {
        const v = order[i]!
        setState(initial, v, expected.has(v) ? IN : OUT)
        kept++
      }
      const { states } = await computedSet(join(folder, 'graph.gr'), ['cpu:0'], { ...request, initial })
      expect(new Set(states.members().members())).toEqual(expected)
      members += expected.size
      rmSync(folder, { recursive: true })
    }
    expect(Math.min(kept, members)).toBeGreaterThan(1000)
  })
})
