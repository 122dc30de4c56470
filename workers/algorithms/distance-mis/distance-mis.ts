import { IN } from '../../../kernels/distance/distance-words.ts'
import type { JobContext } from '../../base/job.ts'
import { degreesOf } from '../../graph/degrees.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import { distanceCheckBytes, checkDistanceSet } from '../../verify/verify-distances.ts'
import type { Algorithm, Answer, ResultVerifier, Run } from '../algorithm.ts'
import { resumeStates } from '../checkpoint.ts'
import { planRanges, roundsRecord, runRanges } from '../range-run.ts'
import { setResult } from '../set-answer.ts'
import { verdictBy } from '../values-answer.ts'
import {
  type DistanceRounds,
  type SharedDistance,
  degreeWords,
  distanceSpaceBytes,
  distanceWorks,
  idBits,
  shareDistance,
  type Strength,
} from './compute-distance.ts'

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
  const found = await runRanges(run, job, shared, distanceWorks, kept)
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
