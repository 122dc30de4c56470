import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { denseLabels } from '../../../workers/graph/labels.ts'
import { Matching, NO_MATE, readMates } from '../../../workers/graph/matching.ts'
import { VertexSet, readBits } from '../../../workers/graph/vertex-set.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { edgeTies, edgeWeights, type Verdict } from '../../../workers/contract/jobs.ts'
import { verifyIndependentSet } from '../../../workers/verify/verify-independent-set.ts'
import { type MatchingClaim, verifyMatching } from '../../../workers/verify/verify-matching.ts'
import type { VerifyPace } from '../../../workers/verify/passes.ts'
import { randomSmallGraph, randomStream, smallGraph, type SmallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching } from '../../support/matching.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { graphFile, graphsHere } from '../../support/known-graphs.ts'
import { boundInTurn, faultOfMatching, pairsByNames, pairsInTurn } from '../../support/verdicts.ts'

const GRAPHS = 20
const threadCounts = [1, 2, 3, 5]

/** The verdict of one thread with the graph in one piece, after comparing it with those of more threads and smaller pieces. */
async function sameVerdict(
  verify: (pace: VerifyPace) => Promise<Verdict>,
  arcsPerBatch: number,
): Promise<Omit<Verdict, 'elapsedMs'>> {
  // A set is checked by WebAssembly and by JavaScript.
  const paces = threadCounts.map((threads) => ({ threads, arcsPerBatch, compiled: threads !== 2 }))
  const [whole, ...others] = await Promise.all(
    [{ threads: 1, arcsPerBatch: 1 << 19, compiled: false }, ...paces].map(async (pace) => ({
      ...(await verify(pace)),
      elapsedMs: 0,
    })),
  )
  for (const [i, other] of others.entries()) expect(other, `${threadCounts[i]} threads`).toEqual(whole)
  return whole!
}

const verdictOnMates = (graph: GaloisGr, claim: MatchingClaim, arcs: number) =>
  sameVerdict((pace) => verifyMatching(graph, denseLabels(graph.vertices, 0), claim, quietJob, pace), arcs)

const verdictOnSet = (graph: GaloisGr, set: VertexSet, exclude: VertexSet | undefined, arcs: number) =>
  sameVerdict((pace) => verifyIndependentSet(graph, denseLabels(graph.vertices, 0), set, exclude, quietJob, pace), arcs)

const matchingOf = (mates: readonly number[]): Matching =>
  new Matching(Uint32Array.from(mates, (mate) => (mate < 0 ? NO_MATE : mate)))

function setOf(vertices: number, members: Iterable<number>): VertexSet {
  const set = new VertexSet(vertices)
  for (const v of members) set.add(v)
  return set
}

/** The pairs that prove a bound, once they are known to be a matching. */
async function certifiedPairs({ vertices, neighbours }: SmallGraph, file: GaloisGr, set: VertexSet): Promise<number> {
  const [first, ...others] = await Promise.all(
    [false, true].map(async (compiled) => {
      let found = new Uint32Array(0)
      const pace = { threads: compiled ? 2 : 1, arcsPerBatch: 7, compiled }
      const labels = denseLabels(vertices, 0)
      await verifyIndependentSet(file, labels, set, undefined, quietJob, pace, (mates) => (found = mates.slice()))
      return found
    }),
  )
  for (const mates of others) expect(mates).toEqual(first)
  const isPaired = (mate: number, v: number): boolean => neighbours[v]!.includes(mate) && first![mate] === v
  expect(first!.every((mate, v) => mate === NO_MATE || isPaired(mate, v))).toBe(true)
  return first!.filter((mate) => mate !== NO_MATE).length / 2
}

/** What is wrong with a set at its lowest vertex, if anything. */
function faultOfSet({ neighbours }: SmallGraph, has: (v: number) => boolean, isExcluded: (v: number) => boolean) {
  for (const [v, list] of neighbours.entries()) {
    const other = list.find(has)
    if (has(v) && other !== undefined) return { law: 'independent', edge: [String(v), String(other)] }
    if (!has(v) && other === undefined && !isExcluded(v)) return { law: 'maximal', vertex: String(v) }
  }
  return undefined
}

/** Vertices that have nearly all others as neighbours: degrees that a byte holds, and degrees that it does not. */
function crowd(seed: number): SmallGraph {
  const random = randomStream(seed)
  const [vertices, share] = [300, 0.83 + 0.01 * seed]
  const edges = Array.from({ length: vertices }, (_, u) => Array.from({ length: u }, (_, v) => [u, v] as const)).flat()
  return smallGraph(
    vertices,
    edges.filter(() => random() < share),
  )
}

const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4

/** The matching of the serial loop, and others with everything wrong that can be. */
function variantsOf(mates: readonly number[], upward: readonly number[], random: () => number): number[][] {
  const some = (): number => Math.floor(random() * mates.length)
  const without = [...mates]
  for (const v of [some(), some(), some()]) if (without[v]! >= 0) [without[without[v]!], without[v]] = [-1, -1]
  return [
    [...mates],
    [...upward],
    without,
    mates.with(some(), -1).with(some(), -1),
    mates.with(some(), some()),
    mates.map((mate) => (random() < 0.1 ? some() : mate)),
    mates.map(() => -1),
  ]
}

describe('verification by any number of threads', () => {
  it(`says of a matching what one thread says that takes vertex after vertex, on ${GRAPHS} random graphs`, async () => {
    const told: Record<string, number> = {}
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } =
        seed % 10 === 5 ? { shape: 'crowd', graph: crowd(seed % 4) } : randomSmallGraph(seed, 200)
      if (graph.vertices === 0) continue
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const [weights, ties] = [edgeWeights[seed % 3]!, edgeTies[Math.floor(seed / 3) % 3]!]
      const order = { weights, ties, seed: seed % 5, threshold: seed % 4 === 0 ? 0.5 : undefined }
      const edges = edgesInOrder(graph, order, weightOf)
      const file = GaloisGr.open(join(onDisk.folder, 'graph.gr'))
      const units = weights === 'random3' ? 1000 : 1
      const counted = edges.map((edge) => ({ ...edge, weight: Math.round(4000 * edge.weight) / (4000 / units) }))
      const mates = greedyMatching(graph.vertices, edges)
      const upward = greedyMatching(graph.vertices, edges.toReversed())
      for (const [i, variant] of variantsOf(mates, upward, randomStream(seed)).entries()) {
        const dominant = (seed + i) % 3 > 0
        const what = `${shape}, seed ${seed}, ${weights}, ${ties}, variant ${i}`
        const claim = { matching: matchingOf(variant), order, dominant }
        const verdict = await verdictOnMates(file, claim, [1, 7, 60][(seed % 7) % 3]!)
        const fault = faultOfMatching(variant, edges, dominant)
        expect(verdict, what).toMatchObject(fault === undefined ? { verified: true } : { verified: false, ...fault })
        const starts = graph.neighbours.map(() => 0)
        if (fault?.law !== 'valid')
          for (const { u, v, weight } of counted) if (variant[u] === v) starts[u] = starts[v] = weight
        const most = weights === 'column' ? undefined : units
        expect(verdict.upperBound, what).toBe(boundInTurn(graph.vertices, counted, starts, most) / units)
        const kind = fault?.law ?? 'none'
        told[kind] = (told[kind] ?? 0) + 1
      }
      file.close()
      onDisk.remove()
    }
    for (const law of ['none', 'valid', 'maximal-matching', 'locally-dominant'])
      expect(told[law], law).toBeGreaterThan(GRAPHS / 3)
  })

  it(`says the same of sets, on ${GRAPHS} random graphs`, async () => {
    const told: Record<string, number> = {}
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = seed < 4 ? { shape: 'crowd', graph: crowd(seed) } : randomSmallGraph(seed, 300)
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const file = GaloisGr.open(join(onDisk.folder, 'graph.gr'))
      const random = randomStream(seed)
      const found: number[] = []
      for (const v of graph.neighbours.keys()) if (!graph.neighbours[v]!.some((u) => found.includes(u))) found.push(v)
      const fewer = found.filter(() => random() < 0.9)
      const more = [...fewer, ...graph.neighbours.keys()].filter((v) => found.includes(v) || random() < 0.1)
      const excluded = setOf(
        graph.vertices,
        [...graph.neighbours.keys()].filter(() => random() < 0.5),
      )
      for (const [members, exclude] of [[found], [fewer], [more], [[]], [fewer, excluded]] as const) {
        const set = setOf(graph.vertices, members)
        const verdict = await verdictOnSet(file, set, exclude, [1, 7, 60][seed % 3]!)
        const fault = faultOfSet(
          graph,
          (v) => set.has(v),
          (v) => exclude?.has(v) === true,
        )
        const what = `${shape}, seed ${seed}`
        expect(verdict, what).toMatchObject(fault === undefined ? { verified: true } : { verified: false, ...fault })
        const joined = [...graph.neighbours.keys()].filter((v) => graph.neighbours[v]!.length > 0)
        const isNaming = 2 * joined.filter((v) => set.has(v)).length >= joined.length
        const pairs = isNaming ? pairsByNames(graph, (v) => set.has(v)) : pairsInTurn(graph)
        expect(verdict.upperBound, what).toBe(graph.vertices - pairs)
        expect(await certifiedPairs(graph, file, set), what).toBe(pairs)
        for (const kind of [fault?.law ?? 'none', isNaming ? 'by names' : 'greedily'])
          told[kind] = (told[kind] ?? 0) + 1
      }
      file.close()
      onDisk.remove()
    }
    for (const kind of ['none', 'independent', 'maximal', 'by names', 'greedily'])
      expect(told[kind], kind).toBeGreaterThan(GRAPHS / 2)
  })

  it.each(graphsHere(['jazz.graph', 'wiki-Vote.txt', 'airfoil1.graph', 'astro-ph.graph', 'PGPgiantcompo.graph']))(
    'says the same of what runs find on %s, and of what is not quite that',
    async (name) => {
      const folder = join(scratchFolder('verdicts'), 'dataset')
      const { vertices, checksum } = await importGraph({ source: graphFile(name), folder }, quietJob)
      const base = { folder, checksum, device: 'cpu:0', seed: 0, verify: false, priority: 'degree' } as const
      const file = GaloisGr.open(join(folder, 'graph.gr'))
      for (const weights of ['random3', 'unit'] as const) {
        const resultFile = join(folder, 'mates')
        await runAlgorithm({ ...base, algorithm: 'ld-gpu', weights, resultFile }, quietJob)
        const order = { weights, ties: 'hash', seed: 0 } as const
        const matching = readMates(resultFile, vertices)
        expect(await verdictOnMates(file, { matching, order, dominant: true }, 1000)).toMatchObject({ verified: true })
        const { mates } = matching
        for (const v of [Math.floor(vertices / 2), vertices - 1])
          if (mates[v] !== NO_MATE) [mates[mates[v]!], mates[v]] = [NO_MATE, NO_MATE]
        await verdictOnMates(file, { matching, order, dominant: true }, 1000)
        mates.fill(NO_MATE, Math.floor(vertices / 3))
        expect(await verdictOnMates(file, { matching, order, dominant: true }, 1000)).toMatchObject({ law: 'valid' })
      }
      const resultFile = join(folder, 'set')
      await runAlgorithm({ ...base, algorithm: 'ecl-mis', resultFile }, quietJob)
      const set = readBits(resultFile, vertices)
      expect(await verdictOnSet(file, set, undefined, 1000)).toMatchObject({ verified: true })
      set.bytes[Math.floor(vertices / 16)]! ^= 0xff
      expect(await verdictOnSet(file, set, undefined, 1000)).toMatchObject({ verified: false })
      file.close()
    },
  )
})
