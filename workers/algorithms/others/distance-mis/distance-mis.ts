/**
 * Maximal sets at a distance (Kelley, Rajamanickam, IPDPS 2022, Algorithm 1) as an Algorithm, on any devices: in each round a vertex whose word
 * is the least within the distance joins, and those within the distance of a member are out. Every step sees the step before, so that no
 * partition or batch changes the set. A round costs `distance` passes over the lists of vertices that may change; a device has a word a vertex
 * for each step. aggregates.ts builds on it.
 */

import { IN, distanceWords, xorshift } from '../../../../kernels/distance/distance-words.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { VertexSet } from '../../../graph/vertex-set.ts'
import { distanceCheckBytes, checkDistanceSet } from './check-distance-set.ts'
import { type Algorithm, type Answer, type ResultVerifier, type Run, verdictBy } from '../../algorithm.ts'
import { resumeStates } from '../../checkpoint.ts'
import { onThreads, planRanges, roundsRecord, runRanges } from '../../range-run.ts'
import { setResult } from '../../set-answer.ts'
import { distanceReach } from '../../../../kernels/distance/distance-reach.ts'
import { sharedWords } from '../../../base/words.ts'
import { type Buffers, allocateBuffers, releaseBuffers } from '../../../device/device.ts'
import { idleRound, type GaloisGr } from '../../../graph/galois-gr.ts'
import type { ArcBatch } from '../../arc-store.ts'
import { MirroredWords, type RangeWork, type RangeWorker, type RangeWorks } from '../../range-task.ts'
import { reportRound } from '../../worker-report.ts'
import { scanLists } from '../../../graph/scan-lists.ts'

const DEFAULT_DISTANCE = 2

const verifier: ResultVerifier = {
  plan: ({ vertices }, { distance = DEFAULT_DISTANCE }) => ({
    hostBytes: distanceCheckBytes(vertices),
    passes: distance + 1,
  }),
  verify({ graph, labels, bytes, options }, job) {
    const startMs = performance.now()
    const set = new VertexSet(graph.vertices, bytes)
    const distance = typeof options['distance'] === 'number' ? options['distance'] : DEFAULT_DISTANCE
    const witness = checkDistanceSet(graph, set, distance, job)
    const common = { ...set.summary(), upperBound: null, elapsedMs: performance.now() - startMs }
    return Promise.resolve(verdictBy(witness, labels, common))
  },
}

/** Maximal sets at a distance (Kelley, Rajamanickam 2022), on any devices. */
export const distanceMis: Algorithm = {
  plan: (request) => {
    const { vertices } = request.size
    const distance = request.options.distance ?? DEFAULT_DISTANCE
    return planRanges(request, () => distanceSpaceBytes(vertices, distance), hostBytesOf(vertices, distance))
  },
  severalGpus: 'useful',
  kernels: () => distanceWorks.kernels,
  compute,
  verifier,
}

/** Words of every step, and the result. */
const hostBytesOf = (vertices: number, distance: number): number => 4 * (distance + 1) * vertices

/** What the workers share to begin with. */
export function distanceShared({ args, graph }: Run, distance: number, strength?: Strength): SharedDistance {
  const { vertices } = graph
  const isDrawn = args.priority !== 'degree'
  const draw = isDrawn ? { bits: idBits(vertices), seed: Math.imul(args.seed, 0x9e3779b9) >>> 0 } : undefined
  const shared = shareDistance(vertices, distance, { draw, strength })
  if (!isDrawn) degreeWords(degreesOf(graph), shared.words)
  return shared
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const fromMs = performance.now()
  const distance = args.distance ?? DEFAULT_DISTANCE
  const shared = distanceShared(run, distance)
  const order = `distance-${distance}-${args.priority}-${args.seed}`
  const { checkpoint, ...kept } = resumeStates<DistanceRounds>(args, { order, vertices }, false, [shared.words])
  const threaded = onThreads(run, () => distanceSpaceBytes(vertices, distance))
  const found = await runRanges(threaded, job, shared, distanceWorks, kept)
  const set = new VertexSet(vertices)
  shared.words.forEach((word, v) => word === IN && set.add(v))
  const { devices, options, ...record } = roundsRecord(run, found, {
    ...{ hostBytes: hostBytesOf(vertices, distance), fromMs },
  })
  const chosen = { distance, priority: args.priority ?? 'random', ...options }
  return {
    bytes: set.bytes,
    workers: found.reports,
    record: () => ({ devices, options: chosen, result: setResult(set), ...record }),
    checkpoint,
  }
}

/** What the workers share: every word is in shared memory. */
export interface SharedDistance {
  /** IN, OUT, or the word of an undecided vertex: the least goes first. To begin with, and the result. */
  readonly words: Uint32Array
  /** What each vertex reaches after 1, 2, ..., distance - 1 steps. */
  readonly reached: readonly Uint32Array[]
  /** New words are drawn in each round: bits of an id, and the seed. undefined: those to begin with stay. */
  readonly draw: { readonly bits: number; readonly seed: number } | undefined
  /** Which arcs count; undefined: all. */
  readonly strength?: Strength | undefined
}

/** Neither IN nor OUT. */
const UNDECIDED = 1

export const shareDistance = (
  vertices: number,
  distance: number,
  more: Pick<SharedDistance, 'draw' | 'strength'>,
): SharedDistance => ({
  words: sharedWords(vertices).fill(UNDECIDED),
  reached: Array.from({ length: distance - 1 }, () => sharedWords(vertices).fill(UNDECIDED)),
  ...more,
})

/** Bits that ids from 1 on take. */
export const idBits = (vertices: number): number => 32 - Math.clz32(vertices + 1)

export const distanceSpaceBytes = (vertices: number, distance: number): number => 4 * (distance * vertices + 4)

/** Undecided vertices after each round, those of an interrupted attempt included. */
export type DistanceRounds = readonly number[]

/** One worker's part in all rounds. */
async function computeDistance(
  worker: RangeWorker<SharedDistance, DistanceRounds>,
): Promise<RangeWork<DistanceRounds>> {
  const { task, device, graph, job } = worker
  const { shared, before = [] } = task
  const space = await allocateBuffers(device, { counters: 1 })
  const opened = [shared.words, ...shared.reached].map((words) => MirroredWords.open(worker, 'words', words))
  const levels = await Promise.all(opened)
  await worker.ready()
  const steps = new DistanceSteps(worker, space, levels)
  const rounds = [...before]
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    throwIfCancelled(job.signal)
    const own = await steps.round(rounds.length)
    await steps.publishLast()
    const [total = 0, keeps = 0] = await worker.sum('for totals', [own, worker.isDue()])
    if (total >= left && rounds.length > before.length) throw idleRound(graph.path, rounds.length + 1)
    left = total
    rounds.push(left)
    reportRound(job, 'round', graph.vertices, left, rounds.length)
    // Until it is written, no worker changes its words.
    if (keeps > 0) worker.keep(rounds)
    await worker.arrive('for other workers')
  }
  for (const level of levels) level.release()
  releaseBuffers(device, space)
  return { outcome: rounds, exchanged: levels.reduce((sum, { exchanged }) => sum + exchanged, 0) }
}

class DistanceSteps {
  readonly #worker: RangeWorker<SharedDistance>
  readonly #space: Buffers<'counters'>
  readonly #levels: readonly MirroredWords[]
  /** Vertices that may change, by level and batch. */
  readonly #open: readonly number[][]

  constructor(worker: RangeWorker<SharedDistance>, space: Buffers<'counters'>, levels: readonly MirroredWords[]) {
    this.#worker = worker
    this.#space = space
    this.#levels = levels
    this.#open = levels.map(() => worker.plan.batches.map(({ count }) => count))
  }

  /** Own vertices that are undecided after it. */
  async round(number: number): Promise<number> {
    const { device, task, low, high } = this.#worker
    const { draw } = task.shared
    const [words, ...reached] = this.#levels as [MirroredWords, ...MirroredWords[]]
    if (draw !== undefined) {
      const params = { low, count: high - low, bits: draw.bits, draw: (xorshift(number) ^ draw.seed) >>> 0 }
      if (high > low) device.launch(distanceWords, high - low, params, { words: words.buffer })
      await this.#exchange(words)
    }
    let nearest = words
    for (const [i, level] of reached.entries()) {
      await this.#step(nearest, level, i + 1, false)
      await this.#exchange(level)
      nearest = level
    }
    return this.#step(nearest, words, 0, true)
  }

  /** Words that were decided, to the others. */
  publishLast(): Promise<void> {
    return this.#exchange(this.#levels[0]!)
  }

  async #exchange(level: MirroredWords): Promise<void> {
    const { trace, workers } = this.#worker
    await trace.span('exchange', 'publish words', () => level.publish())
    await this.#worker.arrive('for words')
    if (workers > 1) await trace.span('exchange', 'take words', () => level.take())
  }

  async #step(nearest: MirroredWords, reached: MirroredWords, level: number, decides: boolean): Promise<number> {
    const { device, plan, store, trace, job } = this.#worker
    const open = this.#open[level]!
    const { counters } = this.#space
    for (const batch of plan.batches.filter(({ index }) => open[index]! > 0)) {
      const params = { first: batch.first, rows: batch.count, decides: decides ? 1 : 0 }
      throwIfCancelled(job.signal)
      const { offsets, targets } = await store.load(batch)
      device.clear(counters, 0, 1)
      const buffers = { offsets, targets, nearest: nearest.buffer, reached: reached.buffer, counters }
      trace.span('kernel', decides ? 'decide' : 'reach', () =>
        device.launch(distanceReach, batch.count, params, buffers),
      )
      open[batch.index] = (await device.read(counters, 0, 1))[0]!
    }
    return open.reduce((sum, count) => sum + count, 0)
  }
}

/** Words that put the vertex of the lower degree first, then that of the smaller id (MIS2_QUALITY of Kokkos Kernels). */
export function degreeWords(degrees: Uint32Array, words: Uint32Array): void {
  const { fround } = Math
  const bits = idBits(degrees.length)
  const [least, most] = [
    degrees.reduce((a, b) => Math.min(a, b), Infinity),
    degrees.reduce((a, b) => Math.max(a, b), 0),
  ]
  const scale = most > least ? fround(1 / (most - least)) : 0
  const range = bits < 32 ? 2 ** (32 - bits) - 2 : 0
  for (let v = 0; v < words.length; v++) {
    // The range may be above itself as f32: of 62 vertices or fewer.
    const score = Math.min(range, Math.floor(fround(fround(fround(degrees[v]! - least) * scale) * fround(range))))
    words[v] = v + 1 + score * 2 ** bits
  }
}

export const distanceWorks: RangeWorks<SharedDistance, DistanceRounds, DistanceRounds> = {
  follow: 'distance-range',
  kernels: [distanceWords, distanceReach],
  needs: ({ shared }, graph) => ({
    spaceBytes: distanceSpaceBytes(graph.vertices, shared.reached.length + 1),
    sharedBytes: distanceSpaceBytes(graph.vertices, shared.reached.length + 1),
    choose: shared.strength && strongArcs(graph, shared.strength),
  }),
  compute: computeDistance,
}

/**
 * An edge counts where |w(u, v)| >= threshold sqrt(d(u) d(v)), d being the sum of the absolute weights at a vertex: what stands on the diagonal of
 * a matrix whose rows add up to zero (Vanek, Mandel, Brezina, Computing 56, 1996, section 5).
 */
export interface Strength {
  readonly threshold: number
  /** The diagonal by vertex, in shared memory. */
  readonly diagonal: Float64Array
}

export const strengthBytes = (vertices: number): number => 8 * vertices

/** The sums of the absolute weights at all vertices, in the order of their lists. */
export function strengthOf(graph: GaloisGr, threshold: number, job: JobContext): Strength {
  const diagonal = new Float64Array(new SharedArrayBuffer(strengthBytes(graph.vertices)))
  scanLists(graph, job, 'scan', ({ first, offsets, firstArc }) => {
    const weights = graph.readFloats(firstArc, firstArc + offsets.at(-1)!)
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) diagonal[first + row]! += Math.abs(weights[at]!)
  })
  return { threshold, diagonal }
}

/** The strong arcs of a batch. */
export function strongArcs(graph: GaloisGr, { threshold, diagonal }: Strength) {
  const square = threshold * threshold
  return (offsets: Uint32Array, targets: Uint32Array, { first, firstArc }: Pick<ArcBatch, 'first' | 'firstArc'>) => {
    const weights = graph.readFloats(firstArc, firstArc + targets.length)
    const kept = new Uint32Array(offsets.length)
    let count = 0
    for (let i = 0; i + 1 < offsets.length; i++) {
      const own = diagonal[first + i]!
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const [u, w] = [targets[at]!, weights[at]!]
        // The product of both ends first: the same for either arc of an edge.
        if (w * w >= square * (own * diagonal[u]!)) targets[count++] = u
      }
      kept[i + 1] = count
    }
    return { offsets: kept, targets: targets.subarray(0, count) }
  }
}
