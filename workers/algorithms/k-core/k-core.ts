import type { JobContext } from '../../base/job.ts'
import { degreesOf } from '../../graph/degrees.ts'
import { checkCores } from '../../verify/verify-subgraphs.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { planRanges, rangeRecord, rangesOf, runRanges } from '../range-run.ts'
import { valuesAnswer, valuesVerifier } from '../values-answer.ts'
import { type CoreSweeps, coreSpaceBytes, coreWorks, shareCores } from './compute-cores.ts'

/** Core numbers by falling bounds (Lu et al., Nature Communications 2016). */
export const kCore: Algorithm = {
  plan: (request) => {
    const { size, devices } = request
    return planRanges(request, (own) => coreSpaceBytes(size.vertices, own), hostBytesFor(size.vertices, devices.length))
  },
  severalGpus: 'useful',
  kernels: () => coreWorks.kernels,
  compute,
  verifier: valuesVerifier(
    ({ vertices }) => ({ hostBytes: 16 * vertices + (512 << 20), passes: 3 }),
    (cores, { graph }, job) => checkCores(graph, cores, job),
  ),
}

/** Bounds, what fell of them, and the bits of every worker. */
const hostBytesFor = (vertices: number, workers: number): number => 8 * vertices + (workers * vertices) / 8

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, devices } = run
  const { vertices } = graph
  const startMs = performance.now()
  const bounds = rangesOf(run)
  const shared = shareCores(vertices, bounds)
  const identity = { graph: args.checksum, order: 'core-bounds', tiles: '', vertices }
  const checkpoint = Checkpoint.of<CoreSweeps>(args, identity)
  const kept = checkpoint?.start()
  shared.cores.set(kept?.parts[0] ?? degreesOf(graph))
  const costs = { beforeMs: performance.now() - startMs, hostBytes: hostBytesFor(vertices, devices.length) }
  const found = await runRanges(run, job, shared, coreWorks, {
    ...{ bounds, before: kept?.notes, checkpointer: checkpoint?.checkpointer(true, () => [shared.cores]) },
  })
  const { outcome: sweeps, reports } = found
  const record = rangeRecord(run, found, costs)
  return valuesAnswer(run, {
    ...{ values: shared.cores, figures: coreFigures(shared.cores), workers: reports, checkpoint },
    record: {
      ...record,
      rounds: sweeps.length,
      passes: sweeps.length,
      counters: { fallen: sweeps.reduce((sum, fell) => sum + fell, 0) },
      series: [{ name: 'fell', unit: 'vertices', values: sweeps }, ...record.series],
    },
  })
}

/** The largest core number, and how many have it. */
export function coreFigures(cores: Uint32Array) {
  let [degeneracy, inmost] = [0, 0]
  for (const core of cores) degeneracy = Math.max(degeneracy, core)
  for (const core of cores) if (core === degeneracy) inmost++
  return { degeneracy, inmost }
}
