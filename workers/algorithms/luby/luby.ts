/**
 * Luby's algorithm (SIAM Journal on Computing 15, 1986) on one device, the smallest algorithm here and the example for others: in each round
 * every active vertex draws a priority, the one above all active neighbours joins, and its neighbours are out. About log n rounds, each of which
 * reads the lists that are not decided, in batches where the device cannot hold them. It shows what an Algorithm gives to the pipeline
 * (algorithm.ts, run.ts), how a range worker computes (range-task.ts), and how a Device allocates, launches and reads; kernels/luby has the
 * kernel and its twin.
 */

import { IN, lubyRound } from '../../../kernels/luby/luby-round.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { allocateBuffers, releaseBuffers } from '../../device/device.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { planRanges, roundsRecord, runRanges } from '../range-run.ts'
import type { RangeWork, RangeWorker } from '../range-task.ts'
import { NO_LISTS } from '../run-lists.ts'
import { setAnswer, setResult, improvePasses, requireSetQuality } from '../set-answer.ts'
import { reportRound } from '../worker-report.ts'

/** Luby's algorithm, with new random priorities in each round. */
export const luby: Algorithm = {
  requireOptions: requireSetQuality,
  plan: (request) => planRanges(request, spaceBytes, hostBytesOf(request.size.vertices)),
  improvePasses,
  severalGpus: 'impossible',
  kernels: () => [lubyRound],
  compute,
}

/** A word of state for each vertex. */
const spaceBytes = (vertices: number): number => 4 * (vertices + 4)

const hostBytesOf = (vertices: number): number => 12 * vertices

/** What the device leaves. */
interface SharedStates {
  readonly states: Uint32Array
  readonly seed: number
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const shared: SharedStates = { states: new Uint32Array(vertices), seed: args.seed }
  const works = {
    follow: 'no other worker',
    kernels: [lubyRound],
    needs: () => ({ spaceBytes: spaceBytes(vertices) }),
    compute: rounds,
  }
  const found = await runRanges(run, job, shared, works)
  const set = new VertexSet(vertices)
  shared.states.forEach((state, v) => state === IN && set.add(v))
  const rounded = roundsRecord(run, found, { hostBytes: hostBytesOf(vertices) })
  const record = (improved: VertexSet) => ({ ...rounded, result: setResult(improved) })
  return setAnswer(run, { set, lists: NO_LISTS, checkpoint: undefined, workers: found.reports, record }, job)
}

/** Rounds until no vertex is active. @returns how many are after each */
async function rounds(worker: RangeWorker<SharedStates>): Promise<RangeWork<readonly number[]>> {
  const { task, device, graph, plan, store, job } = worker
  const { vertices } = graph
  const { seed, states: result } = task.shared
  const space = await allocateBuffers(device, { states: vertices, counters: 1 })
  device.clear(space.states, 0, vertices)
  await store.loadAll(plan.batches)
  await worker.ready()
  const left: number[] = []
  while ((left.at(-1) ?? vertices) > 0) {
    throwIfCancelled(job.signal)
    const round = left.length + 1
    const draw = (Math.imul(seed, 0x9e3779b9) + Math.imul(round, 0x85ebca6b)) >>> 0
    device.clear(space.counters, 0, 1)
    for (const joins of [1, 0])
      for (const batch of plan.batches) {
        const { first, count } = batch
        const { offsets, targets } = await store.load(batch)
        device.launch(lubyRound, count, { first, count, draw, joins }, { ...space, offsets, targets })
      }
    const [active = 0] = await device.read(space.counters, 0, 1)
    // The vertex of the highest priority joins in every round of a symmetric graph.
    if (active >= (left.at(-1) ?? vertices)) throw idleRound(graph.path, round)
    left.push(active)
    reportRound(job, 'round', vertices, active, round)
  }
  await device.read(space.states, 0, vertices, result)
  releaseBuffers(device, space)
  return { outcome: left, exchanged: 0 }
}
