import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PrimalDual, heavyMatchingBytes, takeHeavier } from '../../../../workers/algorithms/quality/heavy-matching.ts'
import type { WeighedGraph } from '../../../../workers/algorithms/quality/in-memory-graph.ts'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { type RunArgs, type RunOutcome, edgeWeights } from '../../../../workers/contract/jobs.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { fixturePath } from '../../../support/fixtures.ts'
import { randomSmallGraph, randomStream } from '../../../support/graphs.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { WeightedOnDisk } from '../../../support/matching.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 80)
const NONE = 0xffffffff
const never = (): boolean => false

type Edge = readonly [u: number, v: number, weight: number]

/** Few vertices, from sparse to complete, every third graph bipartite, with few or many weights. */
function randomEdges(seed: number): { readonly vertices: number; readonly edges: readonly Edge[] } {
  const random = randomStream(seed)
  const vertices = 2 + Math.floor(11 * random())
  const [share, most] = [random(), [1, 3, 10, 1000][seed % 4]!]
  const edges: Edge[] = []
  for (let v = 0; v < vertices; v++)
    for (let u = 0; u < v; u++) {
      if (random() < share && (seed % 3 > 0 || (u + v) % 2 === 1))
        edges.push([u, v, (1 + Math.floor(most * random())) / 4])
    }
  return { vertices, edges }
}

function weighed(vertices: number, edges: readonly Edge[]): WeighedGraph {
  const lists = Array.from({ length: vertices }, () => [] as [number, number][])
  for (const [u, v, weight] of edges) {
    lists[u]!.push([v, weight])
    lists[v]!.push([u, weight])
  }
  const arcs = lists.flatMap((list) => list.sort(([a], [b]) => a - b))
  const starts = new Uint32Array(vertices + 1)
  lists.forEach((list, v) => (starts[v + 1] = starts[v]! + list.length))
  const targets = Uint32Array.from(arcs, ([u]) => u)
  return {
    vertices,
    starts,
    targets,
    weights: Float32Array.from(arcs, ([, weight]) => weight),
    quantum: 1 / 4,
    units: 1,
  }
}

/** Over all matchings. */
function heaviest(vertices: number, edges: readonly Edge[]): number {
  const known = new Map<number, number>([[0, 0]])
  const of = (left: number): number => {
    const before = known.get(left)
    if (before !== undefined) return before
    const v = 31 - Math.clz32(left)
    let best = of(left & ~(1 << v))
    for (const [u, w, weight] of edges)
      if (w === v && (left >>> u) & 1) best = Math.max(best, weight + of(left & ~(1 << v) & ~(1 << u)))
    known.set(left, best)
    return best
  }
  return of(2 ** vertices - 1)
}

function weightOf(edges: readonly Edge[], mates: Uint32Array): number {
  mates.forEach((mate, v) => expect(mate === NONE || mates[mate] === v).toBe(true))
  const matched = edges.filter(([u, v]) => mates[u] === v)
  expect(2 * matched.length).toBe(mates.filter((mate) => mate !== NONE).length)
  return matched.reduce((sum, [, , weight]) => sum + weight, 0)
}

describe('the primal-dual method', () => {
  it(`finds the heaviest matching of ${GRAPHS} random graphs, and its bound is never below it`, () => {
    let bounds = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { vertices, edges } = randomEdges(seed)
      const optimum = heaviest(vertices, edges)
      const search = new PrimalDual(weighed(vertices, edges))
      let made = 0
      while (!search.run(1, never).isHeaviest) {
        expect(search.bound(), `seed ${seed}`).toBeGreaterThanOrEqual(optimum)
        expect(weightOf(edges, search.mates()), `seed ${seed}`).toBeLessThanOrEqual(optimum)
        if (search.bound() > optimum) bounds++
        expect(++made).toBeLessThan(1000)
      }
      expect(weightOf(edges, search.mates()), `seed ${seed}`).toBe(optimum)
      expect(search.bound(), `seed ${seed}`).toBe(optimum)
    }
    expect(bounds).toBeGreaterThan(GRAPHS / 10)
  })

  it('goes on from its state as if it had not been stopped', () => {
    let stopped = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { vertices, edges } = randomEdges(seed)
      const graph = weighed(vertices, edges)
      const [whole, first] = [new PrimalDual(graph), new PrimalDual(graph)]
      whole.run(Infinity, never)
      if (first.run(2, never).isHeaviest) continue
      stopped++
      const { parts, place } = structuredClone(first.state())
      const second = new PrimalDual(graph, { parts, place })
      expect(second.run(Infinity, never).isHeaviest).toBe(true)
      expect(second.mates(), `seed ${seed}`).toEqual(whole.mates())
      expect(second.bound()).toBe(whole.bound())
    }
    expect(stopped).toBeGreaterThan(GRAPHS / 10)
  })

  it('joins two matchings to one that is no lighter than either', () => {
    let heavier = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { vertices, edges } = randomEdges(seed)
      const random = randomStream(seed)
      const drawn = (): Uint32Array => {
        const mates = new Uint32Array(vertices).fill(NONE)
        for (const [u, v] of edges) {
          if (mates[u] !== NONE || mates[v] !== NONE || random() < 0.5) continue
          mates[u] = v
          mates[v] = u
        }
        return mates
      }
      const [mates, others] = [drawn(), drawn()]
      const most = Math.max(weightOf(edges, mates), weightOf(edges, others))
      takeHeavier(weighed(vertices, edges), mates, others)
      const joined = weightOf(edges, mates)
      expect(joined, `seed ${seed}`).toBeGreaterThanOrEqual(most)
      if (joined > most) heavier++
    }
    expect(heavier).toBeGreaterThan(GRAPHS / 20)
  })
})

function weightIn({ result, verification }: RunOutcome): number {
  expect(verification).toMatchObject({ verified: true })
  return result.kind === 'matching' ? result.weight : NaN
}

type Choice = Pick<RunArgs, 'folder' | 'checksum'> & Partial<RunArgs>

const runOf = (args: Choice): Promise<RunOutcome> => {
  const fixed = { algorithm: 'ld-gpu', device: 'cpu:0', seed: 0, verify: true } as const
  return runAlgorithm({ ...fixed, resultFile: join(args.folder, 'mates'), ...args }, quietJob)
}

describe('--quality better and best', () => {
  it('make a matching heavier with every step, up to a proven optimum, in memory and without it', async () => {
    let [between, streamed] = [0, 0]
    for (let seed = 0; seed < 30; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 150)
      if (graph.vertices === 0) continue
      const onDisk = new WeightedOnDisk(graph, (u, v) => (1 + ((u * v + u + v) % 7)) / 4)
      const { folder, checksum } = onDisk
      const base = { folder, checksum, weights: edgeWeights[Math.floor(seed / 10) % 3]!, seed: seed % 5 }
      const what = `${shape}, seed ${seed}, ${base.weights}`
      const fast = weightIn(await runOf(base))
      const best = await runOf({ ...base, quality: 'best' })
      const optimum = weightIn(best)
      expect(best.verification!.upperBound, what).toBe(optimum)
      const better = await runOf({ ...base, quality: 'better' })
      expect(weightIn(better), what).toBeGreaterThanOrEqual(0.99 * optimum)
      const some = await runOf({ ...base, quality: 'best', searchSteps: 5 })
      expect(weightIn(some), what).toBeGreaterThanOrEqual(fast)
      expect(weightIn(some), what).toBeLessThanOrEqual(optimum)
      expect(some.verification!.upperBound, what).toBeGreaterThanOrEqual(optimum)
      expect((await runOf({ ...base, quality: 'best', searchSteps: 5 })).result, what).toEqual(some.result)
      if (weightIn(some) > fast && weightIn(some) < optimum) between++
      const arcs = graph.neighbours.flat().length
      const memoryBytes = heavyMatchingBytes({ vertices: graph.vertices, arcs }) - 1
      const tight = await runOf({ ...base, quality: 'best', memoryBytes })
      expect(tight.counters['searchSteps'], what).toBeUndefined()
      expect(weightIn(tight), what).toBeLessThanOrEqual(optimum)
      expect(weightIn(tight), what).toBeGreaterThanOrEqual(fast)
      if (weightIn(tight) > fast) streamed++
      onDisk.remove()
    }
    expect(between).toBeGreaterThan(3)
    expect(streamed).toBeGreaterThan(3)
  })

  it('finds the optimum of every graph whose optimum is known', async () => {
    const text = readFileSync(fixturePath('matching/random3-optima.json'), 'utf8')
    const { seed, optima } = JSON.parse(text) as { seed: number; optima: Record<string, number> }
    const scratch = scratchFolder('heaviest')
    let known = 0
    for (const [name] of knownGraphs()) {
      const folder = join(scratch, name)
      const { checksum } = await importGraph({ source: graphFile(name), folder, ignoreWeights: true }, quietJob)
      const found = await runOf({ folder, checksum, weights: 'random3', seed, quality: 'best' })
      expect(Math.round(1000 * weightIn(found)), name).toBe(optima[name])
      expect(found.verification!.upperBound, name).toBe(weightIn(found))
      known++
    }
    expect(known).toBeGreaterThan(8)
  })
})
